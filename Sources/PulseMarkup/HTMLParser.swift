public import CXML

/// libxml2's HTML parser for one document, and the only owner of its context.
package struct HTMLParser: ~Copyable {
    private let context: htmlParserCtxtPtr

    /// libxml/parser.h: initialise before several threads use the library; a global constant is made once.
    static let isLibraryReady: Bool = {
        xmlInitParser()
        return true
    }()

    /// Nil where memory has run out.
    package init?() {
        guard HTMLParser.isLibraryReady, let context = htmlNewParserCtxt() else { return nil }
        self.context = context
    }

    deinit { htmlFreeParserCtxt(context) }

    /// Reads a whole document, whatever its mistakes, and hands its events to the sink.
    /// - Parameter html: UTF-8.
    /// - Returns: false where it nests too deep and parsing stopped in the middle.
    package func parse(_ html: [UInt8], into sink: HTMLSink) -> Bool {
        // Only our own handlers, so that nothing builds a tree, loads an entity or prints an error.
        var handlers = xmlSAXHandler()
        handlers.startElement = { sink, name, attributes in
            guard let sink, let name else { return }
            HTMLParser.sink(sink).start(String(cString: name), attributes: attributes)
        }
        handlers.endElement = { sink, name in
            guard let sink, let name else { return }
            HTMLParser.sink(sink).end(String(cString: name))
        }
        handlers.characters = { sink, characters, count in
            guard let sink else { return }
            HTMLParser.sink(sink).characters(UnsafeBufferPointer(start: characters, count: Int(count)))
        }
        // libxml2 also reports the text of unknown elements as ignorable white space.
        handlers.ignorableWhitespace = handlers.characters
        context.pointee.sax.pointee = handlers
        context.pointee.userData = Unmanaged.passUnretained(sink).toOpaque()
        sink.stop = { [context] in xmlStopParser(context) }
        defer { sink.stop = {} }
        // XML_PARSE_HUGE is no HTML option in older libxml2, which ignores it; the limits it lifts are those of the
        // tree, which is not built. NONET: never a network access, whatever the document asks for.
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue | HTML_PARSE_NODEFDTD.rawValue
        let document = html.withUnsafeBytes { bytes in
            htmlCtxtReadMemory(
                context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count), nil,
                "UTF-8", Int32(options))
        }
        // None was built, and freeing NULL is a no-op.
        xmlFreeDoc(document)
        return withExtendedLifetime(sink) { !sink.isStopped }
    }

    /// The sink behind the pointer that libxml2 hands to each handler: `userData`, set above.
    private static func sink(_ userData: UnsafeMutableRawPointer) -> HTMLSink {
        Unmanaged<HTMLSink>.fromOpaque(userData).takeUnretainedValue()
    }
}

/// What the parser hands a document to, piece by piece. A class, because libxml2 keeps a pointer to it; open, because
/// other rooms have sinks of their own.
open class HTMLSink {
    public init() {}

    /// Stops the parser; set while it runs.
    fileprivate(set) var stop: () -> Void = {}
    /// Whether the sink has seen enough: the parser may still hand over a few more pieces.
    public private(set) var isStopped = false

    /// - Parameter attributes: names and values in turn, ended by NULL (libxml2's startElementSAXFunc).
    open func start(_ name: String, attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {}
    open func end(_ name: String) {}
    open func characters(_ bytes: UnsafeBufferPointer<UInt8>) {}

    /// Those attributes that are among the known ones. By HTML's rules the first of two counts.
    package static func attributes(
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ known: Set<String>
    ) -> [String: String] {
        guard var next = attributes else { return [:] }
        var values: [String: String] = [:]
        while let name = next[0] {
            let name = String(cString: name)
            if known.contains(name), values[name] == nil { values[name] = next[1].map { String(cString: $0) } ?? "" }
            next += 2
        }
        return values
    }

    public final func stopParser() {
        guard !isStopped else { return }
        isStopped = true
        stop()
    }
}

/// Collects the visible text of a document from the parser's events. No tree is built: ten megabytes of `<b>` would be
/// hundreds of megabytes of nodes.
final class HTMLTextSink: HTMLSink {
    /// UTF-8; blocks end with blank lines, `<br>` is a line feed.
    private(set) var text: [UInt8] = []
    /// Open elements. libxml2 searches all of them for every end tag that fits none, which takes for ever on a page
    /// that only opens elements.
    private var depth = 0
    /// Open elements from the outermost invisible one inwards; 0 where the text can be seen.
    private var hiddenDepth = 0
    /// Open `<pre>` elements: inside them a line break is one.
    private var preformattedDepth: Int

    /// Deeper than any article; for what is deeper still see `HTMLFlattening`.
    static let deepest = 200

    /// - Parameter isPreformatted: whether line breaks of the source are line breaks everywhere.
    init(isPreformatted: Bool) {
        preformattedDepth = isPreformatted ? 1 : 0
    }

    override func start(_ name: String, attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        depth += 1
        if depth > HTMLTextSink.deepest { stopParser() }
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

    override func end(_ name: String) {
        depth -= 1
        if hiddenDepth > 0 {
            hiddenDepth -= 1
            return
        }
        if name == "pre" { preformattedDepth -= 1 }
        if name == "q" { text.append(contentsOf: "”".utf8) }
        if HTMLElements.blocks.contains(name) { endBlock() }
    }

    override func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard hiddenDepth == 0 else { return }
        let start = text.count
        text.append(contentsOf: bytes)
        guard preformattedDepth == 0 else { return }
        // In the source a line break is a space like any other.
        text.withUnsafeMutableBufferPointer { text in
            for index in start..<text.count where text[index] == 0x0a || text[index] == 0x0d { text[index] = 0x20 }
        }
    }

    private func endBlock() {
        guard let last = text.last, last != UInt8(ascii: "\n") || text.dropLast().last != UInt8(ascii: "\n") else {
            return
        }
        text.append(contentsOf: [UInt8(ascii: "\n"), UInt8(ascii: "\n")])
    }

    /// What a page hides, nobody has read.
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
