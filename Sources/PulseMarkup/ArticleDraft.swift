package import PulseCore
import PulseText

package import struct Foundation.Date
package import struct Foundation.UUID

/// An article as a source gave it, not validated or cleaned yet.
package struct ArticleDraft {
    package var id: String?
    package var url: String?
    package var title = ""
    /// A title of unknown form is read as plain text, unless it is HTML (`HTMLText.isMarkup`).
    package var titleForm = Form.unknown
    package var summary = ""
    package var content = ""
    package var contentForm = Form.unknown
    package var author: String?
    package var source = ""
    package var category: String?
    package var language: String?
    package var publishedAt: Date?

    package init(
        id: String? = nil, url: String? = nil, title: String = "", summary: String = "", content: String = "",
        contentForm: Form = .unknown, author: String? = nil, source: String = "", category: String? = nil,
        language: String? = nil, publishedAt: Date? = nil
    ) {
        self.id = id
        self.url = url
        self.title = title
        self.summary = summary
        self.content = content
        self.contentForm = contentForm
        self.author = author
        self.source = source
        self.category = category
        self.language = language
        self.publishedAt = publishedAt
    }

    /// The format of a text, as the source states it.
    package enum Form {
        case plain, html, unknown
        /// All texts were cleaned before, as in an article of the history: only unsafe characters and the markers of
        /// chat templates are removed.
        case stored
    }

    /// Why a draft is no valid article.
    package enum DraftError: Error {
        case noIdentity
        /// There is no id, and the URL is not valid.
        case badURL
        case longIdentity
        case noText
    }

    /// In bytes of UTF-8.
    package static let longestIdentifier = 8000

    /// The article. All its texts are plain and of limited length.
    package func article() throws(DraftError) -> Article {
        let url = url.flatMap(ArticleURL.clean)
        guard let id = id.map(PlainText.line)?.nonEmpty ?? url else {
            throw self.url?.trimmed.nonEmpty == nil ? .noIdentity : .badURL
        }
        guard id.utf8.count <= ArticleDraft.longestIdentifier else { throw .longIdentity }
        let isStored = contentForm == .stored
        func name(_ text: String, _ limit: Int) -> String { ArticleDraft.name(text, limit: limit, isPlain: isStored) }
        func story(_ text: String, isTitle: Bool = false) -> String {
            isStored ? text : Boilerplate.removed(from: text, isTitle: isTitle)
        }
        let title = story(
            titleForm == .unknown && !isStored
                ? ArticleDraft.line(title, limit: 300, HTMLText.title) : name(title, 300), isTitle: true)
        let content = story(plainContent)
        let summary = story(
            ArticleDraft.withoutMarkers(summary) { isStored ? PlainText.paragraphs($0) : HTMLText.paragraphs($0) })
        guard !title.isEmpty || !content.isEmpty else { throw .noText }
        return Article(
            id: id, url: url, title: title.nonEmpty ?? ArticleDraft.title(from: content), summary: summary,
            content: content, author: author.map { name($0, 100) }?.nonEmpty, source: name(source, 100),
            category: category.map { name($0, 60) }.flatMap { ArticleDraft.isNoCategory($0) ? nil : Category($0) }
                ?? .general,
            language: language.flatMap(ArticleDraft.languageTag), publishedAt: publishedAt)
    }

    private var plainContent: String {
        ArticleDraft.withoutMarkers(content) { content in
            switch contentForm {
            case .plain, .stored: PlainText.paragraphs(content)
            case .html: HTMLText.paragraphs(html: content)
            case .unknown: HTMLText.paragraphs(content)
            }
        }
    }

    /// Removes the markers of chat templates twice: before the conversion to plain text, because an HTML parser would
    /// take half of a marker for a tag; and after it, because character references and invisible characters may have
    /// hidden a marker.
    private static func withoutMarkers(_ text: String, _ plain: (String) -> String) -> String {
        let text = plain(ChatMarkers.removed(from: text))
        let cleaned = ChatMarkers.removed(from: text)
        return cleaned == text ? text : PlainText.paragraphs(cleaned)
    }

    /// The id of a feed's entry. A guid that is globally unique, as RSS intends and Atom demands, is used as it is; one
    /// like `1234` is unique in its feed only, and gets the feed as a prefix.
    package static func identifier(guid: String, feed: String, url: String?) -> String {
        // No password is stored.
        let guid = guid.contains("://") ? WebURL.withoutUser(guid) : guid
        let isGlobal = ["http://", "https://", "tag:", "urn:"].contains { guid.prefix(8).lowercased().hasPrefix($0) }
        if isGlobal || UUID(uuidString: guid) != nil { return guid }
        // A remote account's feed id, such as `feed/7`, means another feed in another account.
        if ArticleURL.clean(feed) == nil, let url = url.flatMap(ArticleURL.clean) { return url }
        return ArticleKey.inFeed(guid, feed)
    }

    /// One line of at most `limit` characters and four times as many bytes.
    package static func name(_ text: String, limit: Int, isPlain: Bool = false) -> String {
        line(text, limit: limit, isPlain ? PlainText.line : HTMLText.line)
    }

    private static func line(_ text: String, limit: Int, _ plain: (String) -> String) -> String {
        PlainText.cut(withoutMarkers(text, plain), limit: limit, bytes: 4 * limit)
    }

    /// Whether a category is a program's name for having none, such as WordPress's “Uncategorized”, in any language.
    package static func isNoCategory(_ name: String) -> Bool {
        BoilerplateRules.noCategories.contains(Words.folded(name.trimmed))
    }

    /// A title, as HTML, for an article that has nothing but an address.
    package static func title(ofAddress url: String) -> String {
        PlainText.escaped(url.firstRange(of: "://").map { String(url[$0.upperBound...]) } ?? url)
    }

    /// A title from the beginning of the text, for untitled articles such as posts of microblogs.
    private static func title(from content: String) -> String {
        let longest = 80
        let start = content.prefix { $0 != "\n" }
        guard start.count > longest else { return PlainText.cut(String(start), limit: longest, bytes: 4 * longest) }
        let cut = start.prefix(longest)
        // Not inside a word, in languages with spaces.
        var words = cut.lastIndex(of: " ").map { cut[..<$0] } ?? cut
        while let last = words.last, ",;:–—-".contains(last) { words.removeLast() }
        // A whole sentence goes without an ellipsis.
        let isWhole = words.last { !"\"'”’»)".contains($0) }.map { ".!?…".contains($0) } ?? false
        return PlainText.cut(String(words) + (isWhole ? "" : "…"), limit: longest + 1, bytes: 4 * longest)
    }

    /// The normalised language tag; nil if the text is not like one (BCP 47: letters, digits and hyphens, at most
    /// 35).
    package static func languageTag(_ text: String) -> String? {
        let tag = text.trimmed.split(separator: "_").joined(separator: "-")
        guard (2...35).contains(tag.utf8.count),
            tag.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0.isASCIIAlphanumeric })
        else { return nil }
        return tag
    }
}

extension String {
    /// Without leading and trailing white space.
    package var trimmed: String {
        let start = unicodeScalars.firstIndex { !$0.properties.isWhitespace } ?? endIndex
        let end = unicodeScalars.lastIndex { !$0.properties.isWhitespace }.map(unicodeScalars.index(after:)) ?? start
        return String(unicodeScalars[start..<end])
    }

    /// Nil for an empty string.
    package var nonEmpty: String? { isEmpty ? nil : self }

    /// The beginning as one line, for messages.
    package var excerpt: String { PlainText.line(String(prefix(40))) }
}
