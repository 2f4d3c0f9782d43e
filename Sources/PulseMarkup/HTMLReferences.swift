import CXML
import PulseText

/// References to characters, such as `&eacute;`. The first pass over HTML replaces those that libxml2 reads differently
/// from browsers.
package enum HTMLReferences {
    /// - Returns: The HTML in UTF-8, without control characters other than tab and line breaks. The named references
    ///   that are new in HTML 5, and the numeric ones that mean Windows-1252, are replaced by their characters.
    package static func prepare(_ html: String) -> [UInt8] {
        html.withBytes { source in
            var prepared: [UInt8] = []
            prepared.reserveCapacity(source.count)
            var start = 0
            for index in source.indices where source[index] == ampersand || isControl(source[index]) {
                guard index >= start, let (end, text) = replacement(in: source, at: index) else { continue }
                prepared.append(contentsOf: source[start..<index])
                prepared.append(contentsOf: text.utf8)
                start = end
            }
            prepared.append(contentsOf: source[start...])
            return prepared
        }
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0a && byte != 0x0d
    }

    private static let ampersand = UInt8(ascii: "&")
    private static let semicolon = UInt8(ascii: ";")

    /// The replacement for the reference or control character at `start`, and the index after the original; nil to keep
    /// it.
    private static func replacement(in source: UnsafeBufferPointer<UInt8>, at start: Int) -> (end: Int, text: String)? {
        // A NUL would end the document for libxml2.
        guard source[start] == ampersand else { return (start + 1, " ") }
        // The longest name, CounterClockwiseContourIntegral, has 31 letters.
        var end = start + 1
        while end < source.count, end - start <= 32, source[end].isASCIIAlphanumeric || source[end] == UInt8(ascii: "#")
        { end += 1 }
        guard end < source.count, end > start + 1 else { return nil }
        let name = Substring(decoding: source[start + 1..<end], as: UTF8.self)
        if name.first == "#" {
            let isHex = name.dropFirst().prefix(1).lowercased() == "x"
            let front = isHex ? 2 : 1
            let digits = name.dropFirst(front).prefix { isHex ? $0.isHexDigit : $0.isNumber }
            // libxml2 drops a number without digits; a browser shows it.
            guard !digits.isEmpty else { return (start + 1, "&amp;") }
            // Numbers from 0x80 to 0x9F are Windows-1252, as `&#146;` is for an apostrophe:
            // https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state
            guard let code = UInt32(digits, radix: isHex ? 16 : 10), (0x80...0x9f).contains(code) else { return nil }
            // The semicolon may be missing.
            end = start + 1 + front + digits.utf8.count
            return (source[end] == semicolon ? end + 1 : end, String(windows1252(UInt8(code))))
        }
        guard source[end] == semicolon, let text = HTMLEntities.byName[name] else { return nil }
        // A character that would be read as markup stays a reference.
        return (end + 1, PlainText.escaped(text))
    }

    /// The characters of the reference at `start` of an XML document, or `&` if it is none, and the index after it.
    static func characters(in source: UnsafeBufferPointer<UInt8>, at start: Int) -> (end: Int, characters: String) {
        let nothing = (start + 1, "&")
        var end = start + 1
        let isNumber = end < source.count && source[end] == UInt8(ascii: "#")
        if isNumber { end += 1 }
        let nameStart = end
        while end < source.count, end - start <= 32, source[end].isASCIIAlphanumeric { end += 1 }
        guard end > nameStart else { return nothing }
        let name = Substring(decoding: source[nameStart..<end], as: UTF8.self)
        let hasEnd = end < source.count && source[end] == semicolon
        if isNumber {
            let isHex = name.first == "x" || name.first == "X"
            guard let code = UInt32(isHex ? name.dropFirst() : name, radix: isHex ? 16 : 10) else { return nothing }
            return (hasEnd ? end + 1 : end, character(code))
        }
        guard hasEnd else { return nothing }
        // libxml2's table has XML's five references, too.
        if let known = htmlEntityLookup(String(name)), let scalar = Unicode.Scalar(known.pointee.value) {
            return (end + 1, String(scalar))
        }
        return HTMLEntities.byName[name].map { (end + 1, $0) } ?? nothing
    }

    /// The character of a numeric reference; a space if XML has no such character.
    private static func character(_ code: UInt32) -> String {
        switch code {
        case 0x80...0x9f: String(windows1252(UInt8(code)))
        case 0x09, 0x0a, 0x0d, 0x20...0xfffd, 0x10000...0x10ffff: Unicode.Scalar(code).map { String($0) } ?? " "
        default: " "
        }
    }

    /// - Parameter byte: From 0x80 to 0x9f; elsewhere windows-1252 is the same as ISO 8859-1.
    package static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(table[Int(byte) - 0x80]) ?? " "
    }

    private static let table: [UInt16] = [
        0x20ac, 0x0020, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x0020,
        0x017d, 0x0020, 0x0020, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
        0x0153, 0x0020, 0x017e, 0x0178,
    ]
}

/// The named character references of HTML 5 that libxml2's HTML 4 table lacks.
///
/// Source: https://html.spec.whatwg.org/entities.json, the names that end with a semicolon, less the 253 of HTML 4.
/// `Lists/html-entities.txt` has a line for each, with its code points in hexadecimal, joined by "+" if there are
/// two.
enum HTMLEntities {
    /// One or two characters for each name.
    static let byName: [Substring: String] = {
        var byName: [Substring: String] = [:]
        let words = Substring(decoding: PackageResources.html_entities_txt, as: UTF8.self).split(
            whereSeparator: \.isWhitespace)
        byName.reserveCapacity(words.count / 2)
        for pair in 0..<words.count / 2 {
            let scalars = words[2 * pair + 1].split(separator: "+")
                .compactMap { UInt32($0, radix: 16) }.compactMap(Unicode.Scalar.init)
            byName[words[2 * pair]] = String(String.UnicodeScalarView(scalars))
        }
        return byName
    }()
}
