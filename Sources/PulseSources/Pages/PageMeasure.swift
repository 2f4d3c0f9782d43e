import PulseMarkup

/// Counts of an element's content, with its descendants.
struct PageMeasure {
    /// A run of white space counts as one.
    var characters = 0
    var commas = 0
    var sentenceEnds = 0
    var links = 0
    /// Characters in links, weighted: links within the page count less.
    var linked = 0.0
    var paragraphs = 0
    var items = 0
    var inputs = 0
    var images = 0
    /// Block elements, itself included.
    var blocks = 0

    init() {}

    init(_ text: ArraySlice<UInt8>) {
        var isSpace = true
        var isEnd = false
        for (index, byte) in zip(text.indices, text) {
            if byte <= 0x20 {
                if !isSpace { characters += 1 }
                if isEnd { sentenceEnds += 1 }
                isSpace = true
                isEnd = false
                continue
            }
            isSpace = false
            isEnd = byte == UInt8(ascii: ".") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
            // Continuation bytes of UTF-8 do not count.
            if byte & 0xc0 != 0x80 { characters += 1 }
            if byte == UInt8(ascii: ",") { commas += 1 }
            // The commas and the full stop of Chinese and Japanese, and the Arabic comma.
            if byte == 0x80, text[..<index].last == 0xe3, let next = text[(index + 1)...].first {
                if next == 0x81 { commas += 1 }
                if next == 0x82 { sentenceEnds += 1 }
            }
            if byte == 0xbc, text[..<index].last == 0xef, text[(index + 1)...].first == 0x8c { commas += 1 }
            if byte == 0x8c, text[..<index].last == 0xd8 { commas += 1 }
        }
        if isEnd { sentenceEnds += 1 }
        if isSpace, characters > 0 { characters -= 1 }
    }

    /// Adds the element itself. Called after its descendants were added.
    mutating func count(_ node: PageTree.Node) {
        switch node.name {
        case "p": paragraphs += 1
        case "li": items += 1
        case "img", "picture", "amp-img": images += 1
        case "a" where node.linkWeight > 0:
            links += 1
            linked = Double(characters) * node.linkWeight
        default: break
        }
        if PageElements.isBlock(node.name) { blocks += 1 }
    }

    /// The share of the text that is links, 0 to 1.
    var linkDensity: Double { characters == 0 ? 0 : min(1, linked / Double(characters)) }

    mutating func add(_ other: PageMeasure) { combine(other, 1) }

    func without(_ part: PageMeasure) -> PageMeasure {
        var rest = self
        rest.combine(part, -1)
        return rest
    }

    private mutating func combine(_ other: PageMeasure, _ sign: Int) {
        characters += sign * other.characters
        commas += sign * other.commas
        sentenceEnds += sign * other.sentenceEnds
        links += sign * other.links
        linked += Double(sign) * other.linked
        paragraphs += sign * other.paragraphs
        items += sign * other.items
        inputs += sign * other.inputs
        images += sign * other.images
        blocks += sign * other.blocks
    }
}

/// Sets of elements for finding an article.
enum PageElements {
    /// Never part of an article. Captions belong to pictures.
    static let dropped = HTMLElements.invisible.union([
        "head", "aside", "footer", "form", "fieldset", "dialog", "input", "figcaption", "label",
    ])
    /// Elements around articles, or in tables and code, whose class names mean less.
    static let neverUnlikely: Set<String> = ["html", "body", "article", "main", "a", "td", "th", "tr", "tbody", "code"]
    static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]
    static let paragraphs: Set<String> = ["p", "pre", "h2", "h3", "h4", "h5", "h6"]
    /// Paragraphs if they hold nothing but text.
    static let mayBeParagraph: Set<String> = ["div", "section", "center", "address"]
    /// Elements that may be a list of links, a form or a box inside an article.
    static let conditional: Set<String> = [
        "div", "section", "ul", "ol", "dl", "table", "tbody", "tr", "td", "header", "article", "blockquote",
    ]
    static let points: [String: Double] = [
        "div": 5, "article": 5, "pre": 3, "td": 3, "blockquote": 3, "address": -3, "ol": -3, "ul": -3, "dl": -3,
        "dd": -3, "dt": -3, "li": -3, "form": -3, "h1": -5, "h2": -5, "h3": -5, "h4": -5, "h5": -5, "h6": -5, "th": -5,
    ]

    static func isBlock(_ name: String) -> Bool {
        HTMLElements.blocks.contains(name) || name == "td" || name == "th" || name == "html"
    }
}
