import Foundation
import PulseTestSupport
import Testing

/// What a model writes is seen while it writes: on a terminal each word, subdued until its sentence is checked; in a
/// pipe each sentence that was. The model writes a script, or is a real one where that was fetched.
@Suite(.timeLimit(.minutes(20))) struct StreamingTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["TERM"] = "xterm"
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
    }

    // MARK: - What is read and written

    /// Begins as the report does and then says what it does not.
    private static let invented = """
        The harbour office of Calder reopened the northern lock on Monday after nine weeks of repairs, and forty \
        elephants from Ruritania bought 812 lighthouses for Chancellor Zebedee, who promised marmalade to everybody.
        """
    /// Never ends.
    private static let endless = """
        The harbour office of Calder reopened the northern lock on Monday after nine weeks of repairs, and forty \
        elephants danced slowly round eighteen lighthouses under purple umbrellas because nobody else wanted them,
        """

    /// One story, and a model that answers everything with a script.
    private func prepare(_ script: String, repeats: Bool = false) throws {
        try FixtureModel.write(to: sandbox.model) { model in
            model.width = 512
            model.script = script
            model.repeats = repeats
        }
        try sandbox.read([Sandbox.lock()])
    }

    private func options(_ command: String, _ more: [String] = []) -> [String] {
        command.split(separator: " ").map(String.init) + ["--model", sandbox.model, "--max-tokens", "400", "--fresh"]
            + more
    }

    /// What a terminal shows in the end, and on the way.
    private func shown(_ arguments: [String], columns: Int = 80) async throws -> (screen: Screen, status: Int32) {
        let terminal = try PseudoTerminal(columns: UInt16(columns))
        let process = try sandbox.start(arguments, at: terminal)
        _ = try await terminal.rest { !process.isRunning }
        var screen = Screen(columns: columns)
        try screen.feed(terminal.bytes)
        return (screen, process.terminationStatus)
    }

    private func piped(_ arguments: [String]) throws -> String {
        let outcome = try sandbox.run(arguments).ends(0, errors: "")
        #expect(!outcome.output.contains("\u{1b}"))
        return outcome.output
    }

    /// Without how long the model took, which no two runs agree on.
    private func words(_ text: some StringProtocol) -> [Substring] {
        String(text).split(whereSeparator: \.isWhitespace).split(separator: ["That", "took"])
            .enumerated().flatMap { $0 == 0 ? $1 : $1.dropFirst(2) }
    }

    /// The unfinished sentences that a terminal showed, in order and each once.
    private func unfinished(_ screen: Screen) -> [String] {
        var texts: [String] = []
        for frame in screen.earlier {
            // A story's words begin behind its number.
            let words = words(frame.map(\.text).joined(separator: " "))
            guard words.last?.hasSuffix("…") == true, let start = words.lastIndex(of: "The") else { continue }
            let text = words[start...].joined(separator: " ")
            if texts.last != text { texts.append(text) }
        }
        return texts
    }

    // MARK: - On a terminal

    @Test(arguments: [("today", 24), ("today", 80), ("summarize lock0", 40)])
    func wordsAppearAsTheyAreWritten(command: String, columns: Int) async throws {
        try prepare(Sandbox.lockReport)
        let arguments = options(command, ["--check", "mark"])
        let (screen, status) = try await shown(arguments, columns: columns)
        #expect(status == 0)
        let steps = unfinished(screen)
        #expect(steps.count > 1, "\(screen.text)")
        for (step, next) in zip(steps, steps.dropFirst()) {
            #expect(next.count > step.count && next.hasPrefix(step.dropLast()), "\(step)\n\(next)")
        }
        // Subdued while nothing of them is checked, and no more.
        #expect(screen.earlier.contains { $0.last { !$0.text.isEmpty }?.subdued.hasSuffix("…") == true })
        #expect(screen.lines.contains { $0.text.contains("harbour") && !$0.subdued.contains("harbour") })
        #expect(screen.lines.allSatisfy { $0.text.count <= max(24, columns) })
        let pipe = try piped(arguments)
        #expect(pipe.contains("The harbour office of Calder"))
        #expect(words(screen.text) == words(pipe))
    }

    /// A small model may only quote: it chooses a sentence and writes none, so no words are seen that turn into others.
    @Test(arguments: [("today", 24), ("summarize lock0", 80)])
    func aRefusedSentenceGivesWay(command: String, columns: Int) async throws {
        try prepare(Self.invented)
        let (screen, status) = try await shown(options(command), columns: columns)
        #expect(status == 0)
        #expect(unfinished(screen).isEmpty, "\(unfinished(screen))")
        #expect(!screen.text.contains("elephants") && !screen.text.contains("…"), "\(screen.text)")
        let pipe = try piped(options(command))
        #expect(pipe.contains("“The harbour office of Calder") && !pipe.contains("elephants"))
        #expect(words(screen.text) == words(pipe))
    }

    @Test(arguments: ["today", "summarize lock0"]) func aMarkedSentenceStays(command: String) async throws {
        try prepare(Self.invented)
        let (screen, status) = try await shown(options(command, ["--check", "mark"]))
        #expect(status == 0)
        // It is written to its end, and seen on the way.
        #expect(unfinished(screen).contains { $0.contains("elephants") }, "\(unfinished(screen))")
        #expect(screen.text.contains("marmalade to everybody.") && !screen.text.contains("…"))
        #expect(try piped(options(command, ["--check", "mark"])).contains("marmalade to everybody. [?]"))
    }

    /// And --quiet is about the work alone.
    @Test(arguments: ["today", "summarize lock0"]) func withoutColoursTheSameIsSeen(command: String) async throws {
        sandbox.environment["NO_COLOR"] = "1"
        try prepare(Sandbox.lockReport)
        let arguments = options(command, ["--quiet", "--check", "mark"])
        let (screen, status) = try await shown(arguments)
        #expect(status == 0)
        #expect(unfinished(screen).count > 1)
        #expect(screen.lines.allSatisfy { $0.subdued.isEmpty })
        #expect(!screen.earlier.contains { $0.contains { $0.text.hasPrefix("Reading") } })
        #expect(try words(screen.text) == words(piped(arguments)))
    }

    @Test(arguments: [("today", "replace"), ("summarize lock0", "mark"), ("today", "off"), ("summarize lock0", "off")])
    func aTerminalThatCannotGoBackGetsWholeSentences(command: String, check: String) async throws {
        sandbox.environment["TERM"] = "dumb"
        try prepare(Sandbox.lockReport)
        let arguments = options(command, ["--check", check])
        let terminal = try PseudoTerminal()
        let process = try sandbox.start(arguments, at: terminal)
        let bytes = try await terminal.rest { !process.isRunning }
        #expect(process.terminationStatus == 0)
        #expect(!bytes.contains("\u{1b}") && !bytes.contains("\r") && !bytes.contains("…"))
        #expect(words(bytes).filter { $0 == "dusk." || $0.hasPrefix("dusk.”") }.count == 1, "\(bytes)")
        #expect(try words(bytes) == words(piped(arguments)))
    }

    /// Between two words the window is made narrower or wider; what was drawn before is taken away all the same.
    @Test(arguments: [("today", 80, 40), ("summarize lock0", 80, 24), ("today", 40, 100)])
    func theWindowMayChange(command: String, from: Int, to: Int) async throws {
        try prepare(Self.endless, repeats: true)
        let arguments = options(command, ["--check", "off", "--max-tokens", "80"])
        let terminal = try PseudoTerminal(columns: UInt16(from))
        let process = try sandbox.start(arguments, at: terminal)
        try await terminal.wait(for: "forty") { !process.isRunning }
        kill(process.processIdentifier, SIGSTOP)
        // What it has written is there, as soon as nothing more comes; what it would write is not.
        var screen = Screen(columns: from)
        var before = -1
        while before != terminal.bytes.count {
            before = terminal.bytes.count
            try await Task.sleep(for: .milliseconds(200))
            _ = try await terminal.rest { true }
        }
        try screen.feed(terminal.bytes)
        terminal.resize(columns: UInt16(to))
        screen.resize(columns: to)
        for signal in [SIGCONT, SIGWINCH] { kill(process.processIdentifier, signal) }
        _ = try await terminal.rest { !process.isRunning }
        try screen.feed(terminal.bytes.dropFirst(before))
        #expect(process.terminationStatus == 0)
        let pipe = try piped(arguments)
        #expect(pipe.contains("…") && words(screen.text) == words(pipe), "\(screen.text)")
    }

    // MARK: - Ended early

    @Test(arguments: [("today", "replace"), ("today", "mark"), ("summarize lock0", "mark"), ("summarize lock0", "off")])
    func interruptedItLeavesNothingUnchecked(command: String, check: String) async throws {
        try prepare(Self.endless, repeats: true)
        var screen = Screen(columns: 80)
        var status: Int32 = 0
        // What is whole is checked, and stays. A check that refuses may end it before, and on a busy machine so may the
        // limit of tokens.
        for attempt in 0..<4 where status == 0 {
            let terminal = try PseudoTerminal()
            let limits = ["--check", check, "--max-tokens", "3500", "--seed", "\(attempt)"]
            let process = try sandbox.start(options(command, limits), at: terminal)
            try await terminal.wait(for: "office") { !process.isRunning }
            if check == "replace", !process.isRunning { return }
            kill(process.processIdentifier, SIGINT)
            screen = Screen(columns: 80)
            _ = try await terminal.rest { !process.isRunning }
            try screen.feed(terminal.bytes)
            status = process.terminationStatus
            if check == "replace", status == 0 { return }
        }
        #expect(status == 130)
        // Where nothing is checked, there is nothing to hide. If the signal comes when all is told, the publication is
        // quoted.
        if check != "off" {
            let own = screen.text.replacing(/“The harbour office[^”]*”/, with: "")
            #expect(!own.contains("harbour office") && !screen.text.contains("…"), "\(screen.text)")
        }
        // What was told stays.
        #expect(screen.text.hasPrefix(command == "today" ? "Your digest" : "Calder lock"))
    }

    @Test(arguments: ["today", "summarize lock0"]) func outOfTimeItTellsTheRestItself(command: String) async throws {
        try prepare(Self.endless, repeats: true)
        let (screen, status) = try await shown(
            options(command, ["--check", "mark", "--max-tokens", "3500", "--timeout", "0.5"]))
        #expect(status == 0)
        #expect(screen.text.contains("--timeout") && screen.text.contains("“The harbour office"), "\(screen.text)")
        #expect(!screen.text.contains("elephants"), "\(screen.text)")
    }

    @Test(arguments: [("today", "off"), ("summarize lock0", "replace")])
    func whoeverReadsMayStop(command: String, check: String) throws {
        try prepare(Sandbox.lockReport)
        let line = options(command, ["--check", check]).map { "'\($0)'" }.joined(separator: " ")
        let outcome = try sandbox.shell("{ $P \(line); echo $? >'\(sandbox.store).status'; } | head -1")
        #expect(outcome.errors == "" && outcome.output.split(separator: "\n").count == 1)
        #expect(try String(contentsOfFile: sandbox.store + ".status", encoding: .utf8) == "0\n")
    }

    // MARK: - In a pipe

    /// Unchecked, each word goes out as it comes, and in the end the same stands there as in one piece.
    @Test(arguments: ["today", "summarize lock0"]) func uncheckedWordsGoOutAsTheyCome(command: String) throws {
        try prepare(Self.endless, repeats: true)
        let arguments = options(command, ["--check", "off", "--max-tokens", "200"])
        let running = try sandbox.start(arguments)
        var pieces: [String] = []
        while case let piece = running.output.availableData, !piece.isEmpty {
            pieces.append(String(decoding: piece, as: UTF8.self))
        }
        running.finish().ends(0)
        #expect(pieces.count > 5, "\(pieces)")
        let again = try sandbox.run(arguments.filter { $0 != "--fresh" })
        #expect(again.output == pieces.joined())
        #expect(pieces.joined().contains("… — Harbour Post") || command != "today")
    }

    // MARK: - A real model

    @Test(.enabled(if: RealModel.path != nil, "\(RealModel.absence)"), arguments: [40, 80])
    func aRealModelsWordsAreSeenAndChecked(columns: Int) async throws {
        try sandbox.importSample()
        let arguments =
            ["today", "--quiet", "--fresh", "--category", "world", "--max-stories", "6", "--check", "mark", "--model"]
            + [try #require(RealModel.path)]
        let (screen, status) = try await shown(arguments, columns: columns)
        #expect(status == 0)
        let steps = screen.earlier.compactMap { frame in frame.last { $0.subdued.hasSuffix("…") }?.text }
        #expect(Set(steps).count > 5)
        let pipe = try piped(arguments.filter { $0 != "--fresh" })
        #expect(words(screen.text) == words(pipe.replacing(" [?]", with: "")), "\(screen.text)")
    }
}
