import PulseCore
import PulseRendering
import Synchronization

/// One line on a terminal's error stream that says what is being done, and is gone before anything is printed.
/// Where the error stream is not a terminal it does nothing.
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
        // What is wider than the terminal would go on in the next line, and stay there.
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
