public import CXML

/// libxml2's HTML parser for one document. The value owns its context.
package struct HTMLParser: ~Copyable {
    private let context: htmlParserCtxtPtr

    /// libxml/parser.h: initialise before several threads use the library; a global constant is made once.
    static let isLibraryReady: Bool = {
        xmlInitParser()
        return true
    }()

    /// Nil if memory ran out.
    package init?() {
        guard HTMLParser.isLibraryReady, let context = htmlNewParserCtxt() else { return nil }
        self.context = context
    }

    deinit { htmlFreeParserCtxt(context) }

    /// Parses a whole document, whatever its errors, and passes its events to the sink.
    ///
    /// - Parameter html: UTF-8.
    /// - Returns: False where the document is nested too deeply and parsing stopped.
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
        // No tree was built, and freeing NULL is a no-op.
        xmlFreeDoc(document)
        return withExtendedLifetime(sink) { !sink.isStopped }
    }

    /// The sink of a handler's context pointer, which is `userData`, set above.
    private static func sink(_ userData: UnsafeMutableRawPointer) -> HTMLSink {
        Unmanaged<HTMLSink>.fromOpaque(userData).takeUnretainedValue()
    }
}

/// Receives a document's parser events. A class, because libxml2 keeps a pointer to it; open, because other modules
/// subclass it.
open class HTMLSink {
    public init() {}

    /// Stops the parser; set while it runs.
    fileprivate(set) var stop: () -> Void = {}
    /// Whether the sink has stopped the parser, which may still send a few events.
    public private(set) var isStopped = false

    /// - Parameter attributes: Names and values in turn, ended by NULL (libxml2's startElementSAXFunc).
    open func start(_ name: String, attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {}
    open func end(_ name: String) {}
    open func characters(_ bytes: UnsafeBufferPointer<UInt8>) {}

    /// The attributes with one of the known names. As in HTML, the first of two counts.
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
