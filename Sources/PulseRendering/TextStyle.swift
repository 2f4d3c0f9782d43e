public import PulseCore
import PulseText

public import struct Foundation.TimeZone

/// The layout of text: for a terminal with its abilities, or plain for a pipe.
public struct TextStyle: Sendable, Hashable {
    /// The columns of a paragraph; nil: no wrapping.
    public let width: Int?
    /// The columns of a table; nil: lines are not cut.
    public let tableWidth: Int?
    /// Whether ECMA-48 sequences may be used.
    public let isStyled: Bool
    /// Whether OSC 8 hyperlinks may be used.
    public let hasLinks: Bool
    /// The user's, for all dates and times.
    public let timeZone: TimeZone
    /// The translations of messages.
    public let catalogue: Translations

    public init(
        width: Int? = nil, isStyled: Bool = false, hasLinks: Bool = false, timeZone: TimeZone = .current,
        catalogue: Translations = .english
    ) {
        // Narrower or wider paragraphs are hard to read.
        self.tableWidth = width
        self.width = width.map { min(max($0, 24), 88) }
        self.isStyled = isStyled
        self.hasLinks = hasLinks
        self.timeZone = timeZone
        self.catalogue = catalogue
    }

    /// The columns of a line on a terminal, without its styles (ECMA-48: SGR).
    public static func columns(of line: String) -> Int {
        DisplayWidth.of(line.replacing(/\u{1b}\[[0-9;]*m/, with: ""))
    }

    public func text(_ message: Message) -> String { message.text(in: catalogue) }

    public func bold(_ text: String) -> String { isStyled ? "\u{1b}[1m\(text)\u{1b}[0m" : text }
    /// Something to type: a command, an option.
    public func typed(_ text: String) -> String { isStyled ? "\u{1b}[36m\(text)\u{1b}[0m" : text }
    public func underline(_ text: String) -> String { isStyled ? "\u{1b}[4m\(text)\u{1b}[0m" : text }
    public func dim(_ text: String) -> String { isStyled ? "\u{1b}[2m\(text)\u{1b}[0m" : text }

    /// The column after a list of names.
    func column(behind names: [Message]) -> Int { (names.map { text($0).count }.max() ?? 0) + 2 }

    /// Names and values in two columns, each wrapped in its own. A name without a value is alone on its line.
    ///
    /// - Parameter column: the beginning of the second column; nil: after the longest name.
    package func facts(_ facts: [(Message, Message)], column: Int? = nil) -> String {
        let column = column ?? self.column(behind: facts.filter { !$0.1.isEmpty }.map(\.0))
        return facts.map { name, value in
            let (name, value) = (text(name), text(value))
            guard !value.isEmpty else { return name + "\n" }
            // An address, or a command with a path, stays whole to be copied.
            let longest = value.split(separator: " ").map { DisplayWidth.of(String($0)) }.max() ?? 0
            let isWhole = width.map { longest > $0 - column } ?? true
            return dim(name.padding(to: column))
                + (isWhole ? value + "\n" : String(wrapped(value, indent: column) { $0 }.dropFirst(column)))
        }.joined()
    }

    /// In bytes. Terminals refuse longer URLs (VTE: 2083).
    private static let longestLink = 2000

    /// The text as a hyperlink, if the terminal has them and the URL is safe: the control sequence OSC 8
    /// (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda). A `WebLink` is printable ASCII, so it can
    /// neither end the sequence nor begin another.
    ///
    /// - Parameter id: Identifies the link by its ASCII letters and digits, so that its parts on several lines are
    ///   highlighted together.
    func link(_ text: String, to url: String?, id: String) -> String {
        guard hasLinks, let link = WebLink(url), link.address.utf8.count <= Self.longestLink else { return text }
        let letters = String(decoding: id.utf8.filter(\.isASCIIAlphanumeric), as: UTF8.self)
        return "\u{1b}]8;id=\(letters);\(link.address)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
    }

    /// A wrapped paragraph; each line has a line ending.
    public func paragraph(_ text: String, indent: Int = 0) -> String { wrapped(text, indent: indent) { $0 } }

    /// The same, dimmed, for secondary information.
    public func aside(_ text: String, indent: Int = 0) -> String { wrapped(text, indent: indent, style: dim) }

    private func wrapped(_ text: String, indent: Int, style: (String) -> String) -> String {
        let margin = String(repeating: " ", count: indent)
        return LineWrapper.wrap(text, width: width.map { $0 - indent }).split(separator: "\n")
            .map { margin + style(String($0)) + "\n" }.joined()
    }

    struct Run {
        let text: String
        let style: (String) -> String

        init(_ text: String, style: @escaping (String) -> String = { $0 }) {
            self.text = text
            self.style = style
        }
    }

    /// A story's text. Unsupported words are underlined, or marked if styles are off.
    func runs(_ wording: Wording) -> [Run] {
        guard isStyled else { return [Run(wording.marked)] }
        return wording.runs.map { run in
            guard let address = run.link?.address else {
                return run.isDoubtful ? Run(run.text, style: underline) : Run(run.text)
            }
            return Run(run.text) { link($0, to: address, id: ShortHash.of(address)) }
        }
    }

    /// Wraps a paragraph of several runs. The lines have no line endings.
    func lines(_ runs: [Run], indent: Int = 0) -> [String] {
        let wrapped = LineWrapper.wrap(runs.map(\.text).joined(), width: width.map { $0 - indent })
        var rest = runs[...]
        // Wrapping only changes white space, so counting the other characters finds the ends of runs.
        var left = rest.first?.text.count { !$0.isWhitespace } ?? 0
        return wrapped.split(separator: "\n").map { line in
            var (styled, piece) = ("", "")
            for character in line {
                while left == 0, !character.isWhitespace, rest.count > 1 {
                    styled += rest[rest.startIndex].style(piece)
                    piece = ""
                    rest = rest.dropFirst()
                    left = rest.first?.text.count { !$0.isWhitespace } ?? 0
                }
                if !character.isWhitespace { left -= 1 }
                piece.append(character)
            }
            return styled + (rest.first?.style(piece) ?? piece)
        }
    }

    /// The wrapped text in bold.
    func heading(_ text: String) -> String {
        LineWrapper.wrap(text, width: width).split(separator: "\n").map { bold(clip(String($0))) + "\n" }.joined()
    }

    /// A text cut to one line of a terminal, safe to print. Leaves the last column free.
    public func line(_ text: String) -> String {
        let line = PlainText.line(text)
        return tableWidth.map { DisplayWidth.clip(line, to: max(1, $0 - 1)) } ?? line
    }

    /// A line cut to the width, with an ellipsis.
    func clip(_ line: String) -> String { width.map { DisplayWidth.clip(line, to: $0) } ?? line }
}
