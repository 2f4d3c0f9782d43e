package import Foundation
import PulseText

/// Decodes text whose encoding is unknown or only claimed.
package enum Charset {
    /// Decodes as UTF-16 or UTF-32, by a byte order mark or zero bytes; else as UTF-8 if the bytes are valid; else by
    /// the first label that is known; else as UTF-8 with U+FFFD if most of it is valid; else as windows-1252, in which
    /// every byte is a character. What is invalid becomes U+FFFD; half a character at the end is dropped.
    ///
    /// UTF-8 comes before the labels because programs often name a wrong encoding, while text in another encoding is
    /// never valid UTF-8 by accident.
    ///
    /// - Parameter labels: Of encodings, in any spelling; nil is skipped.
    package static func decode(_ data: Data, named labels: [String?]) -> String {
        if let wide = wide(data) { return wide }
        let data = data.starts(with: [0xef, 0xbb, 0xbf]) ? data.dropFirst(3) : data
        let isASCII = data.allSatisfy { $0 < 0x80 }
        // A text that was cut off may end inside a character.
        if !isASCII, let end = (0...3).first(where: { String(validating: data.dropLast($0), as: UTF8.self) != nil }),
            data.dropLast(end).contains(where: { $0 >= 0x80 })
        {
            return String(decoding: data.dropLast(end), as: UTF8.self)
        }
        for label in labels.compactMap({ $0?.trimmed.lowercased() }) {
            guard let encoding = encodings[label] else { continue }
            // Only ISO-2022-JP, with its escapes, gives ASCII another meaning.
            if isASCII, encoding != ["ISO-2022-JP"] { continue }
            // UTF-16 has zero bytes in every markup. Where there are none, the label is wrong.
            if encoding[0].hasPrefix("UTF"), encoding[0] == "UTF-8" || !data.prefix(1024).contains(0) { continue }
            if let text = text(of: data, in: encoding) { return text }
        }
        let repaired = String(decoding: data, as: UTF8.self)
        if isASCII { return repaired }
        // Is this UTF-8 with a few invalid characters, or no UTF-8? More invalid than valid ones decide for the latter.
        var broken = 0
        for scalar in repaired.unicodeScalars where !scalar.isASCII { broken += scalar == "\u{fffd}" ? 1 : -1 }
        return broken > 0 ? text(of: data, in: ["CP1252"]) ?? repaired : repaired
    }

    /// Decodes a web page by its `Content-Type`, its XML declaration or its `<meta>`.
    package static func decode(page: Data, contentType: String?) -> String {
        decode(page, named: [contentType.flatMap(name), name(inXML: page), name(inPage: page)])
    }

    package static func name(in contentType: String) -> String? { name(after: "charset", in: contentType[...]) }

    /// The label in `<?xml version="1.0" encoding="…"?>`.
    package static func name(inXML data: Data) -> String? {
        let front = String(decoding: data.prefix(512), as: UTF8.self)
        guard let declaration = front.range(of: "<?xml"), let end = front.range(of: "?>"),
            declaration.upperBound <= end.lowerBound
        else { return nil }
        return name(after: "encoding", in: front[declaration.upperBound..<end.lowerBound])
    }

    /// The label in a `<meta>` at the beginning of a page. That of a `<script>` is the encoding of another file.
    private static func name(inPage page: Data) -> String? {
        let front = String(decoding: page.prefix(4096), as: UTF8.self)
        var rest = front[...]
        while let meta = rest.range(of: "<meta", options: .caseInsensitive) {
            rest = rest[meta.upperBound...]
            if let name = name(after: "charset", in: rest.prefix { $0 != ">" && $0 != "<" }) { return name }
        }
        return nil
    }

    private static func name(after mark: String, in text: Substring) -> String? {
        var rest = text
        while let found = rest.range(of: mark, options: .caseInsensitive) {
            rest = rest[found.upperBound...]
            let value = rest.drop(while: \.isWhitespace)
            guard value.first == "=" else { continue }
            let label = value.dropFirst().drop { $0.isWhitespace || "\"'".contains($0) }
                .prefix { !$0.isWhitespace && !"\"';,<>?".contains($0) }
            return label.isEmpty ? nil : String(label)
        }
        return nil
    }

    /// UTF-16 or UTF-32, recognised by a byte order mark or by zero bytes around the first character, which is ASCII in
    /// every format that is read here; nil for neither.
    private static func wide(_ data: Data) -> String? {
        let front = Array(data.prefix(4))
        guard front.count == 4 else { return nil }
        let encoding: String
        switch (front[0], front[1], front[2], front[3]) {
        case (0xff, 0xfe, 0, 0), (1..., 0, 0, 0): encoding = "UTF-32LE"
        case (0, 0, 0xfe, 0xff), (0, 0, 0, 1...): encoding = "UTF-32BE"
        case (0xff, 0xfe, _, _), (1..., 0, _, _): encoding = "UTF-16LE"
        case (0xfe, 0xff, _, _), (0, 1..., _, _): encoding = "UTF-16BE"
        default: return nil
        }
        guard let text = text(of: data, in: [encoding]) else { return nil }
        return text.unicodeScalars.first == "\u{feff}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// Nil if the C library knows none of the names.
    private static func text(of data: Data, in names: [String]) -> String? {
        for name in names {
            if let conversion = CharsetConversion(from: name) { return conversion.text(of: data) }
        }
        return nil
    }

    /// The names that iconv(3) has for an encoding, by the labels of the Encoding Standard in lower case.
    private static let encodings: [String: [String]] = {
        var encodings: [String: [String]] = [:]
        for list in EmbeddedLists.read(PackageResources.charsets_txt) {
            let names = EmbeddedLists.words(in: list.name)
            for label in list.lines.flatMap(EmbeddedLists.words) { encodings[label] = names }
        }
        return encodings
    }()
}

/// A conversion to UTF-8 by iconv(3) of the C library. The value owns its descriptor.
private struct CharsetConversion: ~Copyable {
    private let descriptor: iconv_t
    /// How many bytes to skip if they are no character.
    private let unit: Int
    /// Whether undefined bytes from 0x80 to 0x9f are control characters, as in the Encoding Standard; iconv refuses
    /// them.
    private let hasControls: Bool

    /// Nil if the C library does not know the encoding.
    init?(from name: String) {
        guard let descriptor = iconv_open("UTF-8", name), descriptor != iconv_t(bitPattern: -1) else { return nil }
        self.descriptor = descriptor
        unit = name.hasPrefix("UTF-32") ? 4 : name.hasPrefix("UTF-16") ? 2 : 1
        hasControls = name.hasPrefix("CP12") || name == "CP874"
    }

    deinit { iconv_close(descriptor) }

    func text(of data: Data) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(data.count + data.count / 2)
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 15) { buffer in
            data.withUnsafeBytes { bytes in
                var input = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
                var rest = bytes.count
                while rest > 0 {
                    var output = buffer.baseAddress
                    var room = buffer.count
                    let failure = iconv(descriptor, &input, &rest, &output, &room) == -1 ? errno : 0
                    text.append(contentsOf: UnsafeRawBufferPointer(buffer).prefix(buffer.count - room))
                    // EINVAL: it ends inside a character. E2BIG: the buffer is full.
                    if failure == EINVAL { break }
                    guard failure == EILSEQ, let next = input else { continue }
                    let byte = UInt8(bitPattern: next.pointee)
                    let isControl = hasControls && (0x80..<0xa0).contains(byte)
                    text.append(contentsOf: String(isControl ? Unicode.Scalar(byte) : "\u{fffd}").utf8)
                    input = next + min(unit, rest)
                    rest -= min(unit, rest)
                }
                // Some encodings hold a letter back until it is known that no accent follows.
                var output = buffer.baseAddress
                var room = buffer.count
                iconv(descriptor, nil, nil, &output, &room)
                text.append(contentsOf: UnsafeRawBufferPointer(buffer).prefix(buffer.count - room))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
