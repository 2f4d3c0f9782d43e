import CXML

package enum XMLEvent {
    case start(XMLTag)
    /// The end of the innermost open element.
    case end
    /// A piece of text, in UTF-8; valid during the call.
    case text(UnsafeBufferPointer<UInt8>)
}

package struct XMLTag {
    /// The local name.
    package let name: String
    /// Empty if there is none.
    package let prefix: String
    /// The namespace's URI; nil if there is none.
    package let namespace: String?
    private let attributes: [(prefix: String, name: String, value: String)]

    /// An attribute without a prefix. Upper and lower case are the same.
    package subscript(name: String) -> String? { self["", name] }

    /// An attribute with a prefix: `xml:base` is `["xml", "base"]`.
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
            // Without entity substitution, libxml2 leaves `&#38;` unresolved.
            return (
                field[1].map { String(cString: $0) } ?? "", String(cString: name),
                text.contains("&#38;") ? text.replacing("&#38;", with: "&") : text
            )
        }
    }
}

/// Reads XML with libxml2 as a stream, whatever its errors. It builds no tree and never reads anything outside of the
/// document.
package enum XMLReader {
    /// - Parameters:
    ///   - unnested: Elements, with their prefix, that never contain one of the same name.
    ///   - take: Receives the events and returns whether to continue. Every start has an end, unless it stops earlier.
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

/// libxml2's XML parser for one document. The value owns its context.
private struct XMLParserContext: ~Copyable {
    private let context: xmlParserCtxtPtr

    /// Nil if memory ran out.
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
            guard let name, let listener = XMLParserContext.listener(userData) else { return }
            let tag = XMLTag(
                name: name, prefix: prefix, namespace: uri.map(listener.namespace), count: Int(count),
                attributes: attributes)
            listener.take(.start(tag))
        }
        handlers.endElementNs = { userData, _, _, _ in XMLParserContext.listener(userData)?.take(.end) }
        handlers.characters = { userData, characters, count in
            let text = UnsafeBufferPointer(start: characters, count: Int(count))
            XMLParserContext.listener(userData)?.take(.text(text))
        }
        handlers.ignorableWhitespace = handlers.characters
        handlers.cdataBlock = handlers.characters
        context.pointee.sax.pointee = handlers
        context.pointee.userData = Unmanaged.passUnretained(listener).toOpaque()
        listener.stop = { [context] in xmlStopParser(context) }
        defer { listener.stop = {} }
        // NONET: never a network access. The flags that substitute entities, load DTDs or lift limits are not set.
        let options =
            XML_PARSE_RECOVER.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
            | XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
        let document = xml.withUnsafeBytes { bytes in
            xmlCtxtReadMemory(
                context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count), nil,
                "UTF-8", Int32(options))
        }
        // No tree was built, and freeing NULL is a no-op.
        xmlFreeDoc(document)
        withExtendedLifetime(listener) {}
    }

    /// The listener of a handler's context pointer, which is `userData`, set above.
    private static func listener(_ userData: UnsafeMutableRawPointer?) -> XMLListener? {
        userData.map { Unmanaged<XMLListener>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Receives libxml2's events; a class, because libxml2 keeps a pointer to it.
private final class XMLListener {
    private let handle: (XMLEvent) -> Bool
    var stop: () -> Void = {}
    private var isStopped = false
    /// URIs by libxml2's pointer: it has one copy of each for the whole document.
    private var namespaces: [UnsafePointer<xmlChar>: String] = [:]

    init(_ handle: @escaping (XMLEvent) -> Bool) { self.handle = handle }

    func take(_ event: XMLEvent) {
        // The parser may send a few more events after it was stopped.
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
