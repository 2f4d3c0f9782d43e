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

    /// The index after the ">" of a tag or the "-->" of a comment; the end of the text where there is none.
    private static func end(of tag: HTMLTag, in html: UnsafeBufferPointer<UInt8>) -> Int {
        let isComment = tag.name.isEmpty && html[tag.nameEnd...].starts(with: "!--".utf8)
        return isComment ? html.index(after: "-->", from: tag.nameEnd + 1) : html.index(after: ">", from: tag.nameEnd)
    }
}
