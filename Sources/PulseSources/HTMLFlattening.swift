/// The way out for HTML that nests without end: every tag is dropped but the borders of blocks, which do not nest.
enum HTMLFlattening {
    /// - Parameter html: UTF-8, prepared by `HTMLReferences`.
    /// - Returns: the same text with no tags but `<p>` and `<br>`; what is inside invisible elements is gone.
    static func flatten(_ html: [UInt8]) -> [UInt8] {
        html.withUnsafeBufferPointer { html in
            var flat: [UInt8] = []
            var index = 0
            // The invisible element we are inside of, until its own end tag.
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

    /// After the ">" of a tag or the "-->" of a comment, or the end of the text, where a browser too would look for it.
    private static func end(of tag: HTMLTag, in html: UnsafeBufferPointer<UInt8>) -> Int {
        var index = tag.nameEnd
        let isComment = tag.name.isEmpty && html.dropFirst(index).starts(with: "!--".utf8)
        while index < html.count {
            if html[index] == UInt8(ascii: ">") {
                if !isComment || html[..<index].suffix(2).elementsEqual("--".utf8) { return index + 1 }
            }
            index += 1
        }
        return index
    }
}
