import PulseMarkup
import PulseText

/// What somebody wrote in a mail, without its headers and without what it quotes.
enum MailText {
    /// - Returns: The text itself if it is no mail; with the quotations if the mail has nothing else. Nil if the mail
    ///   is encoded or has parts.
    static func story(in text: String) -> String? {
        text.withBytes { bytes in
            guard let body = body(of: bytes) else { return nil }
            let front = body.startIndex > 0 ? String(decoding: body, as: UTF8.self) : text
            // In HTML, ">" may begin a line too.
            guard !HTMLText.isMarkup(front) else { return front }
            return unquoted(body) ?? front
        }
    }

    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    private static let lineFeed = UInt8(ascii: "\n")

    /// What follows the headers (RFC 5322); everything if there are none.
    private static func body(of bytes: UnsafeBufferPointer<UInt8>) -> Line? {
        var names: Set<String> = []
        var isEncoded = false
        var index = 0
        while index < bytes.count {
            let line = line(of: bytes[...], at: index)
            index = line.endIndex + 1
            if line.allSatisfy(\.isASCIISpace) { break }
            let name = line.prefix { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
            // A header may go on in lines that begin with a space; a mailbox puts “From ana@…” before each mail.
            if !names.isEmpty, name.isEmpty, line.first?.isASCIISpace == true { continue }
            if names.isEmpty, line.starts(with: "From ".utf8) { continue }
            guard !name.isEmpty, line.dropFirst(name.count).first == UInt8(ascii: ":") else { return bytes[...] }
            names.insert(String(decoding: name, as: UTF8.self).lowercased())
            let value = String(decoding: line.prefix(100), as: UTF8.self).lowercased()
            isEncoded =
                isEncoded || value.hasPrefix("content-type: multipart/")
                || ["quoted-printable", "base64"].contains { value.hasPrefix("content-transfer-encoding: \($0)") }
        }
        guard names.contains("from"), !names.isDisjoint(with: ["subject", "date", "message-id"]) else {
            return bytes[...]
        }
        return isEncoded ? nil : bytes[min(index, bytes.count)...]
    }

    /// The body without quoted lines, which begin with ">", and without the lines that say who wrote them; nil if
    /// nothing is left.
    private static func unquoted(_ body: Line) -> String? {
        var kept: [UInt8] = []
        var isQuoted = false
        var index = body.startIndex
        while index < body.endIndex {
            let line = line(of: body, at: index)
            index = line.endIndex + 1
            if line.first == UInt8(ascii: ">") {
                if !isQuoted { removeAttribution(from: &kept) }
                isQuoted = true
            } else {
                if !line.allSatisfy(\.isASCIISpace) { isQuoted = false }
                kept.append(contentsOf: line)
            }
            kept.append(lineFeed)
        }
        return kept.allSatisfy(\.isASCIISpace) ? nil : String(decoding: kept, as: UTF8.self)
    }

    /// “On Friday, 20 November 2026, Ana Reis <ana@herald.example> wrote:”, in one line or two.
    private static func removeAttribution(from text: inout [UInt8]) {
        let end = text.lastIndex { !$0.isASCIISpace } ?? 0
        guard text[..<min(end + 1, text.count)].last == UInt8(ascii: ":") else { return }
        var start = lineStart(in: text, before: end)
        if !text[start...].contains(where: \.isASCIIDigit) {
            guard start > 0 else { return }
            start = lineStart(in: text, before: start - 1)
            guard text[start...].contains(UInt8(ascii: "@")) else { return }
        }
        text.removeSubrange(start...)
    }

    private static func lineStart(in text: [UInt8], before end: Int) -> Int {
        text[..<end].lastIndex(of: lineFeed).map { $0 + 1 } ?? 0
    }

    private static func line(of bytes: Line, at start: Int) -> Line {
        bytes[start..<(bytes[start...].firstIndex(of: lineFeed) ?? bytes.endIndex)]
    }
}
