import Foundation
import PulseTestSupport
import Testing

/// A place where the built program runs like a user's: a home of its own, a minimal environment, the fixture model.
final class Sandbox {
    let folder: TemporaryFolder
    let store: String
    let model: String
    var environment: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("history.sqlite")
        model = folder.file("fixture.gguf")
        environment = ["HOME": folder.file("home"), "PATH": "/usr/bin:/bin", "TZ": "UTC"]
        // Many runs at once share the machine, and threads that wait for one another are slow where cores are few.
        environment["PULSE_DIGEST_THREADS"] = "1"
        // The clock stands still, so that no test fails at midnight.
        environment["PULSE_DIGEST_NOW"] = Sandbox.now.formatted(.iso8601)
        // What the program's own runs cover counts too, where coverage is measured.
        environment["LLVM_PROFILE_FILE"] = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"]
        try folder.makeFolder("home")
        try FixtureModel.write(to: model)
    }

    /// One with the sample history.
    static func withSample(isReady: Bool = false) throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.importSample(isReady: isReady)
        return sandbox
    }

    /// 21 November 2026, 20:00 in UTC.
    static let now = Date(timeIntervalSince1970: 1_795_291_200)

    /// The optimized one that `make test` names; else the one beside the test bundle, where the build puts both.
    static let program =
        ProcessInfo.processInfo.environment["PULSE_DIGEST_TEST_PROGRAM"] ?? Repository.product("pulse-digest").path

    static let fixtures = Repository.fixtures.path

    static let sampleHistory = fixtures + "/sample-history.jsonl"

    /// The options of a run in which no model is asked, because none is there.
    var plain: [String] { ["--store", store] }
    /// The same where the fixture model writes, and soon ends: letters at random, which no story bears out.
    var written: [String] { ["--store", store, "--model", model, "--max-tokens", "4"] }

    /// Runs the program to its end.
    func run(_ arguments: [String], input: Data? = nil) throws -> Outcome {
        try start(arguments, input: input).finish()
    }

    func run(_ arguments: String..., input: Data? = nil) throws -> Outcome { try run(arguments, input: input) }

    /// Runs a line of the shell, in which `$P` is the program.
    func shell(_ line: String) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line]
        return try Running(process, environment: environment.merging(["P": Sandbox.program]) { $1 }, input: nil)
            .finish()
    }

    /// - Parameters:
    ///   - process: One whose standard input is already set, where `input` will not do.
    ///   - program: Another copy of the program.
    func start(
        _ arguments: [String], input: Data? = nil, process: Process = Process(), program: String = Sandbox.program
    ) throws -> Running {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        return try Running(process, environment: environment, input: input)
    }

    /// Starts the program at a terminal, where a person types and reads.
    func start(
        _ arguments: [String], program: String = Sandbox.program, at terminal: PseudoTerminal
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = environment
        let end = FileHandle(fileDescriptor: terminal.terminal)
        (process.standardInput, process.standardOutput, process.standardError) = (end, end, end)
        try process.run()
        return process
    }

    /// Has somebody talk to the program at a terminal until it ends, which has to be well.
    ///
    /// - Parameter steps: What is waited for, and what is typed then; nil: nothing.
    /// - Returns: All that was shown.
    @discardableResult
    func talk(_ steps: [(String, String?)], with arguments: [String] = []) async throws -> String {
        let terminal = try PseudoTerminal()
        let process = try start(arguments, at: terminal)
        var isAsShown = true
        for (shown, typed) in steps where isAsShown {
            isAsShown = try await terminal.wait(for: shown) { !process.isRunning }
            if isAsShown, let typed { terminal.type(typed) }
        }
        let shown = try await terminal.rest { !process.isRunning }
        guard isAsShown, process.terminationStatus == 0 else {
            throw Unexpected(
                outcome: Outcome(status: process.terminationStatus, signal: nil, output: shown, errors: ""))
        }
        return shown
    }

    /// Has the program take a sendmail of the test's own, a script in which `$F` is the sandbox's folder.
    func installSendmail(_ script: String) throws {
        environment["F"] = folder.path
        environment["PULSE_DIGEST_SENDMAIL"] = try folder.writeProgram("#!/bin/sh\n\(script)\n", to: "sendmail")
    }

    /// Puts a crontab of the test's own before all programs, as Debian's does it, with its table in `$F/crontab`; and
    /// gives the machine's time zone back, by which cron goes.
    func installCrontab() throws {
        environment["F"] = folder.path
        environment["PATH"] = folder.file("bin") + ":/usr/bin:/bin"
        environment["TZ"] = nil
        try folder.writeProgram(
            """
            #!/bin/sh
            case $1 in
            -l) [ -e "$F/crontab" ] || { echo "no crontab for ana" >&2; exit 1; }; sed 's/\\r$/\\\\r/' "$F/crontab" ;;
            -e) touch "$F/crontab"; eval "$EDITOR '$F/crontab'"; echo "No modification made" >&2 ;;
            -r) rm "$F/crontab" ;;
            -) cat > "$F/crontab" ;;
            *) exit 64 ;;
            esac

            """, to: "bin/crontab")
        try folder.writeProgram("#!/bin/sh\ncat > /dev/null\n", to: "bin/sendmail")
    }

    /// The file of settings.
    var configuration: String { folder.file("home/.config/pulse-digest/config.json") }

    func configure(_ text: String) throws { try folder.write(text, to: "home/.config/pulse-digest/config.json") }

    /// Waits until a program has made a file, for ten minutes at most.
    func awaitFile(_ path: String) throws {
        for _ in 0..<60_000 where !FileManager.default.fileExists(atPath: path) { usleep(10_000) }
        guard FileManager.default.fileExists(atPath: path) else { throw CocoaError(.fileNoSuchFile) }
    }

    /// Imports articles, each with its keys in JSON Lines.
    func read(_ articles: [[String: String]], program: String = Sandbox.program) throws {
        let lines = try articles.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let input = Data(lines.joined(separator: "\n").utf8)
        try start(["import", "jsonl", "-"] + plain, input: input, program: program).finish().succeeded()
    }

    /// An article that the sample history does not have.
    static let kite = [
        "id": "new", "title": "Kite seen", "content": "A kite was seen over Orlen on Monday.", "category": "health",
        "read_at": "-PT1H",
    ]

    /// An article about a lock that has reopened, and its first sentence.
    static func lock() -> [String: String] {
        [
            "id": "lock00001", "title": "Calder lock reopens", "source": "Harbour Post",
            "content": lockReport + " Repairs had cost 4 million crowns. The lock was built in 1911.",
            "category": "world", "language": "en", "read_at": "-PT3H",
        ]
    }

    static let lockReport = """
        The harbour office of Calder reopened the northern lock on Monday after nine weeks of repairs, and forty \
        ships that had waited in the bay passed through it before dusk.
        """

    /// The store of the sample history, as the program makes it, with all vectors: an import stops making them after five
    /// seconds, and each digest of a copy would make the rest.
    private static let sample = Result {
        let sandbox = try Sandbox()
        for _ in 0..<4 { try sandbox.makeSample() }
        return try Data(contentsOf: URL(fileURLWithPath: sandbox.store))
    }

    private func makeSample() throws {
        try run("import", "jsonl", Sandbox.sampleHistory, "--store", store).succeeded()
    }

    /// The same, ready for questions.
    private static let ready = Result {
        let sandbox = try Sandbox.withSample()
        try sandbox.run("prepare", "--store", sandbox.store).succeeded()
        return try Data(contentsOf: URL(fileURLWithPath: sandbox.store))
    }

    /// The program makes it once for all tests; an import takes longer than most of them.
    ///
    /// - Parameters:
    ///   - path: Nil: `store`.
    ///   - isReady: Whether it is ready for questions.
    func importSample(to path: String? = nil, isReady: Bool = false) throws {
        guard environment["PULSE_DIGEST_NOW"] == Sandbox.now.formatted(.iso8601) else { return try makeSample() }
        let path = path ?? store
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        let contents = try (isReady ? Sandbox.ready : Sandbox.sample).get()
        guard FileManager.default.createFile(atPath: path, contents: contents, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Where the program keeps its store if no other is named.
    var usualStore: String { folder.file("home/.local/share/pulse-digest/history.sqlite") }
}

/// A suite whose tests run commands on the store of a sandbox.
protocol StoreSuite {
    var sandbox: Sandbox { get }
}

extension StoreSuite {
    /// Runs a command.
    ///
    /// - Parameters:
    ///   - line: Its words, with spaces between them.
    ///   - words: Further words, which may hold spaces.
    func run(_ line: String, _ words: String..., input: Data? = nil) throws -> Outcome {
        try run(line, words, input: input)
    }

    func run(_ line: String, _ words: [String], input: Data? = nil) throws -> Outcome {
        try sandbox.run(line.split(separator: " ").map(String.init) + words + sandbox.plain, input: input)
    }

    /// What a command prints as JSON.
    func json(_ line: String) throws -> [String: Any] { try run(line + " --format json").object() }

    /// Sets the clock: a time, or a day of November 2026 and an hour.
    func at(_ time: String) { sandbox.environment["PULSE_DIGEST_NOW"] = time }

    func clock(_ day: Int, _ hour: Int) { at(String(format: "2026-11-%02dT%02d:00:00Z", day, hour)) }
}

/// How a run ended, and what it said.
struct Outcome {
    let status: Int32
    /// The number of the signal that ended it; nil where it ended by itself.
    let signal: Int32?
    let output: String
    let errors: String
}

struct Unexpected: Error { let outcome: Outcome }

extension Outcome {
    /// Expects that a run ended with a status, and what it said.
    ///
    /// - Parameters:
    ///   - status: Nil: whatever it is.
    ///   - words: Each has to be among its errors.
    ///   - printed: Each has to be in its output.
    ///   - beginning: What its output begins with; nil: whatever it is.
    ///   - unwanted: None may be in its output.
    ///   - output: All of its output; nil: whatever it is.
    ///   - errors: All of its errors; nil: whatever they are.
    @discardableResult
    func ends(
        _ status: Int32?, _ words: String..., printing printed: String..., beginning: String? = nil,
        without unwanted: String..., output: String? = nil, errors: String? = nil,
        at place: SourceLocation = #_sourceLocation
    ) -> Outcome {
        let said: Comment = "\(self.output)\(self.errors)"
        #expect(status == nil || self.status == status && signal == nil, said, sourceLocation: place)
        for word in words { #expect(self.errors.contains(word), said, sourceLocation: place) }
        for word in printed { #expect(self.output.contains(word), said, sourceLocation: place) }
        if let beginning { #expect(self.output.hasPrefix(beginning), said, sourceLocation: place) }
        for word in unwanted { #expect(!self.output.contains(word), said, sourceLocation: place) }
        if let output { #expect(self.output == output, "\(self.errors)", sourceLocation: place) }
        if let errors { #expect(self.errors == errors, sourceLocation: place) }
        return self
    }

    /// What a test goes on from: a run that ended well.
    @discardableResult
    func succeeded() throws -> Outcome {
        guard status == 0 else { throw Unexpected(outcome: self) }
        return self
    }

    /// The JSON object that it printed.
    func object() throws -> [String: Any] {
        guard let object = try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] else {
            throw Unexpected(outcome: self)
        }
        return object
    }
}

extension [String: Any] {
    /// The stories of a digest in JSON, of all its sections.
    var stories: [[String: Any]] {
        (self["sections"] as? [[String: Any]] ?? []).flatMap { $0["stories"] as? [[String: Any]] ?? [] }
    }
}

/// A run that has begun.
final class Running {
    let process: Process
    let output: FileHandle
    private let errorFile: FileHandle
    private let errorPath: TemporaryFolder

    init(_ process: Process, environment: [String: String], input: Data?) throws {
        self.process = process
        process.environment = environment
        let out = Pipe()
        process.standardOutput = out
        output = out.fileHandleForReading
        // A file takes any amount of errors without anybody reading beside.
        errorPath = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: errorPath.file("errors")))
        errorFile = try FileHandle(forUpdating: URL(fileURLWithPath: errorPath.file("errors")))
        process.standardError = errorFile
        if let input {
            let file = errorPath.file("input")
            try input.write(to: URL(fileURLWithPath: file))
            process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        } else if process.standardInput as? FileHandle == FileHandle.standardInput || process.standardInput == nil {
            process.standardInput = FileHandle.nullDevice
        }
        try process.run()
        // Ours stays open otherwise, and the end of the output would never be seen.
        try? out.fileHandleForWriting.close()
    }

    /// Reads until the output holds a text, and returns all that was read; the rest stays to be read.
    func read(until text: String) -> String {
        var read = Data()
        while !String(decoding: read, as: UTF8.self).contains(text) {
            let more = output.availableData
            if more.isEmpty { break }
            read += more
        }
        return String(decoding: read, as: UTF8.self)
    }

    func finish() -> Outcome {
        let rest = (try? output.readToEnd()) ?? Data()
        process.waitUntilExit()
        try? errorFile.seek(toOffset: 0)
        let errors = (try? errorFile.readToEnd()) ?? Data()
        let isSignal = process.terminationReason == .uncaughtSignal
        return Outcome(
            status: process.terminationStatus, signal: isSignal ? process.terminationStatus : nil,
            output: String(decoding: rest, as: UTF8.self), errors: String(decoding: errors, as: UTF8.self))
    }
}
