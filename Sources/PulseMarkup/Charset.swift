package import Foundation

/// Decodes text whose encoding is unknown or only claimed.
package enum Charset {
    /// Decodes as UTF-16 or UTF-32, by a byte order mark or zero bytes; else as UTF-8 if the bytes are valid; else by
    /// the first name that works; else as UTF-8 with U+FFFD if most of it is valid; else as windows-1252, in which
    /// every byte is a character.
    ///
    /// UTF-8 comes before the names because programs often name a wrong encoding, while text in another encoding is
    /// never valid UTF-8 by accident.
    ///
    /// - Parameter names: Encodings, in any spelling; nil is skipped.
    package static func decode(_ data: Data, named names: [String?]) -> String {
        if let wide = wide(data) { return wide }
        let data = data.starts(with: [0xef, 0xbb, 0xbf]) ? data.dropFirst(3) : data
        let isASCII = data.allSatisfy { $0 < 0x80 }
        // A text that was cut off may end inside a character.
        if !isASCII, let end = (0...3).first(where: { String(validating: data.dropLast($0), as: UTF8.self) != nil }) {
            return String(decoding: data.dropLast(end), as: UTF8.self)
        }
        let names = names.compactMap { $0?.lowercased() }
        for name in names {
            guard let encoding = encodings[name] else { continue }
            if encoding == .windowsCP1252 { return windows1252(data) }
            if let text = String(data: data, encoding: encoding) { return text }
        }
        let repaired = String(decoding: data, as: UTF8.self)
        if isASCII { return repaired }
        // Is this UTF-8 with a few invalid characters, or no UTF-8? More invalid than valid ones decide for the latter.
        var broken = 0
        for scalar in repaired.unicodeScalars where !scalar.isASCII { broken += scalar == "\u{fffd}" ? 1 : -1 }
        return broken > 0 ? windows1252(data) : repaired
    }

    /// Decodes a web page by its `Content-Type`, or by its `<meta>`.
    package static func decode(page: Data, contentType: String?) -> String {
        let front = String(decoding: page.prefix(4096), as: UTF8.self)
        return decode(page, named: [contentType ?? "", front].map(name(in:)))
    }

    /// The `charset=` of a `Content-Type`, or of a `<meta>` at the beginning of a page.
    package static func name(in text: String) -> String? { name(after: "charset=", in: text) }

    /// The encoding in `<?xml version="1.0" encoding="…"?>`.
    package static func name(inXML data: Data) -> String? {
        let front = String(decoding: data.prefix(512), as: UTF8.self)
        guard let declaration = front.range(of: "<?xml"), let end = front.range(of: "?>"),
            declaration.upperBound <= end.lowerBound
        else { return nil }
        return name(after: "encoding=", in: String(front[declaration.upperBound..<end.lowerBound]))
    }

    private static func name(after mark: String, in text: String) -> String? {
        guard let mark = text.range(of: mark, options: .caseInsensitive) else { return nil }
        let name = text[mark.upperBound...].drop { "\"' ".contains($0) }
            .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        return name.isEmpty ? nil : name.lowercased()
    }

    /// UTF-16 or UTF-32, recognised by a byte order mark or by zero bytes around the first character, which is ASCII in
    /// every format that is read here; nil for neither.
    private static func wide(_ data: Data) -> String? {
        let front = Array(data.prefix(4))
        guard front.count == 4 else { return nil }
        switch (front[0], front[1], front[2], front[3]) {
        case (0xff, 0xfe, 0, 0), (1..., 0, 0, 0): return String(data: data, encoding: .utf32LittleEndian).map(unmarked)
        case (0, 0, 0xfe, 0xff), (0, 0, 0, 1...): return String(data: data, encoding: .utf32BigEndian).map(unmarked)
        case (0xff, 0xfe, _, _), (1..., 0, _, _): return unmarked(utf16(data) { UInt16($1) << 8 | UInt16($0) })
        case (0xfe, 0xff, _, _), (0, 1..., _, _): return unmarked(utf16(data) { UInt16($0) << 8 | UInt16($1) })
        default: return nil
        }
    }

    private static func utf16(_ data: Data, _ unit: (UInt8, UInt8) -> UInt16) -> String {
        data.withUnsafeBytes { bytes in
            let units = (0..<bytes.count / 2).map { unit(bytes[2 * $0], bytes[2 * $0 + 1]) }
            return String(decoding: units, as: UTF16.self)
        }
    }

    private static func unmarked(_ text: String) -> String {
        text.unicodeScalars.first == "\u{feff}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    private static func windows1252(_ data: Data) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(data.count + data.count / 8)
        for byte in data {
            if byte < 0x80 {
                text.append(byte)
            } else {
                let scalar = byte < 0xa0 ? HTMLReferences.windows1252(byte) : Unicode.Scalar(byte)
                text.append(contentsOf: String(scalar).utf8)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The labels of https://encoding.spec.whatwg.org, which decodes ISO 8859-1 as windows-1252 and GB2312 as GB18030,
    /// because those contain them.
    private static let encodings: [String: String.Encoding] = {
        // Encodings without a name in Foundation: CFStringEncodings with the mark of NSStringEncoding.
        func other(_ number: UInt) -> String.Encoding { String.Encoding(rawValue: 0x8000_0000 | number) }
        var encodings: [String: String.Encoding] = [
            "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "windows-1253": .windowsCP1253,
            "windows-1254": .windowsCP1254, "iso-8859-9": .windowsCP1254, "iso-8859-2": .isoLatin2,
            "shift_jis": .shiftJIS, "shift-jis": .shiftJIS, "sjis": .shiftJIS, "windows-31j": .shiftJIS,
            "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP, "gb18030": other(0x632), "gb2312": other(0x632),
            "gbk": other(0x632), "big5": other(0xa03), "euc-kr": other(0x940), "ks_c_5601-1987": other(0x940),
            "koi8-r": other(0xa02), "koi8-u": other(0xa08), "tis-620": other(0x41d), "windows-874": other(0x41d),
            "windows-1255": other(0x505), "windows-1256": other(0x506), "windows-1257": other(0x507),
            "windows-1258": other(0x508),
        ]
        for name in ["iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "windows-1252", "cp1252", "us-ascii", "ascii"] {
            encodings[name] = .windowsCP1252
        }
        for part: UInt in [3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16] { encodings["iso-8859-\(part)"] = other(0x200 + part) }
        return encodings
    }()
}
