import Foundation

/// Values as the JSON that the store keeps.
enum Payload {
    static func text(_ value: some Encodable) -> String? {
        let encoder = JSONEncoder()
        // The same value is the same text, of which a hash can be taken.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// Nil where the text is not that of such a value: damaged, or of another form.
    static func value<Value: Decodable>(_ type: Value.Type, from text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
