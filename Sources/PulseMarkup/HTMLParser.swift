public import CXML
import PulseText

/// libxml2's HTML parser for one document. The value owns its context.
package struct HTMLParser: ~Copyable {
    private let context: htmlParserCtxtPtr

    /// libxml/parser.h: initialise before several threads use the library; a static runs once.
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
    /// - Returns: False if the document is nested too deeply and parsing stopped.
    package func parse(_ html: [UInt8], into sink: HTMLSink) -> Bool {
        // Only our own handlers, so that nothing builds a tree, loads an entity or prints an error.
        var handlers = xmlSAXHandler()
        handlers.startElement = { userData, name, attributes in
            guard let name else { return }
            HTMLParser.sink(userData)?.start(String(cString: name), attributes: attributes)
        }
        handlers.endElement = { userData, name in
            guard let name else { return }
            HTMLParser.sink(userData)?.end(String(cString: name))
        }
        handlers.characters = { userData, characters, count in
            HTMLParser.sink(userData)?.characters(UnsafeBufferPointer(start: characters, count: Int(count)))
        }
        // libxml2 also reports the text of unknown elements as ignorable white space.
        handlers.ignorableWhitespace = handlers.characters
        context.pointee.sax.pointee = handlers
        context.pointee.userData = Unmanaged.passUnretained(sink).toOpaque()
        sink.stop = { [context] in xmlStopParser(context) }
        defer { sink.stop = {} }
        // Without XML_PARSE_HUGE: older libxml2 ignores it for HTML, and the limits that it lifts are those of a tree,
        // which is not built. NONET: never a network access, whatever the document asks for.
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
    private static func sink(_ userData: UnsafeMutableRawPointer?) -> HTMLSink? {
        userData.map { Unmanaged<HTMLSink>.fromOpaque($0).takeUnretainedValue() }
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
        while let name = next[0].map({ String(cString: $0) }) {
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

/// The beginning of a tag: its name, and whether it is an end tag.
package struct HTMLTag {
    /// Lower case; empty for a comment, a declaration or a processing instruction.
    package let name: String
    package let isEnd: Bool
    /// The index after the name, always inside the text.
    package let nameEnd: Int

    /// Nil if the "<" at `start` does not begin a tag, as in "a < b" and "I <3 you".
    package init?(in text: UnsafeBufferPointer<UInt8>, at start: Int) {
        var index = start + 1
        guard index < text.count else { return nil }
        isEnd = text[index] == UInt8(ascii: "/")
        if isEnd { index += 1 }
        let nameStart = index
        // No element of HTML has a name longer than "blockquote" and "figcaption".
        while index < text.count, index - nameStart <= 16, text[index].isASCIIAlphanumeric { index += 1 }
        guard index < text.count else { return nil }
        let isDeclaration = !isEnd && (text[index] == UInt8(ascii: "!") || text[index] == UInt8(ascii: "?"))
        guard index > nameStart ? !text[nameStart].isASCIIDigit : isDeclaration else { return nil }
        name = String(decoding: text[nameStart..<index], as: UTF8.self).lowercased()
        nameEnd = index
    }

    /// Whether the name is followed by the end of the tag or an attribute, unlike in "<b-1>", "<i@example.org>" and
    /// "a<b && c>d".
    package func isWellFormed(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = nameEnd
        while index < text.count, text[index].isASCIISpace { index += 1 }
        guard index < text.count else { return false }
        return text[index] == UInt8(ascii: ">") || text[index] == UInt8(ascii: "/")
            || !isEnd && index > nameEnd && text[index].isASCIIAlphanumeric
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The index after a delimiter such as `-->`; the end of the text if there is none.
    package func index(after mark: StaticString, from start: Int) -> Int {
        let mark = UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
        var position = Swift.min(start, count)
        while let first = self[position...].firstIndex(of: mark[0]) {
            if self[first...].starts(with: mark) { return first + mark.count }
            position = first + 1
        }
        return count
    }
}

/// Elements by their meaning for plain text, read from `Lists/html-elements.txt`.
package enum HTMLElements {
    private static let lists = EmbeddedLists.phrases(PackageResources.html_elements_txt).mapValues { Set($0) }
    /// Elements without readable content.
    package static let invisible = struck.union(lists["invisible"] ?? [])
    static let struck = lists["struck"] ?? []
    /// Elements that begin a new line.
    package static let blocks = lists["blocks"] ?? []
    /// All elements by which a text is recognised as HTML.
    static let all = invisible.union(blocks).union(lists["inline"] ?? [])
    /// Words in the classes, ids and links of footnote marks.
    static let footnotes = lists["footnotes"] ?? []

    /// Whether one of the classes in an attribute says that the element is without readable content.
    package static func isUnread(classes: UnsafeBufferPointer<UInt8>) -> Bool {
        var start = 0
        while start < classes.count {
            let end = classes[start...].firstIndex { $0 <= 0x20 } ?? classes.count
            let name = classes[start..<end].lazy.map(\.asciiLowercased)
            if unreadClasses.contains(FNV1a.hash(of: name)) { return true }
            start = end + 1
        }
        return false
    }

    private static let unreadClasses = Set((lists["unread classes"] ?? []).map { FNV1a.hash(of: $0.utf8) })
}
