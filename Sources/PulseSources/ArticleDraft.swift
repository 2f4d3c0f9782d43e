import PulseCore
import PulseText

import struct Foundation.Date

/// An article as a source wrote it, before anything of it was believed.
struct ArticleDraft {
    var id: String?
    var url: String?
    var title = ""
    var summary = ""
    var content = ""
    var contentForm = Form.unknown
    var author: String?
    var source = ""
    var category: String?
    var language: String?
    var publishedAt: Date?

    /// What the source says a text is.
    enum Form { case plain, html, unknown }

    /// What keeps a draft from being an article.
    enum Problem: Error {
        case noIdentity
        /// There is no id, and the URL is none that may be stored.
        case badURL
        case longIdentity
        case noText
    }

    /// The longest identifier that is taken for one, in bytes of UTF-8.
    static let longestIdentifier = 8000

    /// The article with all its texts plain.
    func article() throws(Problem) -> Article {
        let url = url.flatMap(WebAddress.clean)
        guard let id = id.map(PlainText.line)?.nonEmpty ?? url else {
            throw self.url?.trimmed.nonEmpty == nil ? .noIdentity : .badURL
        }
        guard id.utf8.count <= ArticleDraft.longestIdentifier else { throw .longIdentity }
        let title = HTMLText.line(title)
        let content = plainContent
        let summary = HTMLText.paragraphs(summary)
        guard !title.isEmpty || !content.isEmpty else { throw .noText }
        return Article(
            id: id, url: url, title: title.nonEmpty ?? ArticleDraft.title(from: content), summary: summary,
            content: content, author: author.map(HTMLText.line)?.nonEmpty, source: HTMLText.line(source),
            category: category.map(Category.init) ?? .general, language: language.flatMap(ArticleDraft.languageTag),
            publishedAt: publishedAt)
    }

    private var plainContent: String {
        switch contentForm {
        case .plain: PlainText.paragraphs(content)
        case .html: HTMLText.paragraphs(html: content)
        case .unknown: HTMLText.paragraphs(content)
        }
    }

    /// The beginning of the text, for what has no title, as posts of microblogs have none.
    private static func title(from content: String) -> String {
        let longest = 80
        let start = content.prefix { $0 != "\n" }
        guard start.count > longest else { return String(start) }
        let cut = start.prefix(longest)
        // Not in the middle of a word, where the language has spaces.
        let words = cut.lastIndex(of: " ").map { cut[..<$0] } ?? cut
        return words + "…"
    }

    /// The tag where it has the shape of one (BCP 47: letters, digits and hyphens, at most 35), else nil.
    private static func languageTag(_ text: String) -> String? {
        let tag = text.trimmed.split(separator: "_").joined(separator: "-")
        guard (2...35).contains(tag.utf8.count),
            tag.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || HTMLTag.isNameByte($0) })
        else { return nil }
        return tag
    }
}
