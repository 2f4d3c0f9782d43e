import Foundation
import PulseMarkup

/// The markup of a web page, decoded, and without what never is text: comments, scripts, styles. They are cut before the
/// page is parsed, because what stands in a script may look like tags.
struct PageSource {
    /// UTF-8.
    let html: [UInt8]
    /// What stands in scripts of the type `application/ld+json`, where publishers describe the article.
    private(set) var linkedData: [[UInt8]] = []

    /// In bytes; the rest of a page is cut off.
    static let longest = 4 << 20
    private static let mostLinkedData = 20

    /// - Parameter contentType: the HTTP header.
    init(_ page: Data, contentType: String?) {
        var text = PageSource.decoded(page.prefix(PageSource.longest), contentType: contentType)
        var kept: [UInt8] = []
        var linkedData: [[UInt8]] = []
        text.withUTF8 { bytes in
            kept.reserveCapacity(bytes.count)
            var index = 0
            while index < bytes.count {
                let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                kept.append(contentsOf: bytes[index..<start])
                guard start < bytes.count else { break }
                index = PageSource.pass(bytes, at: start, &kept, &linkedData)
            }
        }
        html = kept
        self.linkedData = linkedData
    }

    /// Elements whose content is no markup that anybody sees.
    private static let cut: Set<String> = [
        "script", "style", "noscript", "template", "svg", "iframe", "textarea", "math", "object", "canvas", "select",
    ]

    /// Takes what begins with the "<" at `start`.
    /// - Returns: where to go on.
    private static func pass(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ kept: inout [UInt8], _ linkedData: inout [[UInt8]]
    ) -> Int {
        if bytes[start...].starts(with: "<!--".utf8) {
            return index(after: "-->", in: bytes, from: start + 4)
        }
        guard let tag = HTMLTag(in: bytes, at: start), !tag.isEnd, cut.contains(tag.name),
            let tagEnd = bytes[tag.nameEnd...].firstIndex(of: UInt8(ascii: ">"))
        else {
            kept.append(bytes[start])
            return start + 1
        }
        // A space, so that the words before and behind it stay two.
        kept.append(0x20)
        guard bytes[tagEnd - 1] != UInt8(ascii: "/") || tag.name != "svg" else { return tagEnd + 1 }
        let contentEnd = self.start(ofEndTag: tag.name, in: bytes, from: tagEnd + 1)
        if tag.name == "script", linkedData.count < mostLinkedData,
            String(decoding: bytes[tag.nameEnd..<tagEnd], as: UTF8.self).lowercased().contains("ld+json")
        {
            linkedData.append(Array(bytes[(tagEnd + 1)..<contentEnd]))
        }
        return index(after: ">", in: bytes, from: contentEnd)
    }

    /// The end of the text where the mark does not follow, as browsers have it.
    private static func index(after mark: StaticString, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let mark = UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
        var index = start
        while let first = bytes[min(index, bytes.count)...].firstIndex(of: mark[0]) {
            if bytes[first...].starts(with: mark) { return first + mark.count }
            index = first + 1
        }
        return bytes.count
    }

    private static func start(
        ofEndTag name: String, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int {
        var index = start
        while let next = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            if next + 1 < bytes.count, bytes[next + 1] == UInt8(ascii: "/"), let tag = HTMLTag(in: bytes, at: next),
                tag.name == name
            {
                return next
            }
            index = next + 1
        }
        return bytes.count
    }

    // MARK: Characters

    /// By the byte order mark, the header, the page's own word, and at last by its bytes.
    private static func decoded(_ page: Data, contentType: String?) -> String {
        if page.starts(with: [0xef, 0xbb, 0xbf]) { return String(decoding: page.dropFirst(3), as: UTF8.self) }
        let named = charset(in: contentType ?? "") ?? charset(in: String(decoding: page.prefix(4096), as: UTF8.self))
        if let named, let encoding = encodings[named], let text = String(data: page, encoding: encoding) {
            return text
        }
        if named != nil { return String(decoding: page, as: UTF8.self) }
        // A page that was cut may end in the middle of a character.
        let isUTF8 = (0...3).contains { String(data: page.dropLast($0), encoding: .utf8) != nil }
        if !isUTF8, let text = String(data: page, encoding: .windowsCP1252) { return text }
        return String(decoding: page, as: UTF8.self)
    }

    /// What follows `charset=`, in lower case.
    private static func charset(in text: String) -> String? {
        guard let mark = text.range(of: "charset=", options: .caseInsensitive) else { return nil }
        let name = text[mark.upperBound...].drop { "\"' ".contains($0) }
            .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        return name.isEmpty ? nil : name.lowercased()
    }

    /// By the labels of https://encoding.spec.whatwg.org; what is missing is read as UTF-8.
    private static let encodings: [String: String.Encoding] = [
        "iso-8859-1": .windowsCP1252, "latin1": .windowsCP1252, "windows-1252": .windowsCP1252,
        "cp1252": .windowsCP1252, "us-ascii": .windowsCP1252, "iso-8859-15": .windowsCP1252,
        "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "windows-1253": .windowsCP1253,
        "windows-1254": .windowsCP1254, "iso-8859-9": .windowsCP1254, "iso-8859-2": .isoLatin2,
        "shift_jis": .shiftJIS, "shift-jis": .shiftJIS, "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP,
        "utf-16": .utf16, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
    ]
}
