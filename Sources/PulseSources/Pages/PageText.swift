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
}

extension PageText {
    /// Nil if the page holds no article, or none that is free.
    /// - Parameters:
    ///   - contentType: the HTTP header, for its character set.
    ///   - url: the page's URL; empty: unknown.
    ///   - least: in characters. A shorter text is no article, but a notice that the page needs JavaScript or has moved.
    public init?(page: Data, contentType: String?, url: String, now: Date, least: Int = 140) {
        let source = PageSource(page, contentType: contentType)
        var facts = PageFacts(url: url, now: now)
        facts.take(linkedData: source.linkedData)
        let tree = PageTree.parse(source.html, facts: &facts)
        facts.heading = tree.heading
        var text = PageText.text(of: tree, title: facts.title, author: facts.author, least: least)
        var form = ArticleDraft.Form.plain
        // The JSON-LD's text is used only if it is a tenth longer, because the page itself has paragraphs.
        if let linked = facts.linkedText, linked.utf8.count > text.utf8.count + text.utf8.count / 10 {
            text = linked
            form = .unknown
        }
        guard text.unicodeScalars.count >= least else { return nil }
        let draft = ArticleDraft(
            id: url.isEmpty ? "-" : nil, url: facts.address, title: facts.title, content: text, contentForm: form,
            author: facts.author, source: facts.site ?? "", language: facts.language, publishedAt: facts.publishedAt)
        guard let article = try? draft.article(), !article.content.isEmpty else { return nil }
        self.article = article
        isBeginning = facts.isPaywalled
    }

    /// The article in a web page, a part of one, or a plain text, such as a mail's.
    ///
    /// - Returns: An article with a dummy id, and a title if it is a page; nil if the bytes are no text, or if they are
    ///   an encoded mail.
    public static func article(in bytes: Data, now: Date) -> Article? {
        let decoded = Charset.decode(page: bytes, contentType: nil)
        // Some characters may be invalid: half a text is better than none. But no text has zeros and the like, even if
        // it looks like UTF-16.
        let strange = decoded.unicodeScalars.count { $0 == "\u{fffd}" }
        guard !decoded.unicodeScalars.contains(where: { $0.value < 7 }), strange * 4 <= decoded.unicodeScalars.count
        else { return nil }
        guard let story = MailText.story(in: decoded) else { return nil }
        let front = decoded.prefix(4096).lowercased()
        if ["<html", "<!doctype html", "<body", "<head>", "<main", "<article", "<nav"].contains(where: front.contains) {
            // The caller knows it is an article, however short.
            for least in [140, 40] {
                let page = PageText(page: bytes, contentType: nil, url: "", now: now, least: least)
                if let article = page?.article { return article }
            }
        }
        let draft = ArticleDraft(id: "-", content: story)
        return Article(id: "-", title: "", content: (try? draft.article())?.content ?? "")
    }

    /// Whether a page without an article is for subscribers only.
    static func isPaywalled(_ page: Data, contentType: String?) -> Bool {
        let source = PageSource(page, contentType: contentType)
        var facts = PageFacts(url: "", now: .distantPast)
        facts.take(linkedData: source.linkedData)
        return facts.isPaywalled
    }

    private static func text(of tree: PageTree, title: String, author: String?, least: Int) -> String {
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

/// Writes an article as paragraphs, without surrounding lines that scoring cannot tell from it: the title, names and
/// dates, and lines of nothing but links.
struct PageWriter {
    /// Paragraphs separated by blank lines.
    let text: String

    private struct Paragraph {
        var text: [UInt8] = []
        /// Bytes inside links.
        var linked = 0
        var isHeading = false
        var isItem = false
    }

    /// - Parameter kept: whether each node is part of the article.
    init(_ tree: PageTree, kept: [Bool], title: String, author: String?) {
        var paragraphs = PageWriter.paragraphs(tree, kept)
        let title = PageWriter.compared(PlainText.line(title))
        paragraphs.removeAll { paragraph in
            paragraph.linked * 5 > paragraph.text.count * 4 || PageWords.isAdvertisement(paragraph.text)
                || !title.isEmpty && paragraph.text.count < 400
                    && PageWriter.compared(String(decoding: paragraph.text, as: UTF8.self)) == title
        }
        let isLine = { (paragraph: Paragraph) in paragraph.isHeading || PageWriter.isLine(paragraph.text) }
        // Up to six such lines before the text and four after it are removed. More are a list, and part of the article.
        let authors = paragraphs.prefix(4).compactMap { PageWriter.author(in: $0.text) } + [author].compactMap { $0 }
        PageWriter.removeProfiles(of: authors, from: &paragraphs)
        let front = paragraphs.prefix(while: isLine).count
        if front <= 6, front < paragraphs.count { paragraphs.removeFirst(front) }
        let back = paragraphs.reversed().prefix { !$0.isItem && isLine($0) }.count
        if back <= 4, back < paragraphs.count { paragraphs.removeLast(back) }
        text = paragraphs.map { String(decoding: $0.text, as: UTF8.self) }.joined(separator: "\n\n")
    }

    private static func paragraphs(_ tree: PageTree, _ kept: [Bool]) -> [Paragraph] {
        var paragraphs: [Paragraph] = []
        var current = Paragraph()
        // The end indices of the open elements.
        var blockEnds: [Int] = []
        var linkEnd = 0
        var preformattedEnd = 0
        var headingEnd = 0
        var itemEnd = 0
        func finish() {
            while let last = current.text.last, last <= 0x20 { current.text.removeLast() }
            if !current.text.isEmpty { paragraphs.append(current) }
            current = Paragraph()
        }
        for index in tree.nodes.indices where kept[index] {
            let node = tree.nodes[index]
            while let end = blockEnds.last, end <= index {
                blockEnds.removeLast()
                finish()
            }
            if node.isText {
                if current.text.isEmpty {
                    current.isHeading = index < headingEnd
                    current.isItem = index < itemEnd
                }
                let start = current.text.count
                append(tree.text[node.text], to: &current.text, isPreformatted: index < preformattedEnd)
                if index < linkEnd { current.linked += current.text.count - start }
                continue
            }
            switch node.name {
            case "br": current.text.append(0x0a)
            case "td", "th": current.text.append(0x20)
            case "a" where node.linkWeight > 0: linkEnd = max(linkEnd, node.end)
            case "pre": preformattedEnd = max(preformattedEnd, node.end)
            case "li", "dd", "dt", "tr": itemEnd = max(itemEnd, node.end)
            case let name where PageElements.headings.contains(name): headingEnd = max(headingEnd, node.end)
            default: break
            }
            if PageElements.isBlock(node.name), node.name != "td", node.name != "th" {
                finish()
                blockEnds.append(node.end)
            }
        }
        finish()
        return split(paragraphs)
    }

    /// Appends text with runs of white space as one space, unless it is preformatted.
    private static func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8], isPreformatted: Bool) {
        if isPreformatted { return text.append(contentsOf: bytes) }
        for byte in bytes {
            if byte > 0x20 {
                text.append(byte)
            } else if let last = text.last, last > 0x20 {
                text.append(0x20)
            }
        }
    }

    /// Two line breaks separate paragraphs as tags do.
    private static func split(_ paragraphs: [Paragraph]) -> [Paragraph] {
        paragraphs.flatMap { paragraph -> [Paragraph] in
            guard paragraph.linked == 0 || paragraph.text.count > 1000, paragraph.text.contains(0x0a) else {
                return [paragraph]
            }
            return String(decoding: paragraph.text, as: UTF8.self).split(separator: "\n\n").map {
                Paragraph(text: Array($0.utf8), isHeading: paragraph.isHeading, isItem: paragraph.isItem)
            }
        }
    }

    /// Whether it is a short line and no sentence: a name, a date, a topic.
    private static func isLine(_ text: [UInt8]) -> Bool {
        guard text.count < 120 else { return false }
        let line = String(decoding: text, as: UTF8.self).trimmed
        guard line.split(separator: " ").count <= 14 else { return false }
        let end = line.last { !"\"'”’»)]".contains($0) } ?? " "
        return !".!?:…。".contains(end)
    }

    /// The name in a line such as “By Ada Moran”.
    private static func author(in text: [UInt8]) -> String? {
        guard text.count < 80 else { return nil }
        let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard let by = words.first?.lowercased(), ["by", "por", "par", "von", "di"].contains(by) else { return nil }
        let name = words.dropFirst().prefix(3).prefix { $0.first?.isUppercase == true }
        return name.count >= 2 ? name.joined(separator: " ") : nil
    }

    /// Removes sentences about the author before and after the article.
    private static func removeProfiles(of authors: [String], from paragraphs: inout [Paragraph]) {
        guard !authors.isEmpty, paragraphs.count > 2 else { return }
        let verbs = ["is", "covers", "writes", "reports", "has", "é", "es", "est", "ist", "cubre", "cobre", "escribe"]
        for index in paragraphs.indices.reversed() where index < 6 || index >= paragraphs.count - 3 {
            guard paragraphs[index].text.count < 600 else { continue }
            let line = String(decoding: paragraphs[index].text, as: UTF8.self).trimmed
            let isProfile = authors.contains { author in
                line.hasPrefix(author)
                    && verbs.contains(String(line.dropFirst(author.count + 1).prefix { !$0.isWhitespace }))
            }
            if isProfile { paragraphs.remove(at: index) }
        }
    }

    /// The letters and digits, in lower case, for comparison.
    private static func compared(_ text: String) -> String {
        let scalars = text.lowercased().unicodeScalars
        return String(scalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil })
    }
}
