import CXML

/// Gathers the text of a document from the parser's events: what a reader would have seen, block by block.
///
/// No tree is built: ten megabytes of `<b>` would be hundreds of megabytes of nodes.
final class HTMLTextSink {
    /// UTF-8; blocks end with blank lines, `<br>` is a line feed.
    private(set) var text: [UInt8] = []
    /// Open elements. libxml2 looks through all of them for every end tag that fits none, so a page that only opens
    /// would take it for ever.
    private var depth = 0
    /// Open elements from the outermost invisible one inwards; 0 where the text can be seen.
    private var hiddenDepth = 0
    /// Open `<pre>` elements: inside them a line break is one.
    private var preformattedDepth: Int

    /// No article nests so deep; see `HTMLFlattening` for what does.
    static let deepest = 200
    private(set) var isTooDeep = false
    /// Ends the parsing; set by the parser while it runs.
    var stop: () -> Void = {}

    /// - Parameter isPreformatted: whether line breaks of the source are line breaks everywhere.
    init(isPreformatted: Bool) {
        preformattedDepth = isPreformatted ? 1 : 0
    }

    /// - Parameter attributes: names and values in turn, ended by NULL (libxml2's startElementSAXFunc).
    func start(_ name: String, attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        depth += 1
        if depth > HTMLTextSink.deepest, !isTooDeep {
            isTooDeep = true
            stop()
        }
        if hiddenDepth > 0 || HTMLElements.invisible.contains(name) || Self.isHidden(attributes) {
            hiddenDepth += 1
            return
        }
        if name == "pre" { preformattedDepth += 1 }
        switch name {
        case "br": text.append(UInt8(ascii: "\n"))
        case "td", "th": text.append(UInt8(ascii: " "))
        case "q": text.append(contentsOf: "“".utf8)
        default: if HTMLElements.blocks.contains(name) { endBlock() }
        }
    }

    func end(_ name: String) {
        depth -= 1
        if hiddenDepth > 0 {
            hiddenDepth -= 1
            return
        }
        if name == "pre" { preformattedDepth -= 1 }
        if name == "q" { text.append(contentsOf: "”".utf8) }
        if HTMLElements.blocks.contains(name) { endBlock() }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard hiddenDepth == 0 else { return }
        if preformattedDepth > 0 {
            text.append(contentsOf: bytes)
        } else {
            // In the source a line break is a space like any other.
            text.append(contentsOf: bytes.lazy.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 })
        }
    }

    private func endBlock() {
        guard let last = text.last, last != UInt8(ascii: "\n") || text.dropLast().last != UInt8(ascii: "\n") else {
            return
        }
        text.append(contentsOf: [UInt8(ascii: "\n"), UInt8(ascii: "\n")])
    }

    /// What a page hides, its reader has not read.
    private static func isHidden(_ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) -> Bool {
        guard var next = attributes else { return false }
        while let name = next[0] {
            if xmlStrEqual(name, "hidden") == 1 { return true }
            if xmlStrEqual(name, "style") == 1, let value = next[1] {
                let style = String(cString: value).lowercased().filter { !$0.isWhitespace }
                if style.contains("display:none") || style.contains("visibility:hidden") { return true }
            }
            next += 2
        }
        return false
    }
}
