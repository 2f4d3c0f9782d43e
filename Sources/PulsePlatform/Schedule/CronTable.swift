import Foundation
import PulseCore
import PulseText

/// A crontab, with our entry between two comment lines. All other bytes stay unchanged.
struct CronTable: Sendable {
    let bytes: Data
    private let blocks: [Block]

    /// One of our entries, with its comment lines.
    private struct Block {
        let range: Range<Int>
        let lines: [String]
        /// Whether we added a line feed to the line before.
        let hasAddedLineEnd: Bool
    }

    /// Throws `.configuration` if the comment lines are not in pairs.
    init(_ bytes: Data) throws(PulseError) {
        self.bytes = Data(bytes)
        blocks = try Self.blocks(in: self.bytes)
    }

    /// Our line that makes the digest; nil if there is none.
    var entry: String? { blocks.first?.lines.first }
    /// Our line that runs `prepare`; nil if there is none.
    var preparation: String? { blocks.first?.lines.dropFirst().first }

    /// The last CRON_TZ above our entry, or above where it would be added.
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

    /// The crontab with this entry in place of ours, or at its end.
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

    /// The crontab without our entry.
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

    private static func blocks(in bytes: Data) throws(PulseError) -> [Block] {
        var blocks: [Block] = []
        var opened: (start: Int, hasAddedLineEnd: Bool, lines: [String])?
        var start = 0
        while start < bytes.count {
            let stop = bytes[start...].firstIndex(of: lineFeed).map { $0 + 1 } ?? bytes.count
            var text = String(decoding: bytes[start..<stop], as: UTF8.self)[...]
            while text.last?.isNewline == true { text.removeLast() }
            if text.hasPrefix(begin) {
                if opened != nil { throw unpaired }
                opened = (start, text.contains(addedLineEnd), [])
            } else if text == end {
                guard let block = opened else { throw unpaired }
                blocks.append(
                    Block(range: block.start..<stop, lines: block.lines, hasAddedLineEnd: block.hasAddedLineEnd))
                opened = nil
            } else if opened != nil, !text.isEmpty, !text.hasPrefix("#") {
                opened?.lines.append(String(text))
            }
            start = stop
        }
        if opened != nil { throw unpaired }
        return blocks
    }

    private static let unpaired = PulseError(
        .configuration, "The crontab has one of the lines “\(begin)” and “\(end)” without the other.",
        hint: "Put that right with crontab -e, then run this again; nothing was changed.")
}

/// A command's lines in a crontab: one for the digest, and one for `prepare` if wanted.
struct CronEntry: Sendable {
    let text: String

    /// Throws `.usage` if the command is too long for a crontab.
    init(_ command: ScheduledCommand, at time: TimeOfDay) throws(PulseError) {
        let digest = try Self.line("\(time.minute) \(time.hour) * * *", command.arguments, of: command)
        let preparation = try command.preparation.map { arguments throws(PulseError) in
            let times = time.preparations
            return try Self.line(
                "\(times[0].minute) \(times.map { "\($0.hour)" }.joined(separator: ",")) * * *", arguments, of: command)
        }
        text = [digest, preparation].compactMap(\.self).joined(separator: "\n")
    }

    private static func line(
        _ time: String, _ arguments: [String], of command: ScheduledCommand
    ) throws(PulseError) -> String {
        // `NAME=value command` would depend on the shell that the crontab sets; env does not.
        let variables = command.variables.map { "\($0.name)=\($0.value)" }
        let words = (variables.isEmpty ? [] : ["/usr/bin/env"] + variables) + [command.program] + arguments
        let line = "\(time) " + words.map(Self.quoted).joined(separator: " ")
        // Vixie cron reads a command into 1,000 bytes (MAX_COMMAND) and refuses the table if there are more.
        guard line.utf8.count < 990 else {
            throw PulseError(
                .usage, "The command would have \(line.utf8.count) bytes, and cron takes 1,000.",
                hint: "Put options into the settings file instead of the command line, or use --systemd.")
        }
        return line
    }

    /// Quotes a word for the shell. cron turns `\%` into `%` first; a plain % would end the command.
    private static func quoted(_ word: String) -> String {
        var quoted = ""
        // ShellWord quotes a word with a % in single quotes. After a backslash, cron would take the backslash that we
        // put before the % for an escaped one; two quotes between them prevent that.
        for character in ShellWord.quoted(word).unicodeScalars {
            if character == "%" {
                quoted += quoted.utf8.last == UInt8(ascii: "\\") ? "''\\%" : "\\%"
            } else {
                quoted.unicodeScalars.append(character)
            }
        }
        return quoted
    }

    /// When a line runs, if once a day; nil if somebody has changed its times.
    static func time(of line: String) -> TimeOfDay? {
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, fields[2...4].allSatisfy({ $0 == "*" }), let minute = Int(fields[0]),
            let hour = Int(fields[1]), (0..<60).contains(minute), (0..<24).contains(hour)
        else { return nil }
        return TimeOfDay(hour: hour, minute: minute)
    }
}
