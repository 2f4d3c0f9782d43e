import CXML

/// What a document consists of, in its order.
package enum XMLEvent {
    case start(XMLTag)
    /// The end of the last element that was started and not ended.
    case end
    /// A piece of text, in UTF-8; valid during the call.
    case text(UnsafeBufferPointer<UInt8>)
}

/// The start of an element.
package struct XMLTag {
    /// Without its prefix.
    package let name: String
    /// Empty where there is none.
    package let prefix: String
    /// The URI that the prefix stands for; nil where it stands for none.
    package let namespace: String?
    private let attributes: [(prefix: String, name: String, value: String)]

    /// An attribute without a prefix, however its letters are written.
    package subscript(name: String) -> String? { self["", name] }

    /// `xml:base` is `["xml", "base"]`.
    package subscript(prefix: String, name: String) -> String? {
        attributes.first { $0.prefix == prefix && ($0.name == name || $0.name.lowercased() == name.lowercased()) }?
            .value
    }

    fileprivate init(
        name: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, namespace: String?, count: Int,
        attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        self.name = String(cString: name)
        self.prefix = prefix.map { String(cString: $0) } ?? ""
        self.namespace = namespace
        // libxml/parser.h, startElementNsSAX2Func: local name, prefix, URI, value and the end of the value.
        self.attributes = (0..<count).compactMap { number in
            guard let field = attributes.map({ $0 + 5 * number }), let name = field[0], let value = field[3],
                let end = field[4]
            else { return nil }
            let text = String(decoding: UnsafeBufferPointer(start: value, count: end - value), as: UTF8.self)
            // Where entities are not replaced, libxml2 leaves this one for a tree to replace, and no other.
            return (
                field[1].map { String(cString: $0) } ?? "", String(cString: name),
                text.contains("&#38;")
                    ? text.split(separator: "&#38;", omittingEmptySubsequences: false)
                        .joined(separator: "&") : text
            )
        }
    }
}

/// Reads XML with libxml2 as a stream, whatever its mistakes: no tree is built, and nothing outside of the document is
/// ever looked at.
package enum XMLReader {
    /// - Parameters:
    ///   - unnested: names of elements, with their prefix, that never contain one of their own kind.
    ///   - take: gets the events, and says whether to go on. Every start has its end, unless it stops before.
    @discardableResult package static func read(
        _ xml: String, unnested: [String] = [], _ take: (XMLEvent) -> Bool
    ) -> XMLLoss {
        let (repaired, loss) = XMLRepair.repaired(xml, unnested: unnested)
        guard !repaired.isEmpty, let parser = XMLParserContext() else { return loss }
        withoutActuallyEscaping(take) { take in
            parser.parse(repaired, into: XMLListener(take))
        }
        return loss
    }
}

/// libxml2's parser for one document, and the only owner of its context.
private struct XMLParserContext: ~Copyable {
    private let context: xmlParserCtxtPtr

    /// Nil where memory has run out.
    init?() {
        guard HTMLParser.isLibraryReady, let context = xmlNewParserCtxt() else { return nil }
        self.context = context
    }

    deinit { xmlFreeParserCtxt(context) }

    func parse(_ xml: [UInt8], into listener: XMLListener) {
        // Only our own handlers, so that nothing builds a tree, declares or loads an entity, or prints an error.
        var handlers = xmlSAXHandler()
        handlers.initialized = UInt32(XML_SAX2_MAGIC)
        handlers.startElementNs = { userData, name, prefix, uri, _, _, count, _, attributes in
            guard let userData, let name else { return }
            let listener = XMLParserContext.listener(userData)
            listener.take(
                .start(
                    XMLTag(
                        name: name, prefix: prefix, namespace: uri.map(listener.namespace), count: Int(count),
                        attributes: attributes)))
        }
        handlers.endElementNs = { listener, _, _, _ in
            guard let listener else { return }
            XMLParserContext.listener(listener).take(.end)
        }
        handlers.characters = { listener, characters, count in
            guard let listener else { return }
            XMLParserContext.listener(listener).take(
                .text(UnsafeBufferPointer(start: characters, count: Int(count))))
        }
        handlers.ignorableWhitespace = handlers.characters
        handlers.cdataBlock = handlers.characters
        context.pointee.sax.pointee = handlers
        context.pointee.userData = Unmanaged.passUnretained(listener).toOpaque()
        listener.stop = { [context] in xmlStopParser(context) }
        defer { listener.stop = {} }
        // NONET: never a network access. That entities are replaced, DTDs loaded or limits lifted is asked for by flags
        // that are not here.
        let options =
            XML_PARSE_RECOVER.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
            | XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
        let document = xml.withUnsafeBytes { bytes in
            xmlCtxtReadMemory(
                context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count), nil,
                "UTF-8", Int32(options))
        }
        // None was built, and freeing NULL is a no-op.
        xmlFreeDoc(document)
        withExtendedLifetime(listener) {}
    }

    /// The listener behind the pointer that libxml2 hands to each handler: `userData`, set above.
    private static func listener(_ userData: UnsafeMutableRawPointer) -> XMLListener {
        Unmanaged<XMLListener>.fromOpaque(userData).takeUnretainedValue()
    }
}

/// What libxml2 keeps a pointer to.
private final class XMLListener {
    private let handle: (XMLEvent) -> Bool
    var stop: () -> Void = {}
    private var isStopped = false
    /// libxml2 keeps one copy of each URI for the whole document.
    private var namespaces: [UnsafePointer<xmlChar>: String] = [:]

    init(_ handle: @escaping (XMLEvent) -> Bool) { self.handle = handle }

    func take(_ event: XMLEvent) {
        // The parser may hand over a few more pieces after it was stopped.
        guard !isStopped, !handle(event) else { return }
        isStopped = true
        stop()
    }

    func namespace(_ uri: UnsafePointer<xmlChar>) -> String {
        if let known = namespaces[uri] { return known }
        let text = String(cString: uri)
        namespaces[uri] = text
        return text
    }
}
