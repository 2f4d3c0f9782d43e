import CLlama
import Foundation
import PulseCore
import Synchronization

/// The RPC servers that an engine hands layers to, and what becomes of its work when one is lost.
///
/// ggml ends the process at every fault of a connection (ggml-rpc.cpp, RPC_STATUS_ASSERT), on whichever thread it was
/// found. Its abort callback keeps that thread here for ever instead. The engine's thread waits for it without end, so
/// whoever waits for the engine is answered from here, with an error: what the program has made so far is still good.
/// There is one such engine at a time in a process.
final class RemoteServers: Sendable {
    private static let current = Mutex<RemoteServers?>(nil)

    private struct State {
        var sockets: [(server: ServerAddress, descriptor: Int32)] = []
        var peers: [(server: ServerAddress, address: sockaddr_in)] = []
        /// Who is asked something that it answers at once.
        var asked: ServerAddress?
        /// What is to be said if something is not done by then.
        var limit: (time: ContinuousClock.Instant, error: PulseError)?
        var loss: PulseError?
        var waiting: (@Sendable (PulseError) -> Void)?
    }

    private let servers: [ServerAddress]
    private let state = Mutex(State())

    init?(_ servers: [ServerAddress]) {
        guard !servers.isEmpty else { return nil }
        self.servers = servers
        Self.current.withLock { $0 = self }
    }

    // MARK: - Connecting

    /// A server has so long to accept a connection, and again to answer the first question.
    private static let patience = Duration.seconds(10)

    /// Asks each server for its devices. Called on the engine's thread, within `result`.
    func connect() throws(PulseError) -> [(handle: OpaquePointer, server: ServerAddress)] {
        typealias AddServer = @convention(c) (UnsafePointer<CChar>) -> OpaquePointer?
        guard let library = ggml_backend_reg_by_name("RPC"),
            let function = ggml_backend_reg_get_proc_address(library, "ggml_backend_rpc_add_server")
        else {
            throw PulseError(
                .unavailable, "This libllama was built without RPC, so it cannot hand layers to \(names(servers)).",
                hint: "Leave out --rpc, or build the program with a libllama that has it (-DGGML_RPC=ON).")
        }
        let addServer = unsafeBitCast(function, to: AddServer.self)
        var devices: [(OpaquePointer, ServerAddress)] = []
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

    /// Asks a server something that it answers at once; if it does not, it is the one that is lost.
    func ask<Answer>(_ server: ServerAddress, _ question: () -> Answer) -> Answer {
        state.withLock { $0.asked = server }
        limit(Self.patience, Self.silence(of: server))
        defer {
            state.withLock {
                $0.asked = nil
                $0.limit = nil
            }
        }
        return question()
    }

    /// The connections that stay are open: the kernel is to notice within half a minute when a machine is gone.
    func guardConnections() {
        state.withLock { state in
            state.sockets = state.peers.flatMap { peer in
                ServerSocket.descriptors(connectedTo: peer.address).map { (peer.server, $0) }
            }
            for socket in state.sockets { ServerSocket.guardConnection(socket.descriptor) }
        }
    }

    static func silence(of server: ServerAddress) -> PulseError {
        PulseError(
            .tryAgain,
            "The RPC server \(server) does not answer. It serves one client at a time: another may be using it.",
            hint: "Try again when it is free, or leave it out of --rpc.")
    }

    // MARK: - Working

    /// From now on, more than this time without another call means that a server is lost; nil: no limit.
    private func limit(_ time: Duration?, _ error: @autoclosure () -> PulseError) {
        let limit = time.map { (ContinuousClock.now + $0, error()) }
        state.withLock { $0.limit = limit }
    }

    /// The weights go over the network now, part by part.
    func noteLoading(_ share: Double) {
        limit(
            share < 1 ? .seconds(300) : nil,
            PulseError(
                .tryAgain, "Nothing of the model could be sent to \(names(servers)) for five minutes.",
                hint: "See whether they still run, or leave out --rpc."))
    }

    /// Waits for the engine's work; if a server is lost, no longer than that.
    ///
    /// - Parameter overdue: Asked once a second: why the work is no longer waited for; nil: it is.
    func result<Value: Sendable>(
        overdue: @escaping @Sendable () -> PulseError? = { nil },
        _ work: @escaping @Sendable () async -> Result<Value, PulseError>
    ) async -> Result<Value, PulseError> {
        if let loss = state.withLock({ $0.loss }) { return .failure(loss) }
        return await withCheckedContinuation { continuation in
            let answer = OneAnswer<Result<Value, PulseError>>(continuation)
            state.withLock { $0.waiting = { answer.give(.failure($0)) } }
            Task { answer.give(await work()) }
            Task {
                while true {
                    try? await Task.sleep(for: .seconds(1))
                    if answer.isGiven { return }
                    let late = state.withLock { state in
                        state.limit.flatMap { $0.time < .now ? $0.error : nil }
                    }
                    if let error = late ?? overdue() { lose(error) }
                }
            }
        }
    }

    private func lose(_ error: PulseError) {
        let waiting = state.withLock { state in
            state.loss = state.loss ?? error
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?(error)
    }

    /// Called by the library's abort callback: does not return if the fault is a server's.
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

    private func names(_ servers: [ServerAddress]) -> String {
        servers.map(\.description).joined(separator: ", ")
    }
}

/// A continuation that is resumed once, by whoever comes first.
private final class OneAnswer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = Mutex(continuation) }

    var isGiven: Bool { continuation.withLock { $0 == nil } }

    func give(_ value: sending Value) {
        continuation.withLock { $0.take() }?.resume(returning: value)
    }
}
