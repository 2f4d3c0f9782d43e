public import PulseCore
import PulseText

public import struct Foundation.TimeZone

/// How text is laid out: with what a terminal can do, or plainly for a pipe.
public struct TextStyle: Sendable, Hashable {
    /// Columns of a paragraph; nil leaves every paragraph on one line.
    public let width: Int?
    /// Columns of a table; nil cuts no line.
    public let tableWidth: Int?
    /// Whether headings and asides may be set off with ECMA-48 sequences.
    public let isStyled: Bool
    /// Whether titles may be hyperlinks (OSC 8).
    public let hasLinks: Bool
    /// The reader's, for every date and time that is shown.
    public let timeZone: TimeZone
    /// In which language messages are shown.
    public let catalogue: Catalogue

    public init(
        width: Int? = nil, isStyled: Bool = false, hasLinks: Bool = false, timeZone: TimeZone = .current,
        catalogue: Catalogue = .english
    ) {
        // Below this, wrapping makes text harder to read and not easier; beyond that, lines are too long for the eye.
        self.tableWidth = width
        self.width = width.map { min(max($0, 24), 88) }
        self.isStyled = isStyled
        self.hasLinks = hasLinks
        self.timeZone = timeZone
        self.catalogue = catalogue
    }

    /// How many columns a line takes on a terminal, without its styles (ECMA-48: SGR).
    public static func columns(of line: String) -> Int {
        DisplayWidth.of(line.replacing(/\u{1b}\[[0-9;]*m/, with: ""))
    }

    public func text(_ message: Message) -> String { message.text(in: catalogue) }

    func bold(_ text: String) -> String { isStyled ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
    /// A heading that is a few words.
    public func title(_ text: String) -> String { bold(text) }
    /// What can be typed: a command, an option.
    public func name(_ text: String) -> String { isStyled ? "\u{1b}[36m\(text)\u{1b}[0m" : text }
    public func underline(_ text: String) -> String { isStyled ? "\u{1b}[4m\(text)\u{1b}[0m" : text }
    public func dim(_ text: String) -> String { isStyled ? "\u{1b}[2m\(text)\u{1b}[0m" : text }

    /// The column behind names that stand below one another.
    func column(behind names: [Message]) -> Int { (names.map { text($0).count }.max() ?? 0) + 2 }

    /// Names, and behind them what there is about each, in two columns. A name without anything stands alone.
    ///
    /// - Parameter column: Where the second begins; nil: as near as it can.
    func facts(_ facts: [(Message, Message)], column: Int? = nil) -> String {
        let column = column ?? self.column(behind: facts.filter { !$0.1.isEmpty }.map(\.0))
        return facts.map { name, value in
            let name = text(name)
            return value.isEmpty ? name + "\n" : dim(name.padding(to: column)) + text(value) + "\n"
        }.joined()
    }

    /// The text as a hyperlink, where the terminal has them and the URL is safe.
    ///
    /// - Parameter id: Letters and digits that tell one link from another, so that the parts of a link light up
    /// together.
    func link(_ text: String, to url: String?, id: String) -> String {
        guard hasLinks, let url, let link = Hyperlink(url, id: id) else { return text }
        return link.around(text)
    }

    /// A paragraph in the lines it needs, each with its end.
    public func paragraph(_ text: String, indent: Int = 0) -> String { wrapped(text, indent: indent) { $0 } }

    /// The same, dimmed: for what is beside the point.
    public func aside(_ text: String, indent: Int = 0) -> String { wrapped(text, indent: indent, set: dim) }

    private func wrapped(_ text: String, indent: Int, set: (String) -> String) -> String {
        var lines = LineWrapper(width: width.map { $0 - indent })
        let wrapped = lines.add(text) + lines.finish()
        let margin = String(repeating: " ", count: indent)
        return wrapped.split(separator: "\n").map { margin + set(String($0)) + "\n" }.joined()
    }

    /// A part of a paragraph, and how it is styled.
    struct Run {
        let text: String
        let set: (String) -> String

        init(_ text: String, set: @escaping (String) -> String = { $0 }) {
            self.text = text
            self.set = set
        }
    }

    /// A story's words: what is doubtful is underlined, or marked where nothing can be.
    func runs(_ wording: Wording) -> [Run] {
        guard isStyled else { return [Run(wording.marked)] }
        return wording.runs.map { $0.isDoubtful ? Run($0.text, set: underline) : Run($0.text) }
    }

    /// A paragraph of several runs as lines without their ends.
    func lines(_ runs: [Run], indent: Int = 0) -> [String] {
        var wrapper = LineWrapper(width: width.map { $0 - indent })
        let wrapped = wrapper.add(runs.map(\.text).joined()) + wrapper.finish()
        var rest = runs[...]
        // Wrapping changes only white space, so counting the other characters finds the end of a run.
        var left = rest.first?.text.count { !$0.isWhitespace } ?? 0
        return wrapped.split(separator: "\n").map { line in
            var (set, piece) = ("", "")
            for character in line {
                while left == 0, !character.isWhitespace, rest.count > 1 {
                    set += rest[rest.startIndex].set(piece)
                    piece = ""
                    rest = rest.dropFirst()
                    left = rest.first?.text.count { !$0.isWhitespace } ?? 0
                }
                if !character.isWhitespace { left -= 1 }
                piece.append(character)
            }
            return set + (rest.first?.set(piece) ?? piece)
        }
    }

    /// The wrapped text, each line in bold.
    func heading(_ text: String) -> String {
        var lines = LineWrapper(width: width)
        let wrapped = lines.add(text) + lines.finish()
        return wrapped.split(separator: "\n").map { bold(clip(String($0))) + "\n" }.joined()
    }

    /// A text in one line of a terminal, safe to print, that leaves the last column free.
    public func line(_ text: String) -> String {
        let line = PlainText.line(text)
        return tableWidth.map { DisplayWidth.clip(line, to: max(1, $0 - 1)) } ?? line
    }

    /// A line cut to the width, with an ellipsis.
    func clip(_ line: String, indent: Int = 0) -> String {
        guard let width else { return line }
        return DisplayWidth.clip(line, to: width - indent)
    }
}
