import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct SecretTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ text: String, mode: Int) throws -> String {
        let path = try folder.write(text, to: "token")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test func nothingShowsIt() throws {
        let secret = try Secret("hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        let texts = ["\(secret)", String(describing: secret), String(reflecting: secret), "\([secret])", dumped]
        for text in texts { #expect(!text.contains("hunter2")) }
        #expect("\(secret)" == "•••" && secret.revealed() == "hunter2")
    }

    @Test(arguments: ["hunter2", "hunter2\n", "  hunter2\r\nfor the reader\n"])
    func itIsTheFirstLine(text: String) throws {
        #expect(try Secret(text).revealed() == "hunter2")
        #expect(try Secret.fromFile(file(text, mode: 0o600)).revealed() == "hunter2")
    }

    @Test(arguments: ["", "\n", " \nhunter2"]) func emptyIsRefused(text: String) throws {
        let path = try file(text, mode: 0o600)
        let error = try fails(.configuration) { try Secret.fromFile(path) }
        #expect(error.message == "The file \(path) is empty.")
    }

    @Test func aFileThatCannotEvenBeChangedWillDo() throws {
        #expect(try Secret.fromFile(file("hunter2", mode: 0o400)).revealed() == "hunter2")
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o620, 0o610]) func aFileForOthersIsRefused(mode: Int) throws {
        let path = try file("hunter2", mode: mode)
        let error = try fails(.permission) { try Secret.fromFile(path) }
        #expect(error.hint == "To make it readable by you only: chmod 600 '\(path)'")
    }

    @Test func noFile() throws {
        try fails(.noInput) { try Secret.fromFile(folder.file("none")) }
        try fails(.cannotRead) { try Secret.fromFile(folder.path) }
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(throws: PulseError.self) { try Secret.fromFile(pipe) }
    }

    @Test func aCommandPrintsIt() async throws {
        let secret = try await Secret.fromCommand(
            "printf '%s\\nfor the reader' \"$WORD\"", environment: ["WORD": "hunter2"])
        #expect(secret.revealed() == "hunter2")
    }

    @Test(arguments: [
        ("echo locked >&2; echo hunter2; exit 3", "failed: locked"), ("exit 1", "failed."),
        ("true", "the key, true, is empty."), ("kill -9 $$", "failed."),
    ])
    func aCommandThatFails(command: String, words: String) async throws {
        let error = try await fails(.configuration) { try await Secret.fromCommand(command, environment: [:]) }
        #expect(error.message.hasSuffix(words) && !"\(error.hint ?? "")\(error.cause ?? "")".contains("hunter2"))
    }

    @Test func aCommandThatWaits() async throws {
        let path = ["PATH": "/usr/bin:/bin"]
        try await fails(.tryAgain) {
            try await Secret.fromCommand("sleep 60", environment: path, timeout: .milliseconds(200))
        }
    }
}
