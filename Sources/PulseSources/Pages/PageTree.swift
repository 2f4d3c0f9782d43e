import CXML
import Foundation
import PulseMarkup

/// A web page as a tree. The nodes are in one array in document order, so every computation over them is one pass,
/// however deep the page nests. It is built from parser events: libxml2's own tree would take twenty times the memory
/// for a page of nothing but tags.
struct PageTree {
    struct Node {
        /// Lower case; empty for text.
        let name: String
        /// The parent's index; -1 for the root.
        let parent: Int
        /// The index after its last descendant.
        var end: Int
        /// The range of its text in `PageTree.text`.
        var text: Range<Int> = 0..<0
        /// The number of text nodes before it.
        fileprivate(set) var textsBefore = 0
        var hints = PageHints()
        /// Equal for elements of the same name and class; 0: no class.
        var kind = 0
        /// For `a`: 1 if it leads to another page, less within the page, 0 without a URL.
        var linkWeight = 0.0

        var isText: Bool { name.isEmpty }
    }

    fileprivate(set) var nodes: [Node] = []
    /// UTF-8.
    private(set) var text: [UInt8] = []
    /// The indices of the text nodes.
    private var texts: [Int] = []

    fileprivate init() {}

    static func parse(_ html: [UInt8], facts: inout PageFacts) -> PageTree {
        guard let parser = HTMLParser() else { return PageTree() }
        let prepared = HTMLReferences.prepare(String(decoding: html, as: UTF8.self))
        let sink = PageSink(facts: facts)
        // A page that nests too deeply is used as far as it was parsed.
        _ = parser.parse(HTMLBounding.bounded(prepared), into: sink)
        sink.close()
        facts = sink.facts
        return sink.tree
    }

    /// The text nodes inside a node, or the node itself if it is one. This must not search: hundreds of nested elements
    /// may surround a few words.
    func texts(in index: Int) -> ArraySlice<Int> {
        let end = nodes[index].end
        return texts[nodes[index].textsBefore..<(end < nodes.count ? nodes[end].textsBefore : texts.count)]
    }

    /// The nearest ancestor first.
    func ancestors(of index: Int) -> some Sequence<Int> {
        sequence(state: nodes[index].parent) { next in
            guard next >= 0 else { return nil }
            defer { next = nodes[next].parent }
            return next
        }
    }

    fileprivate mutating func open(_ node: Node) {
        nodes.append(node)
        nodes[nodes.count - 1].textsBefore = texts.count
    }

    fileprivate mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, parent: Int) {
        let start = text.count
        text.append(contentsOf: bytes)
        // The parser delivers long texts in pieces.
        if let last = nodes.last, last.isText, last.parent == parent {
            nodes[nodes.count - 1].text = last.text.lowerBound..<text.count
            return
        }
        open(Node(name: "", parent: parent, end: nodes.count + 1, text: start..<text.count))
        texts.append(nodes.count - 1)
    }
}

/// Builds the tree, and collects the metadata in the page's head.
private final class PageSink: HTMLSink {
    var tree = PageTree()
    var facts: PageFacts
    /// Open elements, by their indices.
    private var open: [Int] = []
    private var current = -1
    private var titleDepth = 0
    private var hintsByClass: [String: PageHints] = [:]
    private var kinds: [String: Int] = [:]
    private var footnotes = FootnoteMarks()

    /// See `HTMLTextSink.deepest`; pages nest deeper than articles.
    private static let deepest = 300
    /// A large page has ten thousand.
    private static let mostNodes = 200_000
    /// Elements of further classes get no hints, because searching for words takes time.
    private static let mostClasses = 5000
    private static let knownAttributes: Set<String> = [
        "class", "id", "role", "style", "hidden", "aria-hidden", "aria-modal", "itemprop", "href", "rel", "property",
        "name", "content", "datetime", "lang", "xml:lang", "pubdate",
    ]

    init(facts: PageFacts) { self.facts = facts }

    override func start(_ name: String, attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        if open.count >= PageSink.deepest || tree.nodes.count >= PageSink.mostNodes { stopParser() }
        guard !isStopped else { return }
        if name == "title" { titleDepth += 1 }
        let attributes = Self.attributes(attributes, PageSink.knownAttributes)
        switch name {
        case "meta": facts.take(meta: attributes)
        case "link": facts.take(link: attributes)
        case "html": facts.take(language: attributes["lang"] ?? attributes["xml:lang"])
        case "time": facts.take(time: attributes)
        default: break
        }
        var node = PageTree.Node(name: name, parent: current, end: tree.nodes.count + 1)
        node.hints = hints(attributes)
        node.kind = kind(name, attributes["class"])
        if name == "a", let address = attributes["href"] { node.linkWeight = address.hasPrefix("#") ? 0.3 : 1 }
        current = tree.nodes.count
        open.append(current)
        tree.open(node)
        if FootnoteMarks.mayBe(name) {
            footnotes.start(name, attributes, depth: open.count, at: tree.text.count)
        }
    }

    override func end(_ name: String) {
        guard let node = open.popLast() else { return }
        if footnotes.end(depth: open.count + 1, of: tree.text) != nil { tree.nodes[node].hints.isHidden = true }
        if name == "title", titleDepth > 0 { titleDepth -= 1 }
        tree.nodes[node].end = tree.nodes.count
        current = open.last ?? -1
    }

    override func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        if titleDepth > 0 {
            facts.appendTitle(bytes)
        } else if tree.nodes.count < PageSink.mostNodes {
            tree.append(bytes, parent: current)
        }
    }

    func close() { while !open.isEmpty { end("") } }

    private func kind(_ name: String, _ classes: String?) -> Int {
        guard let classes = classes.map({ String($0.prefix(200)).trimmed })?.nonEmpty else { return 0 }
        let key = name + "." + classes
        if let kind = kinds[key] { return kind }
        guard kinds.count < PageSink.mostClasses else { return 0 }
        kinds[key] = kinds.count + 1
        return kinds.count
    }

    private func hints(_ attributes: PageAttributes) -> PageHints {
        let words = ((attributes["class"] ?? "") + " " + (attributes["id"] ?? "")).prefix(200).lowercased()
        var hints = PageHints()
        if words.utf8.count > 1 {
            if let known = hintsByClass[words] {
                hints = known
            } else if hintsByClass.count < PageSink.mostClasses {
                hints = PageHints(classes: words)
                hintsByClass[words] = hints
            }
        }
        hints.add(attributes)
        return hints
    }
}

/// The relevant attributes of a tag, by name.
typealias PageAttributes = [String: String]

/// Hints from an element's attributes on being part of an article. The words are those of Arc90's and Mozilla's
/// Readability (https://github.com/mozilla/readability), with a few of content management systems added.
struct PageHints {
    /// Not shown by a browser, or shown over the page.
    var isHidden = false
    var isConsent = false
    var isUnlikely = false
    /// Marked as something beside the article, such as navigation.
    var isAside = false
    var isByline = false
    var isCaption = false
    var isShare = false
    /// Between -50 and 75.
    var weight = 0.0

    init() {}

    /// - Parameter classes: the class and the id, in lower case.
    init(classes: String) {
        func has(_ words: [String]) -> Bool { words.contains { strstr(classes, $0) != nil } }
        var names = classes
        isHidden = names.withUTF8 { HTMLElements.isUnread(classes: $0) }
        isConsent = has(PageHints.consents)
        isUnlikely = has(PageHints.unlikely) && !has(PageHints.maybe)
        isCaption = has(["caption"])
        isByline = has(["byline", "author", "dateline", "writtenby"])
        isShare = has(["share", "sharing", "social"])
        weight = (has(PageHints.positive) ? 25 : 0) - (has(PageHints.negative) ? 25 : 0)
    }

    mutating func add(_ attributes: PageAttributes) {
        if attributes["hidden"] != nil || attributes["aria-hidden"]?.lowercased() == "true" { isHidden = true }
        if attributes["aria-modal"]?.lowercased() == "true" { isHidden = true }
        if let style = attributes["style"]?.prefix(500).lowercased().filter({ !$0.isWhitespace }) {
            let hiding = ["display:none", "visibility:hidden", "opacity:0;", "font-size:0"]
            if hiding.contains(where: { style.contains($0) }) || style.hasSuffix("opacity:0") { isHidden = true }
        }
        if let role = attributes["role"]?.lowercased() {
            if PageHints.dialogs.contains(role) { isHidden = true }
            if PageHints.asides.contains(role) { isAside = true }
        }
        if let property = attributes["itemprop"]?.lowercased() {
            if property == "articlebody" {
                weight += 50
                isUnlikely = false
            }
            if property == "author" || property == "datepublished" { isByline = true }
        }
        if attributes["rel"]?.lowercased() == "author" { isByline = true }
    }

    private static let dialogs = Set(PageWords.lists["roles of dialogs"] ?? [])
    private static let consents = PageWords.lists["consent to cookies"] ?? []
    private static let asides = Set(PageWords.lists["roles of asides"] ?? [])
    private static let unlikely = PageWords.lists["unlikely classes"] ?? []
    private static let maybe = PageWords.lists["classes that make up for these"] ?? []
    private static let positive = PageWords.lists["good classes"] ?? []
    private static let negative = PageWords.lists["bad classes"] ?? []
}

/// A web page's decoded markup, without comments, scripts and styles. They are cut before parsing, because a script may
/// contain what looks like tags.
struct PageSource {
    /// UTF-8.
    let html: [UInt8]
    /// The scripts of the type `application/ld+json`.
    let linkedData: [[UInt8]]

    /// In bytes; the rest of a page is cut off.
    static let longest = 4 << 20
    private static let mostLinkedData = 20

    init(_ page: Data, contentType: String?) {
        let page = page.prefix(PageSource.longest)
        var text = Charset.decode(page: page, contentType: contentType)
        var kept: [UInt8] = []
        var linkedData: [[UInt8]] = []
        text.withUTF8 { bytes in
            kept.reserveCapacity(bytes.count)
            var index = 0
            let lastTagEnd = bytes.lastIndex(of: UInt8(ascii: ">")) ?? 0
            while index < bytes.count {
                let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                kept.append(contentsOf: bytes[index..<start])
                guard start < bytes.count else { break }
                index = PageSource.pass(bytes, at: start, lastTagEnd: lastTagEnd, &kept, &linkedData)
            }
        }
        html = kept
        self.linkedData = linkedData
    }

    /// Elements whose content is not shown as markup.
    private static let cut: Set<String> = [
        "script", "style", "noscript", "template", "svg", "iframe", "textarea", "math", "object", "canvas", "select",
    ]

    /// Processes the markup that begins with the "<" at `start`.
    /// - Returns: the index to continue at.
    private static func pass(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, lastTagEnd: Int, _ kept: inout [UInt8],
        _ linkedData: inout [[UInt8]]
    ) -> Int {
        if bytes[start...].starts(with: "<!--".utf8) { return bytes.index(after: "-->", from: start + 4) }
        // After the last ">" no tag can be complete; searching for one at each "<" would take quadratic time.
        guard start < lastTagEnd, let tag = HTMLTag(in: bytes, at: start), !tag.isEnd, cut.contains(tag.name),
            let tagEnd = bytes[tag.nameEnd...].firstIndex(of: UInt8(ascii: ">"))
        else {
            kept.append(bytes[start])
            return start + 1
        }
        // Separates the words before and after it.
        kept.append(0x20)
        guard bytes[tagEnd - 1] != UInt8(ascii: "/") || tag.name != "svg" else { return tagEnd + 1 }
        let contentEnd = self.start(ofEndTag: tag.name, in: bytes, from: tagEnd + 1)
        if tag.name == "script", linkedData.count < mostLinkedData,
            String(decoding: bytes[tag.nameEnd..<tagEnd], as: UTF8.self).lowercased().contains("ld+json")
        {
            linkedData.append(Array(bytes[(tagEnd + 1)..<contentEnd]))
        }
        return bytes.index(after: ">", from: contentEnd)
    }

    private static func start(ofEndTag name: String, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while let next = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            if next + 1 < bytes.count, bytes[next + 1] == UInt8(ascii: "/"), let tag = HTMLTag(in: bytes, at: next),
                tag.name == name
            {
                return next
            }
            index = next + 1
        }
        return bytes.count
    }
}
