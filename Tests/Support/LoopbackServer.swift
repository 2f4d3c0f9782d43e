/// An HTTP/1.1 server on 127.0.0.1 that answers as it is told, politely or not: real sockets, one thread a connection,
/// one request a connection. It is for tests of clients, and stops when its owner lets go.
import Foundation
import Synchronization

public final class LoopbackServer: Sendable {
    /// Decides the answer to a request; `number` counts requests from 0.
    public typealias Answer = @Sendable (_ request: LoopbackRequest, _ number: Int) -> LoopbackResponse

    public let port: UInt16
    private let host: UInt8
    private let state: State

    /// Listens on a free port at once.
    /// - Parameter host: the last number of its address. Linux has all of them, so that there may be several hosts.
    public init(host: UInt8 = 1, _ answer: @escaping Answer) throws {
        let (listener, port) = try LoopbackSocket.listening(host: host)
        self.host = host
        let state = State(answer: answer)
        self.port = port
        self.state = state
        Thread.detachNewThread { state.acceptConnections(listener) }
    }

    /// Answers with each response in turn, and goes on with the last.
    public convenience init(script: [LoopbackResponse]) throws {
        try self.init { _, number in
            script.isEmpty ? LoopbackResponse(status: 404) : script[min(number, script.count - 1)]
        }
    }

    /// Every request so far, in the order of their arrival.
    public var requests: [LoopbackRequest] { state.requests.withLock { $0 } }

    /// `http://127.0.0.1:port/path`; the path without its first slash.
    public func url(_ path: String = "") -> String { "http://127.0.0.\(host):\(port)/\(path)" }

    /// Takes no more connections, and ends those that stall. Called by `deinit` too.
    public func stop() { state.isStopped.store(true, ordering: .relaxed) }

    deinit { stop() }
}

/// What the server's threads share; it outlives the server by the moment they need to notice its end.
private final class State: Sendable {
    let isStopped = Atomic(false)
    let requests = Mutex<[LoopbackRequest]>([])
    private let answer: LoopbackServer.Answer

    init(answer: @escaping LoopbackServer.Answer) { self.answer = answer }

    private var isRunning: Bool { !isStopped.load(ordering: .relaxed) }

    func acceptConnections(_ listener: LoopbackSocket) {
        while isRunning {
            guard listener.isReadable(withinMilliseconds: 20), let connection = listener.accept() else { continue }
            Thread.detachNewThread { self.serve(connection) }
        }
    }

    private func serve(_ connection: LoopbackSocket) {
        guard let request = readRequest(connection) else { return }
        let number = requests.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        send(answer(request, number), to: connection)
    }

    /// nil when it is not HTTP (TLS, say): no method begins so.
    private func readRequest(_ connection: LoopbackSocket) -> LoopbackRequest? {
        var bytes: [UInt8] = []
        while isRunning {
            guard connection.isReadable(withinMilliseconds: 20) else { continue }
            guard let more = connection.receive(), !more.isEmpty, bytes.count < 1 << 20 else { return nil }
            bytes += more
            guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[0]) else { return nil }
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { continue }
            guard var request = LoopbackRequest(head: String(decoding: bytes[..<end], as: UTF8.self)) else {
                return nil
            }
            if bytes.count - end < Int(request.headers["content-length"] ?? "") ?? 0 { continue }
            request.body = Array(bytes[end...])
            return request
        }
        return nil
    }

    private func send(_ response: LoopbackResponse, to connection: LoopbackSocket) {
        if response.isSilent { return wait(until: { false }, on: connection) }
        guard connection.send(Array(response.head.utf8)) else { return }
        let end = min(response.body.count, response.breaksOffAfter ?? .max, response.stallsAfter ?? .max)
        let step = response.pause == nil ? max(end, 1) : response.chunk
        var sent = 0
        while sent < end, isRunning {
            if let hold = response.hold, sent == hold.after { wait(until: hold.until, on: connection) }
            var next = min(sent + step, end)
            if let hold = response.hold, sent < hold.after { next = min(next, hold.after) }
            guard connection.send(Array(response.body[sent..<next])) else { return }
            sent = next
            if let pause = response.pause, sent < end { wait(pause) }
        }
        if response.resets { connection.resetsOnClose() }
        if response.stallsAfter != nil { wait(until: { false }, on: connection) }
    }

    /// Or until the client hangs up, or the server stops.
    private func wait(until condition: () -> Bool, on connection: LoopbackSocket) {
        while isRunning, !connection.isClosedByPeer, !condition() { Thread.sleep(forTimeInterval: 0.01) }
    }

    private func wait(_ duration: Duration) {
        Thread.sleep(
            forTimeInterval: Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)
    }
}
