import CXML

/// libxml2's HTML parser for one document, and the only owner of its context.
struct HTMLParser: ~Copyable {
    private let context: htmlParserCtxtPtr

    /// libxml/parser.h: initialise before several threads use the library; a global constant is made once.
    private static let isLibraryReady: Bool = {
        xmlInitParser()
        return true
    }()

    /// Nil where memory has run out.
    init?() {
        guard HTMLParser.isLibraryReady, let context = htmlNewParserCtxt() else { return nil }
        self.context = context
    }

    deinit { htmlFreeParserCtxt(context) }

    /// Reads a whole document, whatever its mistakes, and hands its events to the sink.
    /// - Parameter html: UTF-8.
    /// - Returns: false where it nests too deep and was left in the middle.
    func parse(_ html: [UInt8], into sink: HTMLTextSink) -> Bool {
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
        // White space between blocks is text too, and so is the body of an unknown element.
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
        return withExtendedLifetime(sink) { !sink.isTooDeep }
    }

    /// The sink behind the pointer that libxml2 hands to each handler: `userData`, set above.
    private static func sink(_ userData: UnsafeMutableRawPointer) -> HTMLTextSink {
        Unmanaged<HTMLTextSink>.fromOpaque(userData).takeUnretainedValue()
    }
}
