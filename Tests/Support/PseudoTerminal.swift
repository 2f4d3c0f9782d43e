import Foundation

/// A terminal with nobody at it but a test, which reads what is shown and types.
public final class PseudoTerminal {
    /// The end for the program.
    public let terminal: Int32
    private let keyboard: Int32
    /// Everything that was shown so far.
    public private(set) var shown = ""
    /// What of it was waited for.
    private var seen = 0

    public init(columns: UInt16 = 80) throws {
        var (mine, theirs): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&mine, &theirs, nil, nil, &size) == 0 else { throw CocoaError(.fileReadUnknown) }
        (keyboard, terminal) = (mine, theirs)
        for descriptor in [mine, theirs] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(mine, F_SETFL, fcntl(mine, F_GETFL) | O_NONBLOCK)
    }

    deinit {
        close(keyboard)
        close(terminal)
    }

    /// Waits, without holding a thread, until the text was shown after what was waited for before.
    public func wait(for text: String) async throws {
        while true {
            if let range = shown.dropFirst(seen).range(of: text) {
                seen = shown.distance(from: shown.startIndex, to: range.upperBound)
                return
            }
            if !read() { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    /// Everything that was shown until `isOver` holds.
    public func rest(until isOver: () -> Bool) async throws -> String {
        while true {
            let wasOver = isOver()
            if !read() {
                if wasOver { return shown }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    public func type(_ line: String) { _ = (line + "\n").withCString { write(keyboard, $0, strlen($0)) } }

    /// - Returns: whether there was something.
    private func read() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(keyboard, &bytes, bytes.count)
        guard count > 0 else { return false }
        shown += String(decoding: bytes.prefix(count), as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
        return true
    }
}
