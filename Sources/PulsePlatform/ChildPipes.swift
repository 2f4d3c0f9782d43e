import Foundation
import PulseCore

/// The pipes to a child's standard streams. Our ends are non-blocking.
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
            var number = pipe(&ends) == 0 ? 0 : errno
            // Moves each end above the three standard descriptors. If our caller closed one of those, a pipe would get
            // its number, and setting up the child's streams would overwrite it.
            let raised = ends.map { $0 < 0 ? -1 : fcntl($0, F_DUPFD_CLOEXEC, 3) }
            if number == 0, raised.contains(-1) { number = errno }
            for end in ends where end >= 0 { close(end) }
            opened.append((raised[0], raised[1]))
            guard number == 0 else {
                for end in opened.flatMap({ [$0.read, $0.write] }) where end >= 0 { close(end) }
                throw PulseError(.tryAgain, "No pipe can be opened: \(String(cString: strerror(number))).")
            }
        }
        return opened
    }

    /// Closes our copies of the child's ends, after it was started.
    mutating func closeChildEnds() {
        for end in [childInput, childOutput, childErrors] { close(end) }
        (childInput, childOutput, childErrors) = (-1, -1, -1)
    }

    mutating func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// The beginning of a stream, up to `limit` bytes. The rest is read and dropped, so that the child is never
    /// blocked.
    struct Capture {
        let limit: Int
        var bytes = Data()

        mutating func take(_ piece: some Collection<UInt8>) {
            bytes.append(contentsOf: piece.prefix(limit - bytes.count))
        }
    }

    /// Waits up to `wait` milliseconds until a pipe is ready, then moves the available bytes.
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
                // EPIPE: the child has closed its input. The unwritten rest shows that it did not read all.
                break
            }
        }
        closeInput()
    }

    private static func drain(_ end: inout Int32, into capture: inout Capture) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // Limits the reads in a row, so that a child that never stops writing cannot keep us from checking the
        // deadline.
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
