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
        let title = Boilerplate.removed(from: ArticleDraft.name(title, limit: 300), isTitle: true)
        let content = Boilerplate.removed(from: plainContent)
        let summary = Boilerplate.removed(from: ArticleDraft.withoutMarkers(summary) { HTMLText.paragraphs($0) })
        guard !title.isEmpty || !content.isEmpty else { throw .noText }
        return Article(
            id: id, url: url, title: title.nonEmpty ?? ArticleDraft.title(from: content), summary: summary,
            content: content, author: author.map { ArticleDraft.name($0, limit: 100) }?.nonEmpty,
            source: ArticleDraft.name(source, limit: 100),
            category: category.map { Category(ArticleDraft.name($0.lowercased(), limit: 60)) } ?? .general,
            language: language.flatMap(ArticleDraft.languageTag), publishedAt: publishedAt)
    }

    private var plainContent: String {
        ArticleDraft.withoutMarkers(content) { content in
            switch contentForm {
            case .plain: PlainText.paragraphs(content)
            case .html: HTMLText.paragraphs(html: content)
            case .unknown: HTMLText.paragraphs(content)
            }
        }
    }

    /// A text made plain. The marks of chat templates go before, as HTML would take half of one for a tag, and after,
    /// as references and characters that nobody sees may have hidden one.
    private static func withoutMarkers(_ text: String, _ plain: (String) -> String) -> String {
        let text = plain(ChatMarkers.removed(from: text))
        let cleaned = ChatMarkers.removed(from: text)
        return cleaned == text ? text : PlainText.paragraphs(cleaned)
    }

    /// One line, of so many characters at most, and four times as many bytes.
    private static func name(_ text: String, limit: Int) -> String {
        PlainText.line(withoutMarkers(text, HTMLText.line), limit: limit, bytes: 4 * limit)
    }

    /// The beginning of the text, for what has no title, as posts of microblogs have none.
    private static func title(from content: String) -> String {
        let longest = 80
        let start = content.prefix { $0 != "\n" }
        guard start.count > longest else { return PlainText.line(String(start), limit: longest, bytes: 4 * longest) }
        let cut = start.prefix(longest)
        // Not in the middle of a word, where the language has spaces.
        let words = cut.lastIndex(of: " ").map { cut[..<$0] } ?? cut
        return PlainText.line(words + "…", limit: longest + 1, bytes: 4 * longest)
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
