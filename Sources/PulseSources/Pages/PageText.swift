public import Foundation
public import PulseCore
import PulseMarkup
import PulseText

/// The article in a web page, found by the method of Arc90's and Mozilla's Readability
/// (https://github.com/mozilla/readability): paragraphs give points to the elements around them, by their length and
/// their commas; links, and names of classes that stand for something else, take some away; the element with the most
/// points is the article, together with those beside it that are like it; what in it looks like lists of links or
/// forms is removed.
public struct PageText: Sendable {
    /// Its id is its address.
    public let article: Article
    /// Whether the publisher says that this is only the beginning.
    public let isBeginning: Bool

    /// In characters. Less is no article: a line of a page that needs a script, or of one that has moved.
    private static let least = 140

    /// Nil where there is no article in the page, or nothing of it is left without what was said to subscribers.
    /// - Parameters:
    ///   - contentType: the header of the answer, for its character set.
    ///   - url: where the page was.
    public init?(page: Data, contentType: String?, url: String, now: Date) {
        let source = PageSource(page, contentType: contentType)
        var facts = PageFacts(url: url, now: now)
        facts.take(linkedData: source.linkedData)
        let tree = PageTree.parse(source.html, facts: &facts)
        facts.heading = tree.heading
        var text = PageText.text(of: tree, title: facts.title, author: facts.author)
        var form = ArticleDraft.Form.plain
        // A tenth more, because the page itself has paragraphs.
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

    /// What the cache keeps.
    init(article: Article, isBeginning: Bool) {
        self.article = article
        self.isBeginning = isBeginning
    }

    /// Whether a page without an article is one that only subscribers can read.
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
    /// The first heading of the first rank.
    var heading: String? {
        guard let index = nodes.firstIndex(where: { $0.name == "h1" }) else { return nil }
        let words = nodes[index..<nodes[index].end].prefix(100).filter(\.isText)
        return PlainText.line(words.map { String(decoding: text[$0.text], as: UTF8.self) }.joined(), limit: 300)
            .nonEmpty
    }
}
