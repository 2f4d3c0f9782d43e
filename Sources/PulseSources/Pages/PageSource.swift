import Foundation
import PulseMarkup

/// A web page's decoded markup, without comments, scripts and styles. They are cut before parsing, because a script may
/// contain what looks like tags.
struct PageSource {
    /// UTF-8.
    let html: [UInt8]
    /// The scripts of the type `application/ld+json`.
    private(set) var linkedData: [[UInt8]] = []

    /// In bytes; the rest of a page is cut off.
    static let longest = 4 << 20
    private static let mostLinkedData = 20

    /// - Parameter contentType: the HTTP header.
    init(_ page: Data, contentType: String?) {
        let page = page.prefix(PageSource.longest)
        var text = Charset.decode(page: page, contentType: contentType)
        var kept: [UInt8] = []
        var linkedData: [[UInt8]] = []
        text.withUTF8 { bytes in
            kept.reserveCapacity(bytes.count)
            var index = 0
            let lastTagEnd = bytes.lastIndex(of: UInt8(ascii: ">")) ?? 0
            while index < bytes.count {
                let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                kept.append(contentsOf: bytes[index..<start])
                guard start < bytes.count else { break }
                index = PageSource.pass(bytes, at: start, lastTagEnd: lastTagEnd, &kept, &linkedData)
            }
        }
        html = kept
        self.linkedData = linkedData
    }

    /// Elements whose content is not shown as markup.
    private static let cut: Set<String> = [
        "script", "style", "noscript", "template", "svg", "iframe", "textarea", "math", "object", "canvas", "select",
    ]

    /// Processes the markup that begins with the "<" at `start`.
    /// - Returns: the index to continue at.
    private static func pass(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, lastTagEnd: Int, _ kept: inout [UInt8],
        _ linkedData: inout [[UInt8]]
    ) -> Int {
        if bytes[start...].starts(with: "<!--".utf8) {
            return bytes.index(after: "-->", from: start + 4)
        }
        // After the last ">" no tag can be complete; searching for one at each "<" would take quadratic time.
        guard start < lastTagEnd, let tag = HTMLTag(in: bytes, at: start), !tag.isEnd, cut.contains(tag.name),
            let tagEnd = bytes[tag.nameEnd...].firstIndex(of: UInt8(ascii: ">"))
        else {
            kept.append(bytes[start])
            return start + 1
        }
        // Separates the words before and after it.
        kept.append(0x20)
        guard bytes[tagEnd - 1] != UInt8(ascii: "/") || tag.name != "svg" else { return tagEnd + 1 }
        let contentEnd = self.start(ofEndTag: tag.name, in: bytes, from: tagEnd + 1)
        if tag.name == "script", linkedData.count < mostLinkedData,
            String(decoding: bytes[tag.nameEnd..<tagEnd], as: UTF8.self).lowercased().contains("ld+json")
        {
            linkedData.append(Array(bytes[(tagEnd + 1)..<contentEnd]))
        }
        return bytes.index(after: ">", from: contentEnd)
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
}
