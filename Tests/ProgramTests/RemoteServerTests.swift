import Foundation
import PulseTestSupport
import Testing

/// `--rpc`, with real servers and with some that are none.
@Suite(.timeLimit(.minutes(20))) struct RemoteServerProgramTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.importSample()
    }

    private func today(_ server: String, _ more: String...) throws -> Outcome {
        try sandbox.run(["today", "--category", "gardening", "--rpc", server] + sandbox.written + more)
    }

    @Test(.enabled(if: RPCServer.isThere, "\(RPCServer.absence)")) func theDigestIsThatOfThisMachine() throws {
        let server = try RPCServer()
        let there = try today(server.address).ends(0)
        let here = try sandbox.run(["today", "--category", "gardening", "--fresh"] + sandbox.written)
        // But for how long it took, which is only said of a slow one.
        func lines(_ outcome: Outcome) -> [Substring] {
            outcome.output.split(separator: "\n").filter { !$0.hasPrefix("That took") }
        }
        #expect(lines(here) == lines(there))
        let doctor = try sandbox.run("doctor", "--model", sandbox.model, "--rpc", server.address)
        #expect(doctor.output.contains("layers on \(server.address)"), "\(doctor.output)")
    }

    /// The mail is whole: the stories that the model did not reach are in their publications' words.
    @Test(.enabled(if: RPCServer.isThere, "\(RPCServer.absence)")) func aServerThatDiesInTheMiddle() throws {
        let mails = sandbox.folder.file("mails")
        let sendmail = try sandbox.folder.writeProgram("#!/bin/sh\ncat >> '\(mails)'\n", to: "sendmail")
        let server = try RPCServer(computations: 4)
        try today(server.address, "--send", "--to", "ana@example.org", "--sendmail", sendmail).ends(
            0, "The RPC server \(server.address) ended the connection")
        let mail = try String(contentsOfFile: mails, encoding: .utf8)
        #expect(mail.components(separatedBy: "Message-ID:").count == 2)
        #expect(mail.hasSuffix("--\n"), "\(mail.suffix(80))")
    }

    /// It is greeted and asked for its devices, and gone when it is to keep a connection. The other one is not blamed.
    @Test(.enabled(if: RPCServer.isThere, "\(RPCServer.absence)")) func aServerThatDiesBeforeItIsUsed() throws {
        let (gone, other) = (try RPCServer(connections: 2), try RPCServer())
        try sandbox.run("doctor", "--model", sandbox.model, "--rpc", "\(gone.address),\(other.address)")
            .ends(75, printing: "The RPC server \(gone.address) ended the connection")
    }

    /// Something that speaks, but not this.
    @Test(.enabled(if: RPCServer.isThere, "\(RPCServer.absence)")) func anotherProtocol() throws {
        let server = try RPCServer(isReal: false)
        try today(server.address).ends(0, "speaks another version of ggml's RPC protocol", printing: "“")
    }

    @Test(.enabled(if: !RPCServer.isThere)) func withoutRPCItIsRefused() throws {
        try today("127.0.0.1:9").ends(nil, "was built without RPC")
    }

    @Test func theSettingsServersAreLeftOutForOnce() throws {
        sandbox.environment["PULSE_DIGEST_RPC"] = "127.0.0.1:9"
        #expect(try today("", "--fresh").status == 0)
        try today("127.0.0.1:9", "--gpu-layers", "0").ends(64, "--rpc does not apply")
    }
}
