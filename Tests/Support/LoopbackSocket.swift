/// A TCP socket of the loopback server: the owner of its descriptor. What the platforms do differently is beside it.
import Foundation

final class LoopbackSocket: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// A socket that listens on a free port of 127.0.0.`host`, and that port.
    static func listening(host: UInt8 = 1) throws -> (LoopbackSocket, UInt16) {
        let socket = LoopbackSocket(newStream())
        var address = loopbackAddress()
        address.sin_addr.s_addr = (UInt32(0x7f00_0000) | UInt32(host)).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket.descriptor, address, size) == 0 && listen(socket.descriptor, 16) == 0
                    && getsockname(socket.descriptor, address, &size) == 0
            }
        }
        guard result else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    func accept() -> LoopbackSocket? {
        let accepted = Foundation.accept(descriptor, nil, nil)
        guard accepted >= 0 else { return nil }
        // A child of another test would keep the connection open.
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        let socket = LoopbackSocket(accepted)
        socket.ignoreBrokenPipes()
        return socket
    }

    func isReadable(withinMilliseconds milliseconds: Int32) -> Bool {
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, milliseconds) > 0
    }

    /// What has arrived; empty when the other side hung up, nil when the connection broke.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : Array(buffer[..<count])
    }

    var isClosedByPeer: Bool {
        var byte: UInt8 = 0
        return isReadable(withinMilliseconds: 0) && recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0
    }

    /// "Close […] discards any unsent data and sends a RST" (RFC 1122; SO_LINGER with a time of 0).
    func resetsOnClose() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// Whether all of it could be sent.
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { sendQuietly(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
