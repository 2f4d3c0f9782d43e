import Foundation
import PulseCore

/// What the library lacks for its connections to RPC servers: a connection timeout, and detecting a lost peer.
enum ServerSocket {
    /// Connects, sends a hello and disconnects, so that a missing or busy server is an error. The library itself would
    /// end the process or wait for ever.
    ///
    /// - Returns: the resolved address.
    static func greet(_ server: ServerAddress, within time: Duration) throws(PulseError) -> sockaddr_in {
        let hint: Message = "See whether the machine is on and an rpc-server runs there, or leave it out of --rpc."
        guard var address = resolve(server) else {
            throw PulseError(.tryAgain, "There is no address for the RPC server \(server).", hint: hint)
        }
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw PulseError(.tryAgain, "No socket could be opened.", hint: nil) }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var fault: Int32 = status == 0 ? 0 : errno
        if fault == EINPROGRESS {
            fault = ETIMEDOUT
            if wait(for: descriptor, POLLOUT, time) {
                var size = socklen_t(MemoryLayout<Int32>.size)
                getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &fault, &size)
            }
        }
        guard fault == 0 else {
            throw PulseError(
                .tryAgain, "The RPC server \(server) cannot be reached: \(String(cString: strerror(fault))).",
                hint: hint)
        }
        // ggml-rpc.cpp: RPC_CMD_HELLO, "must be always 14"; the length of the payload; the capabilities (transport.h,
        // RPC_CONN_CAPS_SIZE). A server of another version disconnects, and the library will report that.
        let hello: [UInt8] = [14, 24, 0, 0, 0, 0, 0, 0, 0] + Array(repeating: 0, count: 24)
        _ = send(descriptor, hello, hello.count, 0)
        guard wait(for: descriptor, POLLIN, time) else { throw RemoteServers.silence(of: server) }
        return address
    }

    private static func wait(for descriptor: Int32, _ events: Int32, _ time: Duration) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&entry, 1, Int32(time.components.seconds * 1000)) > 0
    }

    private static func resolve(_ server: ServerAddress) -> sockaddr_in? {
        var hints = addrinfo()
        hints.ai_family = AF_INET
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(server.host, "\(server.port)", &hints, &list) == 0, let first = list else { return nil }
        defer { freeaddrinfo(list) }
        return first.pointee.ai_addr?.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee }
    }

    // MARK: - The library's own connections

    /// This process's sockets that are connected to the address. The library has no API for them.
    static func descriptors(connectedTo address: sockaddr_in) -> [Int32] {
        (3..<1024).filter { descriptor in
            var peer = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &peer) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
            }
            return status == 0 && peer.sin_family == address.sin_family && peer.sin_port == address.sin_port
                && peer.sin_addr.s_addr == address.sin_addr.s_addr
        }
    }

    /// tcp(7): keep-alive probes after 10 idle seconds, every 5 seconds. The connection is closed after four unanswered
    /// probes, or if data is not acknowledged for 30 seconds.
    static func guardConnection(_ descriptor: Int32) {
        func set(_ level: Int32, _ option: Int32, _ value: Int32) {
            var value = value
            setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
        let tcp = Int32(IPPROTO_TCP)
        #if canImport(Darwin)
            set(tcp, TCP_KEEPALIVE, 10)
        #else
            set(tcp, TCP_KEEPIDLE, 10)
            set(tcp, TCP_USER_TIMEOUT, 30_000)
        #endif
        set(tcp, TCP_KEEPINTVL, 5)
        set(tcp, TCP_KEEPCNT, 4)
    }

    /// Whether the peer has closed the connection.
    static func isClosed(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN
    }
}
