import CLlama
import Foundation
import PulseCore
import Synchronization

/// The RPC servers that an engine offloads layers to. Handles the loss of a server.
///
/// ggml ends the process at every connection error (ggml-rpc.cpp, RPC_STATUS_ASSERT), on whichever thread found it. Its
/// abort callback blocks that thread for ever instead. Callers that wait for the engine's thread get an error from
/// here, and the results so far are not lost. At most one such engine exists in a process.
final class RemoteServers: Sendable {
    private static let current = Mutex<RemoteServers?>(nil)

    private struct State {
        var sockets: [(server: RPCAddress, descriptor: Int32)] = []
        var peers: [(server: RPCAddress, address: sockaddr_in)] = []
        /// The server that is being queried.
        var asked: RPCAddress?
        /// The error to report if the operation takes longer than this.
        var limit: (time: ContinuousClock.Instant, error: PulseError)?
        var loss: PulseError?
        var waiting: [ObjectIdentifier: @Sendable (PulseError) -> Void] = [:]
    }

    private let servers: [RPCAddress]
    private let state = Mutex(State())

    init?(_ servers: [RPCAddress]) {
        guard !servers.isEmpty else { return nil }
        self.servers = servers
        Self.current.withLock { $0 = self }
    }

    // MARK: - Connecting

    /// The timeout of a connection, and of the first query.
    private static let patience = Duration.seconds(10)

    /// Queries each server's devices. Called on the engine's thread, within `result`.
    func connect() throws -> [(handle: OpaquePointer, server: RPCAddress)] {
        typealias AddServer = @convention(c) (UnsafePointer<CChar>) -> OpaquePointer?
        guard let library = ggml_backend_reg_by_name("RPC"),
            let function = ggml_backend_reg_get_proc_address(library, "ggml_backend_rpc_add_server")
        else {
            throw PulseError(
                .unavailable, "This libllama was built without RPC, so it cannot hand layers to \(names(servers)).",
                hint: "Leave out --rpc, or build the program with a libllama that has it (-DGGML_RPC=ON).")
        }
        let addServer = unsafeBitCast(function, to: AddServer.self)
        var devices: [(OpaquePointer, RPCAddress)] = []
        for server in servers {
            let peer = try ServerSocket.greet(server, within: Self.patience)
            _ = LogCollector.shared.takeErrors()
            let registry = ask(server) { addServer(server.description) }
            state.withLock { $0.peers.append((server, peer)) }
            for number in 0..<(registry.map(ggml_backend_reg_dev_count) ?? 0) {
                guard let device = ggml_backend_reg_dev_get(registry, number) else { continue }
                devices.append((device, server))
            }
        }
        return devices
    }

    /// Runs a query that a server answers at once. If it does not, that server is reported as lost.
    func ask<Answer>(_ server: RPCAddress, _ question: () -> Answer) -> Answer {
        state.withLock { $0.asked = server }
        limit(Self.patience, Self.silence(of: server))
        defer { state.withLock { ($0.asked, $0.limit) = (nil, nil) } }
        return question()
    }

    /// Configures the connections that stay open: the kernel is to notice in half a minute if a machine is gone.
    func guardConnections() {
        state.withLock { state in
            state.sockets = state.peers.flatMap { peer in
                ServerSocket.descriptors(connectedTo: peer.address).map { (peer.server, $0) }
            }
            for socket in state.sockets { ServerSocket.guardConnection(socket.descriptor) }
        }
    }

    static func silence(of server: RPCAddress) -> PulseError {
        PulseError(
            .tryAgain,
            "The RPC server \(server) does not answer. It serves one client at a time: another may be using it.",
            hint: "Try again when it is free, or leave it out of --rpc.")
    }

    // MARK: - Working

    /// A server counts as lost if this time passes before the next call of this function; nil: no limit.
    private func limit(_ time: Duration?, _ error: @autoclosure () -> PulseError) {
        let limit = time.map { (ContinuousClock.now + $0, error()) }
        state.withLock { $0.limit = limit }
    }

    func noteLoading(_ share: Double) {
        limit(
            share < 1 ? .seconds(300) : nil,
            PulseError(
                .tryAgain, "Nothing of the model could be sent to \(names(servers)) for five minutes.",
                hint: "See whether they still run, or leave out --rpc."))
    }

    /// Waits for the engine's work, or until a server is lost. `overdue` is called once a second and returns the error
    /// to stop with; nil: go on.
    func result<Value: Sendable>(
        overdue: @escaping @Sendable () -> PulseError? = { nil }, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let answer = SingleResult<Value>(continuation)
            let loss = state.withLock { state in
                if state.loss == nil { state.waiting[ObjectIdentifier(answer)] = { answer.give(.failure($0)) } }
                return state.loss
            }
            if let loss { return answer.give(.failure(loss)) }
            Task {
                do { answer.give(.success(try await work())) } catch { answer.give(.failure(error)) }
                state.withLock { $0.waiting[ObjectIdentifier(answer)] = nil }
            }
            Task {
                while true {
                    try? await Task.sleep(for: .seconds(1))
                    if answer.isGiven { return }
                    let late = state.withLock { state in state.limit.flatMap { $0.time < .now ? $0.error : nil } }
                    if let error = late ?? overdue() { lose(error) }
                }
            }
        }
    }

    private func lose(_ error: PulseError) {
        PinnedThread.replaceShared()
        let waiting = state.withLock { state in
            state.loss = state.loss ?? error
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for give in waiting { give(error) }
    }

    /// Called by the library's abort callback. Does not return if the error is a server's.
    static func keepThread(ifAtFault message: String) {
        guard message.contains("ggml-rpc"), let servers = current.withLock({ $0 }) else { return }
        servers.lose(servers.explain(message))
        while true { sleep(1_000_000) }
    }

    private func explain(_ message: String) -> PulseError {
        let (asked, peers, sockets) = state.withLock { ($0.asked, $0.peers, $0.sockets) }
        if let asked, !peers.contains(where: { $0.server == asked }) {
            // "RPC server version mismatch: 6.0.0" is logged before "RPC handshake failed for …".
            return PulseError(
                .unavailable,
                "\(asked) speaks another version of ggml's RPC protocol than this libllama, or another protocol.",
                hint: "Run the rpc-server of the same release of llama.cpp there.",
                cause: LogCollector.shared.takeErrors() ?? message)
        }
        let lost = asked.map { [$0] } ?? sockets.filter { ServerSocket.isClosed($0.descriptor) }.map(\.server)
        let one = Set(lost).count == 1 || servers.count == 1
        return PulseError(
            .tryAgain,
            "\(one ? "The RPC server" : "One of the RPC servers") \(names(lost.isEmpty ? servers : lost)) ended the "
                + "connection, or can no longer be reached.",
            hint: "See whether it still runs and has the memory; or leave it out of --rpc.")
    }

    private func names(_ servers: [RPCAddress]) -> String { servers.map(\.description).joined(separator: ", ") }
}

/// A continuation that is resumed once, by the first caller.
private final class SingleResult<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, any Error>?>

    init(_ continuation: CheckedContinuation<Value, any Error>) { self.continuation = Mutex(continuation) }

    var isGiven: Bool { continuation.withLock { $0 == nil } }

    func give(_ result: sending Result<Value, any Error>) {
        continuation.withLock { $0.take() }?.resume(with: result)
    }
}

/// Socket functions that the library lacks for RPC servers: a connection timeout, and detecting a lost peer.
enum ServerSocket {
    /// Says hello and disconnects, so that a missing or busy server is an error: the library would exit or hang.
    /// Returns the resolved address.
    static func greet(_ server: RPCAddress, within time: Duration) throws -> sockaddr_in {
        let hint: Message = "See whether the machine is on and an rpc-server runs there, or leave it out of --rpc."
        guard var address = resolve(server) else {
            throw PulseError(.tryAgain, "The RPC server \(server) was not found.", hint: hint)
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

    private static func resolve(_ server: RPCAddress) -> sockaddr_in? {
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

    /// tcp(7): keep-alive probes after 10 idle seconds, every 5; closed after four, or 30 seconds without an answer.
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
