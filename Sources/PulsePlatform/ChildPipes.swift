import Foundation
import PulseCore

/// The three pipes to a child. Our ends never block.
struct ChildPipes: ~Copyable {
    private(set) var childInput: Int32
    private(set) var childOutput: Int32
    private(set) var childErrors: Int32
    private var input: Int32
    private var output: Int32
    private var errors: Int32

    init() throws(PulseError) {
        let ends = try Self.open(3)
        (childInput, input) = ends[0]
        (output, childOutput) = ends[1]
        (errors, childErrors) = ends[2]
        for end in [input, output, errors] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    }

    deinit {
        for end in [childInput, childOutput, childErrors, input, output, errors] where end >= 0 { close(end) }
    }

    static func open(_ count: Int) throws(PulseError) -> [(read: Int32, write: Int32)] {
        var opened: [(read: Int32, write: Int32)] = []
        for _ in 0..<count {
            var ends: [Int32] = [-1, -1]
            var fault = pipe(&ends) == 0 ? 0 : errno
            // Above the three standard descriptors: if our caller closed one of those, a pipe would take its number,
            // and setting up the child's streams would overwrite it.
            let raised = ends.map { $0 < 0 ? -1 : fcntl($0, F_DUPFD_CLOEXEC, 3) }
            if fault == 0, raised.contains(-1) { fault = errno }
            for end in ends where end >= 0 { close(end) }
            opened.append((raised[0], raised[1]))
            guard fault == 0 else {
                for end in opened.flatMap({ [$0.read, $0.write] }) where end >= 0 { close(end) }
                throw PulseError(.tryAgain, "No pipe can be opened: \(String(cString: strerror(fault))).")
            }
        }
        return opened
    }

    /// Closes the child's ends on our side, once the child has them.
    mutating func closeChildEnds() {
        for end in [childInput, childOutput, childErrors] { close(end) }
        (childInput, childOutput, childErrors) = (-1, -1, -1)
    }

    mutating func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// What was said first, up to `limit` bytes. The rest is read and dropped, so that the child never waits for us.
    struct Capture {
        let limit: Int
        var bytes = Data()

        mutating func take(_ piece: some Collection<UInt8>) {
            bytes.append(contentsOf: piece.prefix(limit - bytes.count))
        }
    }

    /// Waits up to `wait` milliseconds until a pipe is ready, and moves what can be moved.
    mutating func transfer(_ rest: inout Data.SubSequence, _ out: inout Capture, _ err: inout Capture, wait: Int32) {
        // poll ignores descriptors below 0.
        var ends = [
            pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&ends, 3, wait) > 0 else { return }
        if ends[0].revents != 0 { feed(&rest) }
        if ends[1].revents != 0 { Self.drain(&output, into: &out) }
        if ends[2].revents != 0 { Self.drain(&errors, into: &err) }
    }

    private mutating func feed(_ rest: inout Data.SubSequence) {
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                // EPIPE: the child has closed its input. The bytes left over tell that it did not read all.
                break
            }
        }
        closeInput()
    }

    private static func drain(_ end: inout Int32, into capture: inout Capture) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // At most so many reads in a row: a child that never stops talking must not keep us from looking at the clock.
        for _ in 0..<64 {
            let count = Foundation.read(end, &buffer, buffer.count)
            if count > 0 {
                capture.take(buffer[..<count])
            } else if count == 0 || errno != EINTR {
                if count == 0 || errno != EAGAIN {
                    close(end)
                    end = -1
                }
                return
            }
        }
    }
}
