import Foundation

/// A value that is kept as a JSON file of the state folder.
struct StateFile<Value: Codable> {
    let folder: StateFolder
    let name: String

    /// The value; nil where there is none. A file that cannot be understood is set aside under another name: none of
    /// these values is worth a night without mail.
    func read() throws(Failure) -> Value? {
        guard let bytes = try folder.read(name) else { return nil }
        if let value = try? Self.decoder.decode(Value.self, from: bytes) { return value }
        rename(folder.file(name), folder.file(".\(name).damaged"))
        return nil
    }

    func write(_ value: Value) throws(Failure) {
        guard let bytes = try? Self.encoder.encode(value) else { preconditionFailure("a state that cannot be encoded") }
        try folder.write(bytes + Data("\n".utf8), to: name)
    }

    func remove() throws(Failure) { try folder.remove(name) }

    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
