import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseSources

/// A server that lives in the test: it answers as it is told, and notes what it was asked.
final class ScriptedServer: HTTPClient {
    typealias Answer = @Sendable (Request) throws -> HTTPResponse

    /// What was asked, taken apart.
    struct Request: Sendable {
        let method: String
        let path: String
        let query: [String: String]
        let headers: [String: String]
        let body: String
    }

    private let answer: Answer
    private let log = Mutex<[Request]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    var requests: [Request] { log.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let parts = URLComponents(string: request.url)
        let items = (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let taken = Request(
            method: request.method, path: parts?.path ?? "", query: Dictionary(items) { $1 },
            headers: Dictionary(request.headers.map { ($0.name, $0.value) }) { $1 },
            body: String(decoding: request.body ?? Data(), as: UTF8.self))
        log.withLock { $0.append(taken) }
        #expect(request.isFromUser)
        return try answer(taken)
    }

    /// The same over a real socket.
    /// - Parameter change: what becomes of an answer on the way.
    static func onTheWire(
        _ answer: @escaping @Sendable (Request) -> HTTPResponse,
        change: @escaping @Sendable (Request, inout LoopbackResponse) -> Void = { _, _ in }
    ) throws -> LoopbackServer {
        try LoopbackServer { request, _ in
            let parts = URLComponents(string: request.target)
            let headers = request.headers.map { ($0.key.capitalized, $0.value) }
            let taken = Request(
                method: request.method, path: parts?.path ?? "",
                query: Dictionary((parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 },
                headers: Dictionary(headers) { $1 }, body: String(decoding: request.body, as: UTF8.self))
            let response = answer(taken)
            var sent = LoopbackResponse(status: response.status, body: Array(response.body))
            change(taken, &sent)
            return sent
        }
    }
}

extension HTTPResponse {
    static func data(_ body: Data, status: Int = 200, headers: [String: String] = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: body, url: "")
    }

    static func json(_ value: Any, status: Int = 200, headers: [String: String] = [:]) -> HTTPResponse {
        let body = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
        return .data(body ?? Data(), status: status, headers: headers)
    }

    static func text(_ text: String = "", status: Int = 200) -> HTTPResponse {
        .data(Data(text.utf8), status: status, headers: ["content-type": "text/plain"])
    }
}

/// A memory for the length of a test.
final class TestMemory: SyncCursorStore {
    private let values = Mutex<[String: Data]>([:])

    var origins: Set<String> { values.withLock { Set($0.keys) } }

    func load(_ origin: String) -> Data? { values.withLock { $0[origin] } }
    func save(_ data: Data, for origin: String) { values.withLock { $0[origin] = data } }
}

/// An account on a scripted server, and a history that notes when an import came to its end.
final class TestAccount {
    static let now = Date(timeIntervalSince1970: 1_795_291_200)

    let kind: ServerKind
    let server: ScriptedServer
    let memory: TestMemory
    /// Who asks: the server itself, unless it is asked over the wire.
    private(set) var client: any HTTPClient
    /// Which then lives as long as the account.
    private var wire: LoopbackServer?
    var user = "ana"
    var address: String
    /// Of the last import that came to its end.
    var previousImport: Date?

    init(
        _ kind: ServerKind, _ server: ScriptedServer, address: String = "https://rss.example",
        memory: TestMemory = TestMemory()
    ) {
        self.kind = kind
        self.server = server
        self.client = server
        self.memory = memory
        self.address = address
    }

    /// An account on a server with a real socket, and with the real client.
    convenience init(
        _ kind: ServerKind, _ wire: LoopbackServer, path: String = "",
        change: (inout CurlClient.Policy) -> Void = { _ in }
    ) {
        var policy = CurlClient.Policy()
        change(&policy)
        self.init(kind, ScriptedServer { _ in .text(status: 404) }, address: "http://127.0.0.1:\(wire.port)\(path)")
        (client, self.wire) = (CurlClient(policy), wire)
    }

    private func credentials() throws -> Credentials {
        let secret = try Secret("open sesame")
        return Credentials(user: user) { secret }
    }

    func signIn() async throws -> (address: String, user: String) {
        try await kind.signIn(address: address, credentials: try credentials(), client: server)
    }

    func source(now: Date = TestAccount.now) throws -> any ArticleSource {
        kind.source(address: address, credentials: try credentials(), client: client, memory: memory, now: now)
    }

    struct Outcome {
        var batch = ImportBatch()
        var batches = 0
        var error: PulseError?

        var titles: [String] { batch.titles }
    }

    /// Imports to the end or to the first failure.
    /// - Parameter batches: stops behind so many, as a kill does.
    func importAll(batches: Int = .max, now: Date = TestAccount.now) async throws -> Outcome {
        let source = try source(now: now)
        var outcome = Outcome()
        do {
            while outcome.batches < batches {
                guard let batch = try await source.next(previousImport: previousImport) else {
                    try source.noteStored(isLast: true)
                    previousImport = now
                    break
                }
                outcome.batches += 1
                outcome.batch.append(batch)
                try source.noteStored(isLast: false)
            }
        } catch {
            try source.noteStored(isLast: true)
            outcome.error = error.asPulseError
        }
        return outcome
    }
}
