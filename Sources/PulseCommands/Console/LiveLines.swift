import PulseCore
import PulseRendering
import Synchronization

/// The last lines on a terminal, redrawn while a model writes. The cursor stays below them, where a status line is.
struct LiveLines {
    private let console: Console
    private var lines: [String] = []

    init(console: Console) { self.console = console }

    /// Whether the output is a terminal on which a cursor can be moved.
    var isOn: Bool { console.canRedraw }

    mutating func draw(_ new: [String]) throws {
        guard new != lines else { return }
        // Lines that scrolled off the screen could not be erased.
        let height = max(1, (console.currentSize?.lines ?? 24) - 2)
        var new = new[...]
        while new.count > 1, rows(of: new) > height { new.removeFirst() }
        let same = zip(lines, new).prefix { $0 == $1 }.count
        try console.write(erasure(of: lines[same...]) + new.dropFirst(same).map { $0 + "\n" }.joined())
        lines = Array(new)
    }

    mutating func clear() throws {
        guard !lines.isEmpty else { return }
        let erasure = erasure(of: lines[...])
        lines = []
        try console.write(erasure)
    }

    /// ECMA-48: CUU, cursor up; ED, erase to the end of the screen.
    private func erasure(of lines: ArraySlice<String>) -> String {
        guard !lines.isEmpty else { return "\r\u{1b}[J" }
        return "\r\u{1b}[\(rows(of: lines))A\u{1b}[J"
    }

    /// How many rows the lines take on the screen: a terminal that was made narrower has broken some in two.
    private func rows(of lines: ArraySlice<String>) -> Int {
        let columns = max(1, console.currentSize?.columns ?? console.width ?? 80)
        return lines.reduce(0) { $0 + max(1, (TextStyle.columns(of: $1) + columns - 1) / columns) }
    }
}

extension String {
    /// The part of an unfinished text that no longer changes: all but the punctuation at its end, such as quotation
    /// marks and emphasis, whose role is not known yet.
    var settledFront: String? {
        lastIndex { $0.isLetter || $0.isNumber }.map { String(self[...$0]) }
    }
}

/// The printed part of a text whose words are printed as a model writes them.
struct WrittenFront {
    private var text = ""

    var isBegun: Bool { !text.isEmpty }

    /// The part added by a longer beginning; nil: nothing can be appended.
    mutating func more(of beginning: String) -> String? {
        guard beginning.hasPrefix(text), beginning != text else { return nil }
        defer { text = beginning }
        return String(beginning.dropFirst(text.count))
    }

    /// The rest of the final text; nil if that begins differently. Forgets the printed part.
    mutating func rest(of whole: String) -> String? {
        defer { text = "" }
        return whole.hasPrefix(text) ? String(whole.dropFirst(text.count)) : nil
    }
}

/// A progress line on the error stream if that is a terminal, erased before anything is printed.
final class StatusLine: Sendable {
    private let console: Console
    private let isOn: Bool
    private let shown = Mutex("")

    init(console: Console) {
        self.console = console
        isOn = console.isErrorTerminal
    }

    func show(_ message: Message) {
        guard isOn else { return }
        // A longer text would wrap into the next line, and stay there.
        let text = TextStyle(width: console.errorWidth).line(message.text(in: console.catalogue))
        shown.withLock { shown in
            guard shown != text else { return }
            shown = text
            // Carriage return, the text, and CSI K: erase to the end of the line.
            console.draw("\r" + text + "\u{1b}[K")
        }
    }

    func clear() {
        guard isOn else { return }
        shown.withLock { shown in
            guard !shown.isEmpty else { return }
            shown = ""
            console.draw("\r\u{1b}[K")
        }
    }
}
