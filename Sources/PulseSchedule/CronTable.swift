import Foundation

/// A crontab's bytes, in which an entry of ours stands between two comment lines. What is not ours stays as it is, to
/// the byte.
struct CronTable: Sendable, Hashable {
    let bytes: Data
    /// Where our blocks are, each from its first byte up to the first that is not its own.
    private let blocks: [Block]

    private struct Block: Hashable {
        let range: Range<Int>
        let entry: String
        /// Whether the line before had no end until ours came.
        let hasAddedLineEnd: Bool
    }

    /// Throws `.malformed` where the comment lines do not pair.
    init(_ bytes: Data) throws(ScheduleError) {
        self.bytes = Data(bytes)
        blocks = try Self.blocks(in: self.bytes)
    }

    /// The line that cron reads; nil where there is none of ours.
    var entry: String? { blocks.first?.entry }

    /// What the last CRON_TZ above our entry, or above where it will stand, is set to.
    var zoneName: String? {
        let above = bytes.prefix(blocks.first?.range.lowerBound ?? bytes.count)
        var name: String?
        for line in String(decoding: above, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2, parts[0] == "CRON_TZ" {
                name = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
            }
        }
        return name
    }

    /// With this entry in place of ours, where there is one, and otherwise at the end.
    func installing(_ entry: String) -> Data {
        guard let first = blocks.first else {
            let isOpen = bytes.last.map { $0 != Self.lineFeed } ?? false
            return bytes + Data(((isOpen ? "\n" : "") + Self.block(entry, hasAddedLineEnd: isOpen)).utf8)
        }
        var new = removing(blocks.dropFirst())
        new.replaceSubrange(
            first.range, with: Data(Self.block(entry, hasAddedLineEnd: first.hasAddedLineEnd).utf8))
        return new
    }

    /// As it was before ours came.
    func removing() -> Data { removing(blocks[...]) }

    private func removing(_ blocks: ArraySlice<Block>) -> Data {
        var new = bytes
        for block in blocks.reversed() {
            let isLast = block.range.upperBound == new.count
            new.removeSubrange(block.range)
            if block.hasAddedLineEnd, isLast { new.removeLast() }
        }
        return new
    }

    // MARK: - The lines

    private static let lineFeed = UInt8(ascii: "\n")
    private static let begin = "# >>> pulse-digest"
    private static let end = "# <<< pulse-digest"
    private static let addedLineEnd = " (the line above had no end)"

    private static func block(_ entry: String, hasAddedLineEnd: Bool) -> String {
        """
        \(begin)\(hasAddedLineEnd ? addedLineEnd : ""): changed by "pulse-digest schedule install", taken away by "schedule remove"
        \(entry)
        \(end)

        """
    }

    private static func blocks(in bytes: Data) throws(ScheduleError) -> [Block] {
        var blocks: [Block] = []
        var opened: (start: Int, hasAddedLineEnd: Bool, entry: String)?
        var start = 0
        while start < bytes.count {
            let stop = bytes[start...].firstIndex(of: lineFeed).map { $0 + 1 } ?? bytes.count
            var text = String(decoding: bytes[start..<stop], as: UTF8.self)[...]
            while text.last?.isNewline == true { text.removeLast() }
            if text.hasPrefix(begin) {
                if opened != nil { throw unpaired }
                opened = (start, text.contains(addedLineEnd), "")
            } else if text == end {
                guard let block = opened else { throw unpaired }
                blocks.append(
                    Block(range: block.start..<stop, entry: block.entry, hasAddedLineEnd: block.hasAddedLineEnd))
                opened = nil
            } else if opened != nil, !text.isEmpty, !text.hasPrefix("#") {
                opened?.entry = String(text)
            }
            start = stop
        }
        if opened != nil { throw unpaired }
        return blocks
    }

    private static let unpaired = ScheduleError(
        .malformed,
        "The crontab has one of the lines “\(begin)” and “\(end)” without the other. Put that right with crontab -e, "
            + "then run this again; nothing was changed.")
}
