import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulsePlatform

/// Against a server with TLS, which Python can be, and a certificate for `localhost`, which OpenSSL can make.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TLSServer.isAvailable, "needs python3 and openssl"))
struct EncryptionTests {
    /// Asks as the user may, also for what is not encrypted.
    private func answer(_ url: String, trusting certificates: String? = nil) async throws -> HTTPResponse {
        var policy = CurlClient.Policy()
        policy.environment = [:]
        policy.certificates = certificates
        var request = HTTPRequest(url)
        request.isFromUser = true
        request.allowsPlainHTTP = true
        return try await CurlClient(policy).send(request)
    }

    @Test func aCertificateThatNobodyVouchesForIsRefused() async throws {
        let server = try TLSServer()
        let error = try await fails(.unavailable) { try await answer("https://localhost:\(server.port)/?key=hunter2") }
        #expect(error.message.hasPrefix("The certificate of localhost cannot be trusted"))
        #expect(!"\(error)\(error.cause ?? "")".contains("hunter2"))
    }

    @Test func oneThatTheUserTrustsIsGood() async throws {
        let server = try TLSServer()
        let answer = try await answer("https://localhost:\(server.port)/", trusting: server.certificate)
        #expect(answer.status == 200 && answer.body == Data("encrypted".utf8))
    }

    @Test func theNameInItMustBeTheServers() async throws {
        let server = try TLSServer()
        try await fails(.unavailable, "The certificate of 127.0.0.1 cannot be trusted") {
            try await answer("https://127.0.0.1:\(server.port)/", trusting: server.certificate)
        }
    }

    @Test func noRedirectGivesTheEncryptionUp() async throws {
        let server = try TLSServer()
        let error = try await fails(.permission) {
            try await answer("https://localhost:\(server.port)/plain", trusting: server.certificate)
        }
        #expect(error.message == "localhost redirects from https to plain http at localhost, which is not followed.")
    }

    @Test func aServerWithoutTLS() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse()])
        try await fails(.unavailable, "encrypted connection to 127.0.0.1") {
            try await answer("https://127.0.0.1:\(server.port)/")
        }
    }
}

/// `https://localhost`, with a certificate that it has signed itself. It ends with its owner, or when that dies.
private final class TLSServer: Sendable {
    let port: Int
    /// A PEM file.
    let certificate: String
    private let folder: TemporaryFolder
    private let input: FileHandle

    private static let python = program("python3")
    private static let openssl = program("openssl")
    static let isAvailable: Bool = {
        guard openssl != nil, let python else { return false }
        return (try? output(of: python, ["-c", "import ssl, http.server"])) != nil
    }()

    init() throws {
        folder = try TemporaryFolder()
        certificate = folder.file("certificate.pem")
        let key = folder.file("key.pem")
        _ = try Self.output(
            of: #require(Self.openssl),
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ])
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.python))
        process.arguments = ["-c", Self.script, certificate, key]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.input = input.fileHandleForWriting
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    deinit { try? input.close() }

    private static func program(_ name: String) -> String? {
        ProgramSearch(environment: ProcessInfo.processInfo.environment).find(name)
    }

    /// Throws unless it ends well.
    private static func output(of program: String, _ arguments: [String]) throws -> Data {
        let child = ChildProcess(path: program, arguments: arguments, environment: ProcessInfo.processInfo.environment)
        let outcome = try child.runBlocking { false }
        guard outcome.ending == .exited(0) else { throw CocoaError(.executableLoad) }
        return outcome.output
    }

    private static let script = """
        import http.server, os, ssl, sys, threading
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/plain":
                    self.send_response(302)
                    self.send_header("Location", "http://localhost:1/")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                else:
                    self.send_response(200)
                    self.send_header("Content-Length", "9")
                    self.end_headers()
                    self.wfile.write(b"encrypted")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(server.server_address[1], flush=True)
        sys.stdin.read()
        """
}
