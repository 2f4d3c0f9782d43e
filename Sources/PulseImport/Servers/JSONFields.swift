import Foundation
import PulseCore

/// A JSON object from another program, whose versions differ in what they write: a number may come as a text, a flag as
/// a number, and any key may be missing.
struct JSONFields {
    private let values: [String: Any]

    init?(_ value: Any?) {
        guard let values = value as? [String: Any] else { return nil }
        self.values = values
    }

    func value(_ key: String) -> Any? { values[key] }

    func fields(_ key: String) -> JSONFields? { JSONFields(values[key]) }

    /// The objects of an array; elements that are none are passed over.
    func list(_ key: String) -> [JSONFields] { (values[key] as? [Any])?.compactMap(JSONFields.init) ?? [] }

    /// How many elements an array has, of any kind.
    func count(_ key: String) -> Int { (values[key] as? [Any])?.count ?? 0 }

    /// The texts and numbers of an array, as texts.
    func texts(_ key: String) -> [String] { (values[key] as? [Any])?.compactMap(Self.text) ?? [] }

    /// Nil where the key is missing, or its value is neither a text nor a number.
    func text(_ key: String) -> String? { Self.text(values[key]) }

    func integer(_ key: String) -> Int? {
        switch values[key] {
        case let text as String: Int(text)
        case let number as NSNumber: Int(exactly: number.doubleValue.rounded(.down)).map { _ in number.intValue }
        default: nil
        }
    }

    /// Also `1`, `"1"`, `"t"` and `"true"`; false where the key is missing.
    func flag(_ key: String) -> Bool {
        switch values[key] {
        case let number as NSNumber: number.boolValue
        case let text as String: ["1", "t", "true"].contains(text.lowercased())
        default: false
        }
    }

    /// Whether there is such a key, whatever its value.
    func has(_ key: String) -> Bool { values[key] != nil }

    /// Seconds since 1970 or ISO 8601; nil where it is neither, or no time at which anyone can have read something.
    func time(_ key: String, now: Date) -> Date? {
        guard let text = text(key) else { return nil }
        let date = Double(text).map { Date(timeIntervalSince1970: $0) } ?? Timestamp.parse(text, now: now)
        return date.flatMap { Self.isPlausible($0, now: now) ? $0 : nil }
    }

    /// Not before 1995 and not later than tomorrow: clocks that were never set write other times.
    static func isPlausible(_ date: Date, now: Date) -> Bool {
        date.timeIntervalSince1970 >= 788_918_400 && date < now.addingTimeInterval(86_400)
    }

    static func text(_ value: Any?) -> String? {
        switch value {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }
}
