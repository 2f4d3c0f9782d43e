import Foundation
import PulseTestSupport
import Testing

/// The whole of it: the real cron starts the real program from a real crontab, the real msmtp sends the mail, and a
/// server on the loopback takes it. For a machine that is nobody's, such as that of a continuous build: the crontab is
/// root's.
@Suite(.timeLimit(.minutes(20))) struct RealCronTests {
    @Test(.enabled(if: RealCron.missing == nil, Comment(rawValue: RealCron.missing ?? "")))
    func theMailComesFromCron() async throws {
        let sandbox = try Sandbox()
        // cron's run goes by the machine's clock, so the history does too.
        sandbox.environment["PULSE_DIGEST_NOW"] = nil
        try sandbox.importSample()
        let server = try MailServer()
        try sandbox.folder.write(
            "account default\nhost 127.0.0.1\nport \(server.port)\nfrom digest@example.org\nauth off\ntls off\n",
            to: "home/.msmtprc")
        chmod(sandbox.folder.file("home/.msmtprc"), 0o600)
        let before = "# somebody's own line, with 100\\% and no more\r\nNAME=value\n"
        try sandbox.folder.write(before, to: "before")
        #expect(try sandbox.shell("crontab '\(sandbox.folder.file("before"))'").status == 0)
        defer { _ = try? sandbox.shell("crontab -r") }
        #expect(try table(sandbox) == before)

        sandbox.environment["TZ"] = "Asia/Kathmandu"
        let clock = DateFormatter()
        clock.locale = Locale(identifier: "en_US_POSIX")
        clock.timeZone = TimeZone(identifier: "Asia/Kathmandu")
        clock.dateFormat = "HH:mm"
        // The crontab must be in place well before its minute begins, however busy the machine is.
        var soon: Date
        repeat {
            soon = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 60).rounded(.down) * 60 + 120)
            let installed = try sandbox.run([
                "schedule", "install", "--at", clock.string(from: soon), "--to", "Zoë Araújo <zoe@example.org>",
                "--sendmail", "/usr/bin/msmtp", "--store", sandbox.store, "--max-stories", "4",
            ])
            try #require(installed.status == 0, "\(installed.errors)")
        } while soon.timeIntervalSinceNow < 30
        // Twice is once.
        let installedTable = try table(sandbox)
        #expect(installedTable.hasPrefix(before) && installedTable.contains("--scheduled cron"))

        let cron = Process()
        cron.executableURL = URL(fileURLWithPath: RealCron.cron)
        cron.arguments = ["-f"]
        cron.environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]
        cron.standardError = FileHandle.nullDevice
        try cron.run()
        // It has the blocked signals of the thread that started it, SIGTERM among them.
        defer { kill(cron.processIdentifier, SIGKILL) }
        let mail = try await server.message(1)
        #expect(mail.recipients == ["zoe@example.org"] && mail.names == ["Zoë Araújo"])
        #expect(mail.type == "multipart/alternative" && mail.types == ["text/plain", "text/html"])
        #expect(mail.attachments == 0 && mail.defects.isEmpty)
        #expect(mail.longest <= 998)
        #expect(mail.headers["Auto-Submitted"] == "auto-generated")
        #expect(mail.headers["Date"]?.hasSuffix("+0545") == true)
        #expect(mail.texts.allSatisfy { $0.contains("Kestria") })

        // The server has it a moment before the program knows.
        while try !sandbox.run("schedule", "show").output.contains(#/handed to sendmail, \d+ articles, 1 email/#) {
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(try sandbox.run("schedule", "remove").status == 0)
        #expect(try table(sandbox) == before)
    }

    /// What cron reads, less the three lines that Debian's crontab puts above: `crontab -l` shows a carriage return as
    /// \r.
    private func table(_ sandbox: Sandbox) throws -> String {
        try sandbox.shell("tail -n +4 /var/spool/cron/crontabs/root").output
    }
}

private enum RealCron {
    static let cron = "/usr/sbin/cron"

    /// What keeps this test from being run; nil where nothing does.
    static let missing: String? = {
        let files = FileManager.default
        guard ProcessInfo.processInfo.environment["REAL_CRON"] == "1" else {
            return "it waits two minutes: REAL_CRON=1"
        }
        guard geteuid() == 0 else { return "only root may start a cron daemon" }
        for program in [cron, "/usr/bin/crontab", "/usr/bin/msmtp", python]
        where !files.isExecutableFile(atPath: program) {
            return "\(program) is not here: apt-get install cron msmtp python3-aiosmtpd"
        }
        guard succeeds(python, "-c", "import aiosmtpd") else { return "apt-get install python3-aiosmtpd" }
        let processes = (try? files.contentsOfDirectory(atPath: "/proc")) ?? []
        let isRunning = processes.contains { process in
            files.contents(atPath: "/proc/\(process)/comm").map { String(decoding: $0, as: UTF8.self) } == "cron\n"
        }
        if isRunning { return "a cron daemon is running, so this machine is somebody's" }
        if succeeds("/usr/bin/crontab", "-l") { return "root has a crontab, so this machine is somebody's" }
        return nil
    }()

    static let python = "/usr/bin/python3"

    private static func succeeds(_ words: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

/// aiosmtpd on the loopback, and what it has taken, as Python's email library reads it.
private final class MailServer {
    struct Message: Decodable {
        let recipients, names, types, texts, defects: [String]
        let headers: [String: String]
        let type: String
        let attachments, longest: Int
    }

    let port: Int
    private let folder: TemporaryFolder
    private let process = Process()

    init() throws {
        folder = try TemporaryFolder()
        process.executableURL = URL(fileURLWithPath: RealCron.python)
        process.arguments = [Sandbox.fixtures + "/smtp-sink.py", folder.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        try? pipe.fileHandleForWriting.close()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = pipe.fileHandleForReading.availableData
            if more.isEmpty { throw CocoaError(.fileReadUnknown) }
            line += more
        }
        port = Int(String(decoding: line.dropLast(), as: UTF8.self)) ?? 0
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for it.
    func message(_ number: Int) async throws -> Message {
        while true {
            if let bytes = FileManager.default.contents(atPath: folder.file("\(number).json")) {
                return try JSONDecoder().decode(Message.self, from: bytes)
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
