import Foundation

/// A terminal with nobody at it but a test, which reads what is shown and types.
public final class PseudoTerminal {
    /// The end for the program.
    public let terminal: Int32
    private let keyboard: Int32
    /// Everything that was sent so far.
    public private(set) var bytes: [UInt8] = []
    /// The same as text.
    public private(set) var shown = ""
    /// What of it was waited for.
    private var seen = 0

    public init(columns: UInt16 = 80) throws {
        var (mine, theirs): (Int32, Int32) = (-1, -1)
        var size = PseudoTerminal.size(columns)
        guard openpty(&mine, &theirs, nil, nil, &size) == 0 else { throw CocoaError(.fileReadUnknown) }
        (keyboard, terminal) = (mine, theirs)
        for descriptor in [mine, theirs] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(mine, F_SETFL, fcntl(mine, F_GETFL) | O_NONBLOCK)
    }

    deinit {
        close(keyboard)
        close(terminal)
    }

    private static func size(_ columns: UInt16) -> winsize {
        winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    }

    /// Makes it narrower or wider. Whose terminal it is would be sent SIGWINCH; a test has to do that.
    public func resize(columns: UInt16) {
        var size = PseudoTerminal.size(columns)
        _ = ioctl(keyboard, UInt(TIOCSWINSZ), &size)
    }

    /// Waits, without holding a thread, until the text was shown after what was waited for before.
    ///
    /// - Parameter isOver: Whether nothing more will be shown: then it waits no longer.
    /// - Returns: Whether it was shown.
    @discardableResult
    public func wait(for text: String, unless isOver: () -> Bool = { false }) async throws -> Bool {
        while true {
            let wasOver = isOver()
            if let range = shown.dropFirst(seen).range(of: text) {
                seen = shown.distance(from: shown.startIndex, to: range.upperBound)
                return true
            }
            if !read() {
                if wasOver { return false }
                try await pause(before: text)
            }
        }
    }

    /// Everything that was shown until `isOver` holds.
    public func rest(until isOver: () -> Bool) async throws -> String {
        while true {
            let wasOver = isOver()
            if !read() {
                if wasOver { return shown }
                try await pause(before: "its end")
            }
        }
    }

    /// Whoever waits to the test's time limit has to be told what was shown instead.
    private func pause(before awaited: String) async throws {
        guard (try? await Task.sleep(for: .milliseconds(10))) != nil else {
            throw NeverShown(awaited: awaited, shown: String(shown.suffix(2000)))
        }
    }

    private struct NeverShown: Error { let awaited, shown: String }

    public func type(_ line: String) { _ = (line + "\n").withCString { write(keyboard, $0, strlen($0)) } }

    /// - Returns: whether there was something.
    private func read() -> Bool {
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(keyboard, &piece, piece.count)
        guard count > 0 else { return false }
        // A character, or the end of a line, may come in two pieces.
        bytes += piece.prefix(count)
        shown = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
        return true
    }
}
