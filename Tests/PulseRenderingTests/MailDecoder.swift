import Foundation

/// Reads mail as its receiver would: written from the RFCs, apart from what writes it.
enum MailDecoder {
    struct Malformed: Error { let text: String }

    static func quotedPrintable(_ text: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                bytes.append(byte)
                continue
            }
            guard let next = rest.popFirst() else { throw Malformed(text: text) }
            if next == 0x0a { continue }
            guard let last = rest.popFirst(),
                let value = UInt8(String(decoding: [next, last], as: UTF8.self), radix: 16)
            else { throw Malformed(text: text) }
            bytes.append(value)
        }
        return bytes
    }

    static func encodedWord(_ word: String) throws -> String {
        let fields = word.split(separator: "?", omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0] == "=", fields[4] == "=", fields[1].lowercased() == "utf-8" else {
            throw Malformed(text: word)
        }
        let bytes: [UInt8]
        switch fields[2].lowercased() {
        case "b":
            guard let data = Data(base64Encoded: String(fields[3])) else { throw Malformed(text: word) }
            bytes = Array(data)
        case "q": bytes = try quotedPrintable(String(fields[3]).replacing("_", with: " "))
        default: throw Malformed(text: word)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Malformed(text: word) }
        return text
    }

    /// A field's name and its value, unfolded and decoded.
    static func field(_ text: String) throws -> (name: String, value: String) {
        let unfolded = text.replacing("\n ", with: " ").replacing("\n", with: "")
        guard let colon = unfolded.firstIndex(of: ":") else { throw Malformed(text: text) }
        var value = ""
        var wasEncoded = false
        for word in unfolded[unfolded.index(after: colon)...].split(separator: " ") {
            let isEncoded = word.hasPrefix("=?") && word.hasSuffix("?=")
            // White space between encoded words is no part of the text.
            if !value.isEmpty, !(isEncoded && wasEncoded) { value += " " }
            value += isEncoded ? try encodedWord(String(word)) : String(word)
            wasEncoded = isEncoded
        }
        return (String(unfolded[..<colon]), value)
    }

    /// The fields of a message and its body.
    static func message(_ text: String) throws -> (fields: [(name: String, value: String)], body: String) {
        guard let end = text.firstRange(of: "\n\n") else { throw Malformed(text: text) }
        var fields: [String] = []
        for line in text[..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(" "), !fields.isEmpty {
                fields[fields.count - 1] += "\n" + line
            } else {
                fields.append(String(line))
            }
        }
        return (try fields.map(field), String(text[end.upperBound...]))
    }

    /// The parts of a multipart message, each with its fields and its decoded text.
    static func parts(
        _ message: (fields: [(name: String, value: String)], body: String)
    ) throws -> [(fields: [String], text: String)] {
        let type = message.fields.first { $0.name == "Content-Type" }?.value ?? ""
        guard let boundary = type.firstMatch(of: /boundary="([^"]+)"/)?.output.1 else { throw Malformed(text: type) }
        var parts: [String] = []
        for piece in ("\n" + message.body).components(separatedBy: "\n--\(boundary)").dropFirst() {
            if piece.hasPrefix("--") { break }
            parts.append(String(piece.dropFirst()))
        }
        return try parts.map { part in
            guard let end = part.firstRange(of: "\n\n") else { throw Malformed(text: part) }
            let bytes = try quotedPrintable(String(part[end.upperBound...]))
            return (
                part[..<end.lowerBound].split(separator: "\n").map(String.init), String(decoding: bytes, as: UTF8.self)
            )
        }
    }
}
