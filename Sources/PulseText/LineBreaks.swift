/// Which line breaks of a plain text part paragraphs, and which only wrapped a line that was too long.
enum LineBreaks {
    /// Mail and text files are wrapped at some width between these, in columns.
    private static let widths = 40...120

    /// - Parameter text: tidy: no white space but single spaces, line feeds, and no more than two of these in a row.
    /// - Returns: the text with a space for each line feed that wraps a line, and two for each that parts paragraphs.
    static func settled(in text: String) -> String {
        var text = text
        let settled: [UInt8] = text.withUTF8 { bytes in
            var settled: [UInt8] = []
            settled.reserveCapacity(bytes.count + bytes.count / 16)
            var block: [Range<Int>] = []
            var index = 0
            while index < bytes.count {
                let end = bytes[index...].firstIndex(of: lineFeed) ?? bytes.count
                block.append(index..<end)
                index = end + 1
                guard index >= bytes.count || bytes[index] == lineFeed else { continue }
                if !settled.isEmpty { settled.append(contentsOf: [lineFeed, lineFeed]) }
                append(block, of: bytes, to: &settled)
                block.removeAll(keepingCapacity: true)
                index += 1
            }
            return settled
        }
        return String(decoding: settled, as: UTF8.self)
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")

    /// Lines without a blank one between them.
    private static func append(_ block: [Range<Int>], of bytes: UnsafeBufferPointer<UInt8>, to settled: inout [UInt8]) {
        // A line of one word may be as long as an address is.
        let widest = block.lazy.filter { bytes[$0].contains(space) }.map { columns(bytes[$0]) }.max() ?? 0
        for (number, line) in block.enumerated() {
            settled.append(contentsOf: bytes[line])
            guard number + 1 < block.count else { return }
            let next = bytes[block[number + 1]]
            if widths.contains(widest), wraps(bytes[line], before: next, at: widest) {
                settled.append(space)
            } else {
                settled.append(contentsOf: [lineFeed, lineFeed])
            }
        }
    }

    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    /// Whether the next line's first word had no room on this one, and is no new beginning.
    private static func wraps(_ line: Line, before next: Line, at width: Int) -> Bool {
        let word = next.prefix { $0 != space }
        guard columns(line) + 1 + columns(word) > width, !isItem(word) else { return false }
        // A full stop at the end of a line ends the paragraph, unless it is an abbreviation's.
        let end = String(decoding: line.suffix(40), as: UTF8.self)
        guard let last = end.last, last.isPunctuation else { return true }
        return Sentences.ranges(in: end + " " + String(decoding: next.prefix(40), as: UTF8.self)).count
            == Sentences.ranges(in: end).count
    }

    /// “-”, “•”, “2.”, “3)”: what begins an item of a list.
    private static func isItem(_ word: Line) -> Bool {
        if ["-", "*", "•", "·", "▪", "‣", "◦"].contains(where: { word.elementsEqual($0.utf8) }) { return true }
        guard let last = word.last, last == UInt8(ascii: ".") || last == UInt8(ascii: ")") else { return false }
        return 2...3 ~= word.count && word.dropLast().allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// How wide a line is where letters of East Asia take two columns; marks are counted, as they are few.
    private static func columns(_ line: Line) -> Int {
        line.reduce(0) { $0 + ($1 & 0xc0 == 0x80 ? 0 : $1 >= 0xe3 ? 2 : 1) }
    }
}
