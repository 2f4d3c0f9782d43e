public import Foundation
public import PulseCore
import PulseMarkup
import PulseText

/// The article of a web page, found by the method of Arc90's and Mozilla's Readability
/// (https://github.com/mozilla/readability). Paragraphs give points to their ancestors for length and commas; links,
/// and class names of other content, reduce them. The element with the most points is the article, with the siblings
/// that resemble it; parts that look like lists of links or forms are removed.
public struct PageText: Sendable {
    /// Its id is its URL.
    public let article: Article
    /// Whether the publisher says that this is only the beginning.
    public let isBeginning: Bool

    /// In characters. A shorter text is no article, but a notice that the page needs JavaScript or has moved.
    private static let least = 140

    /// Nil if the page holds no article, or none that is free.
    /// - Parameters:
    ///   - contentType: the HTTP header, for its character set.
    ///   - url: the page's URL.
    public init?(page: Data, contentType: String?, url: String, now: Date) {
        let source = PageSource(page, contentType: contentType)
        var facts = PageFacts(url: url, now: now)
        facts.take(linkedData: source.linkedData)
        let tree = PageTree.parse(source.html, facts: &facts)
        facts.heading = tree.heading
        var text = PageText.text(of: tree, title: facts.title, author: facts.author)
        var form = ArticleDraft.Form.plain
        // Only if it is a tenth longer, because the page itself has paragraphs.
        if let linked = facts.linkedText, linked.utf8.count > text.utf8.count + text.utf8.count / 10 {
            text = linked
            form = .unknown
        }
        guard text.unicodeScalars.count >= PageText.least else { return nil }
        let draft = ArticleDraft(
            url: facts.address, title: facts.title, content: text, contentForm: form, author: facts.author,
            source: facts.site ?? "", language: facts.language, publishedAt: facts.publishedAt)
        guard let article = try? draft.article(), !article.content.isEmpty else { return nil }
        self.article = article
        isBeginning = facts.isPaywalled
    }

    /// From the cache.
    init(article: Article, isBeginning: Bool) {
        self.article = article
        self.isBeginning = isBeginning
    }

    /// Whether a page without an article is for subscribers only.
    static func isPaywalled(_ page: Data, contentType: String?) -> Bool {
        let source = PageSource(page, contentType: contentType)
        var facts = PageFacts(url: "", now: .distantPast)
        facts.take(linkedData: source.linkedData)
        return facts.isPaywalled
    }

    private static func text(of tree: PageTree, title: String, author: String?) -> String {
        for strictness in [PageScoring.Strictness.full, .withoutNames, .none] {
            let scoring = PageScoring(tree, strictness)
            let text = PageWriter(tree, kept: scoring.article(), title: title, author: author).text
            if text.unicodeScalars.count >= least { return text }
        }
        return ""
    }
}

extension PageTree {
    /// The text of the first `h1`.
    var heading: String? {
        guard let index = nodes.firstIndex(where: { $0.name == "h1" }) else { return nil }
        let words = nodes[index..<nodes[index].end].prefix(100).filter(\.isText)
        return PlainText.line(words.map { String(decoding: text[$0.text], as: UTF8.self) }.joined(), limit: 300)
            .nonEmpty
    }
}
