import PulseText

/// What was lost of a document. No ordinary document exceeds the limits.
package struct XMLLoss: Sendable, Hashable {
    /// Only the beginning was read.
    package var isCut = false
    /// Elements nested too deeply were dropped; their text remains.
    package var isTooDeep = false
    /// The document is truncated.
    package var isTruncated = false

    package var isAny: Bool { self != XMLLoss() }
}

/// The first pass over untrusted XML: it repairs what would stop libxml2 and limits what would take it too long. It
/// reads forward, and re-reads at most as many bytes as the document has.
///
/// libxml2's own recovery loses text: of `AT&T` it leaves `AT`, of `1 < 2` `1  2`, and of `caf&eacute;` `caf`; after an
/// unclosed `<br>` it puts the next entries into the last one, and after a broken attribute it ends the feed.
///
/// The result has no declarations, comments, processing instructions or entities, so that nothing can refer to a file,
/// to the network or to itself. Every element ends inside its parent, and every `&` and `<` is escaped.
struct XMLRepair {
    /// The most open elements that are written; deeper ones are dropped, and their text remains. Half of libxml2's
    /// limit.
    static let deepest = 128
    /// The most open elements; the rest of the document is dropped, because only an attack nests deeper.
    static let mostOpen = 5000
    /// Per element. libxml2 compares each with all earlier ones.
    static let mostAttributes = 64
    /// In bytes.
    static let longestValue = 1 << 16
    /// In scope at once: each prefixed name is looked up among all of them.
    static let mostNamespaces = 64
    /// Different names of elements, attributes and namespaces; a feed has about a hundred. The rest of the document is
    /// dropped: libxml2 stores names in a hash table of limited size (dict.c), where look-ups then take too long.
    static let mostNames = 4096

    private let source: UnsafeBufferPointer<UInt8>
    /// Hashes of elements that never contain one of the same name: a start tag ends an open element of its name.
    private let unnested: Set<UInt64>
    private var index = 0
    /// A "<" before this index begins no tag.
    private var textEnd = 0
    /// How many bytes of broken tags will be read again.
    private var reread = 0
    private var output: [UInt8] = []
    private var open: [Open] = []
    /// The open elements by the hash of their name.
    private var counts: [UInt64: Int] = [:]
    /// The number of open elements that were written.
    private var written = 0
    /// The number of namespaces that the open elements declare.
    private var namespaces = 0
    /// Hashes of all names so far.
    private var known: Set<UInt64> = []
    private var isOver = false
    private var loss = XMLLoss()

    private struct Open {
        /// The hash of the name. Names with the same hash close each other, which is harmless.
        let hash: UInt64
        let name: Range<Int>
        let isWritten: Bool
        let namespaces: Int
    }

    /// - Parameter unnested: Elements, with their prefix, that never contain one of the same name.
    /// - Returns: XML in UTF-8 that is well formed except for invalid names, empty if there is no element; and what
    ///   was lost.
    static func repaired(_ xml: String, unnested: [String] = []) -> (xml: [UInt8], loss: XMLLoss) {
        xml.withBytes { source in
            var repair = XMLRepair(source: source, unnested: Set(unnested.map { FNV1a.hash(of: $0.utf8) }))
            repair.run()
            return (repair.output, repair.loss)
        }
    }

    private init(source: UnsafeBufferPointer<UInt8>, unnested: Set<UInt64>) {
        self.source = source
        self.unnested = unnested
        output.reserveCapacity(source.count + source.count / 16)
    }

    private mutating func run() {
        // Text of nothing but `&` would grow fivefold.
        let longest = 2 * source.count + (1 << 16)
        while index < source.count, !isOver, output.count < longest {
            switch source[index] {
            case UInt8(ascii: "<") where index < textEnd: takeLiteral()
            case UInt8(ascii: "<"): takeMarkup()
            case UInt8(ascii: "&") where !open.isEmpty: takeReference()
            default: takeText()
            }
        }
        if index < source.count, !isOver { loss.isCut = true }
        loss.isTruncated = !isOver && !loss.isCut && !open.isEmpty
        while !open.isEmpty { closeLast() }
    }

    // MARK: Text

    /// Copies text. Text outside of the root element is dropped.
    private mutating func takeText() {
        let start = index
        while index < source.count, source[index] != UInt8(ascii: "<"), source[index] != UInt8(ascii: "&") {
            index += 1
        }
        if index == start { index += 1 }
        if !open.isEmpty { append(plain: start..<index) }
    }

    /// The length in bytes of a character that XML forbids: a control, U+FFFE or U+FFFF
    /// (https://www.w3.org/TR/xml/#charsets). 0 if there is none at an index.
    private func forbidden(at position: Int) -> Int {
        switch source[position] {
        case 0x09, 0x0a, 0x0d: return 0
        case ..<0x20: return 1
        case 0xef:
            guard position + 2 < source.count, source[position + 1] == 0xbf else { return 0 }
            return source[position + 2] >= 0xbe ? 3 : 0
        default: return 0
        }
    }

    /// Copies text, with a space for each character that XML forbids.
    private mutating func append(plain range: Range<Int>) {
        var start = range.lowerBound
        for position in range where position >= start {
            let length = forbidden(at: position)
            guard length > 0 else { continue }
            output.append(contentsOf: source[start..<position])
            output.append(0x20)
            start = min(position + length, range.upperBound)
        }
        if start < range.upperBound { output.append(contentsOf: source[start..<range.upperBound]) }
    }

    /// Copies text in which `&`, `<` and `>` are literal characters.
    private mutating func append(literal range: Range<Int>) {
        var start = range.lowerBound
        for position in range {
            let replacement: StaticString
            switch source[position] {
            case UInt8(ascii: "&"): replacement = "&amp;"
            case UInt8(ascii: "<"): replacement = "&lt;"
            case UInt8(ascii: ">"): replacement = "&gt;"
            default: continue
            }
            append(plain: start..<position)
            append(replacement)
            start = position + 1
        }
        append(plain: start..<range.upperBound)
    }

    private mutating func append(_ text: StaticString) {
        output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Replaces a reference by its character, or escapes an `&` that begins none.
    private mutating func takeReference() {
        let (end, characters) = HTMLReferences.characters(in: source, at: index)
        output.append(contentsOf: PlainText.escaped(characters).utf8)
        index = end
    }

    // MARK: Markup

    /// Reads the markup that begins with the "<" at `index`.
    private mutating func takeMarkup() {
        let rest = source[index...]
        switch rest.dropFirst().first {
        case UInt8(ascii: "!") where rest.starts(with: "<!--".utf8):
            index = source.index(after: "-->", from: index + 4)
        case UInt8(ascii: "!") where rest.starts(with: "<![CDATA[".utf8):
            let start = index + 9
            index = source.index(after: "]]>", from: start)
            let isEnded = index - start >= 3 && source[..<index].suffix(3).elementsEqual("]]>".utf8)
            if !open.isEmpty { append(literal: start..<(isEnded ? index - 3 : index)) }
        case UInt8(ascii: "!") where open.isEmpty: skipDeclaration()
        case UInt8(ascii: "?"): index = source.index(after: "?>", from: index + 2)
        case UInt8(ascii: "/"): takeEndTag()
        default:
            if !takeStartTag() { takeLiteral() }
        }
    }

    /// Takes a "<" that is a character.
    private mutating func takeLiteral() {
        if !open.isEmpty { append("&lt;") }
        index += 1
    }

    private mutating func skipDeclaration() {
        var isInside = false
        var quote: UInt8?
        index += 2
        while index < source.count {
            let byte = source[index]
            index += 1
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): isInside = true
            case UInt8(ascii: "]"): isInside = false
            case UInt8(ascii: ">") where !isInside: return
            default: break
            }
        }
    }

    private mutating func takeEndTag() {
        let name = self.name(at: index + 2)
        let hash = FNV1a.hash(of: source[name])
        index =
            source[name.upperBound...].firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
            .map { source[$0] == UInt8(ascii: ">") ? $0 + 1 : $0 } ?? source.count
        guard counts[hash, default: 0] > 0 else { return }
        close(through: hash)
    }

    private mutating func close(through hash: UInt64) {
        while let last = open.last {
            closeLast()
            if last.hash == hash { break }
        }
        if open.isEmpty { isOver = true }
    }

    private mutating func closeLast() {
        let last = open.removeLast()
        counts[last.hash, default: 1] -= 1
        namespaces -= last.namespaces
        guard last.isWritten else { return }
        written -= 1
        append("</")
        output.append(contentsOf: source[last.name])
        append(">")
    }

    private struct StartTag {
        let name: Range<Int>
        let hash: UInt64
        /// As they are written to the output, each with a space before it.
        var attributes: [UInt8] = []
        var namespaces = 0
        var isEmpty: Bool
        /// The index of its ">"; nil if the document ends before that.
        var end: Int?
    }

    /// - Returns: False if the "<" at `index` begins no tag.
    private mutating func takeStartTag() -> Bool {
        guard let tag = startTag(at: index) else { return false }
        if known.count > Self.mostNames { stop() }
        guard let end = tag.end, !isOver else {
            index = source.count
            return true
        }
        index = end + 1
        if unnested.contains(tag.hash), counts[tag.hash, default: 0] > 0 {
            close(through: tag.hash)
            // The document goes on, even if that closed its root.
            isOver = false
        }
        let isWritten = written < Self.deepest
        if isWritten {
            append("<")
            output.append(contentsOf: source[tag.name])
            output.append(contentsOf: tag.attributes)
            append(tag.isEmpty ? "/>" : ">")
        } else {
            loss.isTooDeep = true
        }
        if tag.isEmpty {
            if open.isEmpty { isOver = true }
            return true
        }
        open.append(Open(hash: tag.hash, name: tag.name, isWritten: isWritten, namespaces: tag.namespaces))
        counts[tag.hash, default: 0] += 1
        namespaces += tag.namespaces
        if isWritten { written += 1 }
        if open.count >= Self.mostOpen { stop() }
        return true
    }

    private mutating func stop() {
        isOver = true
        loss.isCut = true
    }

    /// Nil if the "<" at `start` begins no start tag.
    private mutating func startTag(at start: Int) -> StartTag? {
        let name = self.name(at: start + 1)
        guard let first = name.first.map({ source[$0] }), first > 0x39, first != UInt8(ascii: ":"), name.count <= 256
        else { return nil }
        let hash = FNV1a.hash(of: source[name])
        known.insert(hash)
        var tag = StartTag(name: name, hash: hash, isEmpty: XMLRepair.void.contains(hash))
        var names: [UInt64] = []
        var position = name.upperBound
        while true {
            while position < source.count, source[position] <= 0x20 { position += 1 }
            guard position < source.count else { return tag }
            switch source[position] {
            case UInt8(ascii: ">"):
                tag.end = position
                return tag
            case UInt8(ascii: "<"):
                // A tag may begin inside of one that is broken, as long as that does not cost too much.
                reread += position - start
                if reread > source.count { textEnd = position }
                return nil
            case UInt8(ascii: "/"):
                position += 1
                if position < source.count, source[position] == UInt8(ascii: ">") { tag.isEmpty = true }
                continue
            default: break
            }
            let attribute = self.name(at: position)
            guard !attribute.isEmpty else {
                position += 1
                continue
            }
            let value = self.value(after: attribute.upperBound)
            position = value.end
            let isNamespace = source[attribute].starts(with: "xmlns".utf8)
            guard source[attribute.lowerBound] > 0x39, attribute.count <= 256, value.range.count <= Self.longestValue,
                names.count < Self.mostAttributes, !isNamespace || namespaces + tag.namespaces < Self.mostNamespaces,
                case let hash = FNV1a.hash(of: source[attribute]), !names.contains(hash)
            else { continue }
            names.append(hash)
            known.insert(hash)
            if isNamespace {
                tag.namespaces += 1
                known.insert(FNV1a.hash(of: source[value.range]))
            }
            append(attribute, value.range, to: &tag.attributes)
        }
    }

    /// The range of a name, by approximate rules.
    private func name(at start: Int) -> Range<Int> {
        let start = min(start, source.count)
        let end = source[start...].firstIndex { byte in
            !byte.isASCIIAlphanumeric && byte < 0x80 && !Self.nameMarks.contains(byte)
        }
        return start..<(end ?? source.count)
    }

    private static let nameMarks = Array("-_.:".utf8)

    /// The value of an attribute: with quotes, without, or none.
    private func value(after start: Int) -> (range: Range<Int>, end: Int) {
        func word(_ start: Int) -> Int { source[start...].firstIndex { $0 > 0x20 } ?? source.count }
        let sign = word(start)
        guard sign < source.count, source[sign] == UInt8(ascii: "=") else { return (start..<start, start) }
        let begin = word(sign + 1)
        guard begin < source.count else { return (begin..<begin, begin) }
        let quote = source[begin]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let end = source[(begin + 1)...].firstIndex(of: quote)
        {
            return (begin + 1..<end, end + 1)
        }
        let end = source[begin...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ">") } ?? source.count
        return (begin..<end, end)
    }

    private func append(_ name: Range<Int>, _ value: Range<Int>, to tag: inout [UInt8]) {
        tag.append(0x20)
        tag.append(contentsOf: source[name])
        tag.append(contentsOf: "=\"".utf8)
        var position = value.lowerBound
        while position < value.upperBound {
            let byte = source[position]
            position += 1
            switch byte {
            case UInt8(ascii: "&"):
                let (end, characters) = HTMLReferences.characters(in: source, at: position - 1)
                tag.append(contentsOf: PlainText.escaped(characters).utf8)
                position = end
            case UInt8(ascii: "<"): tag.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: "\""): tag.append(contentsOf: "&quot;".utf8)
            case 0..<0x20: tag.append(0x20)
            case 0xef where forbidden(at: position - 1) > 0:
                tag.append(0x20)
                position += 2
            default: tag.append(byte)
            }
        }
        tag.append(UInt8(ascii: "\""))
    }

    /// Elements of HTML that never have an end tag, and that no feed uses for something else.
    private static let void = Set(["br", "hr", "img", "input", "wbr", "area", "col"].map { FNV1a.hash(of: $0.utf8) })
}
