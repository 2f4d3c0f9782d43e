package import Foundation

/// A JSON object of another program, read leniently: an id may be a number or a string, a flag may be `true`, `1` or
/// `"1"`, and any key may be missing.
package struct JSONObject {
    private let values: [String: Any]

    package init?(_ value: Any?) {
        guard let values = value as? [String: Any] else { return nil }
        self.values = values
    }

    package init?(_ data: Data) { self.init(Self.value(of: data)) }

    /// The JSON value, object or not; nil if the bytes are no JSON. Invalid UTF-8 and unpaired surrogates become
    /// U+FFFD, and a control character in a string a space.
    package static func value(of data: Data) -> Any? {
        func parse(_ data: Data) -> Any? {
            try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        }
        return parse(data) ?? parse(repaired(data))
    }

    /// Valid UTF-8 without what Foundation refuses: unpaired surrogates, which RFC 8259, section 8.2, allows, and
    /// control characters, which many readers accept.
    package static func repaired(_ data: Data) -> Data {
        var bytes = String(decoding: data, as: UTF8.self).utf8.map { max($0, 0x20) }
        /// The UTF-16 code unit of an escape such as `\ud83d`.
        func unit(at index: Int) -> UInt16? {
            guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
            else { return nil }
            return UInt16(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
        }
        var index = 0
        while index < bytes.count {
            guard let first = unit(at: index) else {
                // Any other escape has two bytes, the second of which may be a backslash, too.
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                continue
            }
            if UTF16.isLeadSurrogate(first), let second = unit(at: index + 6), UTF16.isTrailSurrogate(second) {
                index += 6
            } else if UTF16.isSurrogate(first) {
                bytes.replaceSubrange(index + 2..<index + 6, with: "fffd".utf8)
            }
            index += 6
        }
        return Data(bytes)
    }

    /// Sorted, because the order of the text is lost.
    package var keys: [String] { values.keys.sorted() }

    /// Whether there is such a key, whatever its value.
    package func has(_ key: String) -> Bool { values[key] != nil }

    package func value(_ key: String) -> Any? { values[key] }

    /// A string or number as text; nil if it is missing, null, empty, an object or an array.
    package func text(_ key: String) -> String? { Self.text(values[key]) }

    package static func text(_ value: Any?) -> String? {
        switch value {
        case let text as String: text.nonEmpty
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }

    package func number(_ key: String) -> Double? {
        switch values[key] {
        case let number as NSNumber: number.doubleValue
        case let text as String: Double(text.trimmed)
        default: nil
        }
    }

    /// Nil also for a fraction.
    package func integer(_ key: String) -> Int? { text(key).flatMap { Int($0) } }

    /// A number of things; nil also if it is negative, or so large that sums of such numbers could overflow.
    package func count(_ key: String) -> Int? {
        integer(key).flatMap { (0...Int(Int32.max)).contains($0) ? $0 : nil }
    }

    package func flag(_ key: String) -> Bool? { text(key).flatMap(BooleanText.parse) }

    package func object(_ key: String) -> JSONObject? { JSONObject(values[key]) }

    /// The objects of an array; other elements are skipped.
    package func objects(_ key: String) -> [JSONObject] {
        (values[key] as? [Any] ?? []).compactMap { JSONObject($0) }
    }

    /// The strings and numbers of an array; other elements are skipped. A single string counts as an array of one.
    package func texts(_ key: String) -> [String] {
        if let text = values[key] as? String { return [text] }
        return (values[key] as? [Any] ?? []).compactMap { Self.text($0) }
    }
}

/// Booleans as programs write them.
package enum BooleanText {
    package static func parse(_ text: String) -> Bool? {
        switch text.trimmed.lowercased() {
        case "1", "true", "yes", "y", "t": true
        case "0", "false", "no", "n", "f": false
        default: nil
        }
    }
}
