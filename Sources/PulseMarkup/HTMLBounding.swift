import Foundation
import PulseText

/// The second pass over HTML shortens tags, because libxml2 compares each attribute of a tag with all earlier ones. The
/// limits are larger than any page needs.
package enum HTMLBounding {
    static let mostAttributes = 64
    /// In bytes, of a name, and of all attributes together. A data: URL may have a megabyte, and is not text.
    static let longestTag = 4096

    /// - Parameter html: UTF-8, prepared by `HTMLReferences`.
    /// - Returns: The HTML with short tags, and without the delimiters of CDATA sections.
    package static func bounded(_ html: [UInt8]) -> [UInt8] {
        if !mayNeedBounding(html) { return html }
        return html.withUnsafeBufferPointer { html in
            var bounded: [UInt8] = []
            bounded.reserveCapacity(html.count)
            var index = 0
            var isInCDATA = false
            while index < html.count {
                let start = html[index...].firstIndex(of: UInt8(ascii: "<")) ?? html.count
                let text = html[index..<start]
                if isInCDATA, let end = text.firstRange(of: cdataEnd) {
                    bounded.append(contentsOf: text[..<end.lowerBound])
                    index = end.upperBound
                    isInCDATA = false
                    continue
                }
                bounded.append(contentsOf: text)
                guard start < html.count else { break }
                if html[start...].starts(with: cdataStart) {
                    isInCDATA = true
                    index = start + cdataStart.count
                } else {
                    index = append(html, tagAt: start, to: &bounded)
                }
            }
            return bounded
        }
    }

    /// False for most articles, which have neither a long tag nor CDATA.
    private static func mayNeedBounding(_ html: [UInt8]) -> Bool {
        var start = html.count
        for index in html.indices {
            if html[index] == UInt8(ascii: "<") {
                start = index
                if index + 2 < html.count, html[index + 1] == cdataStart[1], html[index + 2] == cdataStart[2] {
                    return true
                }
            } else if html[index] == UInt8(ascii: ">"), index > start + 2 * mostAttributes {
                return true
            }
        }
        return html.count > start + 2 * mostAttributes
    }

    private static let cdataStart = Array("<![CDATA[".utf8)
    private static let cdataEnd = Array("]]>".utf8)

    /// Appends a start tag without its ">", or a "<" that begins none.
    /// - Returns: The index to continue at.
    private static func append(_ html: UnsafeBufferPointer<UInt8>, tagAt start: Int, to bounded: inout [UInt8]) -> Int {
        var index = start + 1
        guard index < html.count, html[index].isASCIILetter else {
            bounded.append(html[start])
            return index
        }
        func isPast(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") }
        func skip(while isSkipped: (UInt8) -> Bool) { while index < html.count, isSkipped(html[index]) { index += 1 } }
        skip { !isPast($0) && $0 != UInt8(ascii: "<") }
        bounded.append(contentsOf: html[start..<min(index, start + longestTag)])
        var attributes = 0
        var budget = longestTag
        while index < html.count, html[index] != UInt8(ascii: ">"), html[index] != UInt8(ascii: "<") {
            let attribute = index
            skip { $0 <= 0x20 || $0 == UInt8(ascii: "/") }
            let name = index
            skip { !isPast($0) && ($0 != UInt8(ascii: "=") || index == name) }
            if index > name { attributes += 1 }
            let nameEnd = index
            skip { $0 <= 0x20 }
            if index < html.count, html[index] == UInt8(ascii: "=") {
                index += 1
                skip { $0 <= 0x20 }
                skipValue(in: html, at: &index)
            } else {
                index = nameEnd
            }
            guard attributes <= mostAttributes, index - attribute <= budget else { continue }
            budget -= index - attribute
            bounded.append(contentsOf: html[attribute..<index])
        }
        return index
    }

    /// Skips the value of an attribute, by HTML's rules.
    private static func skipValue(in html: UnsafeBufferPointer<UInt8>, at index: inout Int) {
        guard index < html.count else { return }
        let quote = html[index]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            index = html[(index + 1)...].firstIndex(of: quote).map { $0 + 1 } ?? html.count
        } else {
            while index < html.count, html[index] > 0x20, html[index] != UInt8(ascii: ">") { index += 1 }
        }
    }
}

/// Shows the text that an invisible element hides if it is never closed. `The <select> element` is a text about HTML.
enum HTMLUnclosed {
    /// - Parameter html: UTF-8.
    /// - Returns: The HTML with the tag of such an element as text, or without it if it has attributes, ends itself or
    ///   strikes words out.
    static func shown(_ html: [UInt8]) -> [UInt8] {
        html.withUnsafeBufferPointer { source in
            let tags = unclosed(in: source)
            guard !tags.isEmpty else { return html }
            let lastClose = source.lastIndex(of: UInt8(ascii: ">")) ?? 0
            var shown: [UInt8] = []
            shown.reserveCapacity(html.count + 3 * tags.count)
            var index = 0
            for tag in tags where tag.start >= index {
                shown.append(contentsOf: source[index..<tag.start])
                var end = tag.nameEnd
                while end < source.count, source[end] <= 0x20 || source[end] == UInt8(ascii: "/") { end += 1 }
                let name = String(decoding: source[(tag.start + 1)..<tag.nameEnd], as: UTF8.self).lowercased()
                let isDropped =
                    HTMLElements.struck.contains(name) || source[tag.nameEnd..<end].contains(UInt8(ascii: "/"))
                if end <= lastClose, isDropped || source[end] != UInt8(ascii: ">") && source[end] != UInt8(ascii: "!") {
                    index = source.index(after: ">", from: end)
                } else {
                    shown.append(contentsOf: "&lt;".utf8)
                    index = tag.start + 1
                }
            }
            shown.append(contentsOf: source[index...])
            return shown
        }
    }

    private typealias Tag = (start: Int, nameEnd: Int)

    /// The start tags of invisible elements, and the beginnings of comments, that are never closed.
    private static func unclosed(in html: UnsafeBufferPointer<UInt8>) -> [Tag] {
        var open: [UInt64: [Tag]] = [:]
        // The index of the last "-->", which is looked for when the first comment begins.
        var commentEnd: Int?
        var index = 0
        while index < html.count, let base = html.baseAddress, let mark = memchr(base + index, 0x3c, html.count - index)
        {
            let start = UnsafeRawPointer(mark) - UnsafeRawPointer(base)
            index = start + 1
            if html[index...].starts(with: "!--".utf8) {
                let end =
                    commentEnd
                    ?? html.indices.last { html[$0] == UInt8(ascii: "-") && html[$0...].starts(with: "-->".utf8) } ?? 0
                commentEnd = end
                if start + 2 <= end {
                    index = html.index(after: "-->", from: start + 2)
                } else {
                    open[0, default: []].append((start, start + 1))
                }
                continue
            }
            let isEnd = index < html.count && html[index] == UInt8(ascii: "/")
            if isEnd { index += 1 }
            let name = index
            while index < html.count, html[index].isASCIIAlphanumeric { index += 1 }
            guard index > name, index - name <= 10 else { continue }
            let hash = FNV1a.hash(of: html[name..<index].lazy.map(\.asciiLowercased))
            guard invisible.contains(hash) else { continue }
            if isEnd { open[hash] = nil } else { open[hash, default: []].append((start, index)) }
        }
        return open.values.joined().sorted { $0.start < $1.start }
    }

    private static let invisible = Set(HTMLElements.invisible.map { FNV1a.hash(of: $0.utf8) })
}

/// For HTML nested too deeply for the parser: drops every tag but the boundaries of blocks.
enum HTMLFlattening {
    /// - Parameter html: UTF-8, prepared by `HTMLReferences`.
    /// - Returns: The text with no tags but `<p>` and `<br>`, and without the content of invisible elements.
    static func flatten(_ html: [UInt8]) -> [UInt8] {
        html.withUnsafeBufferPointer { html in
            var flat: [UInt8] = []
            var index = 0
            // The name of the enclosing invisible element, until its end tag.
            var hiddenBy: String?
            while index < html.count {
                guard html[index] == UInt8(ascii: "<"), let tag = HTMLTag(in: html, at: index) else {
                    if hiddenBy == nil { flat.append(html[index]) }
                    index += 1
                    continue
                }
                index = end(of: tag, in: html)
                if let name = hiddenBy {
                    if tag.isEnd, tag.name == name { hiddenBy = nil }
                } else if HTMLElements.invisible.contains(tag.name), !tag.isEnd {
                    hiddenBy = tag.name
                } else if tag.name == "br" {
                    flat.append(contentsOf: "<br>".utf8)
                } else if HTMLElements.blocks.contains(tag.name) {
                    flat.append(contentsOf: "<p>".utf8)
                }
            }
            return flat
        }
    }

    /// The index after the ">" of a tag or the "-->" of a comment; the end of the text if there is none.
    private static func end(of tag: HTMLTag, in html: UnsafeBufferPointer<UInt8>) -> Int {
        let isComment = tag.name.isEmpty && html[tag.nameEnd...].starts(with: "!--".utf8)
        return isComment ? html.index(after: "-->", from: tag.nameEnd + 1) : html.index(after: ">", from: tag.nameEnd)
    }
}
