import Foundation
import PulseTestSupport
import Testing

/// The completions in the real shells, on a pseudo-terminal: what is typed before the Tab, and what stands there after
/// it.
@Suite(.timeLimit(.minutes(20))) struct ShellCompletionTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        let program = URL(fileURLWithPath: Sandbox.program).deletingLastPathComponent().path
        sandbox.environment["PATH"] = program + ":/usr/bin:/bin"
        sandbox.environment["TERM"] = "xterm"
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
        try sandbox.importSample()
        try Data().write(to: URL(fileURLWithPath: sandbox.folder.file("home") + "/zeitung.jsonl"))
        _ = try sandbox.run("today")
    }

    /// What is typed, and the last word that it becomes.
    private static let words = [
        ("tod", "today"), ("today --hours 24 --max-s", "--max-stories"), ("--quiet histo", "history"),
        ("today --format=h", "--format=html"), ("today --format h", "html"), ("models pull smol", "smollm2-135m"),
        ("completions f", "fish"), ("today --category ent", "entertainment"),
        ("history list --source The\\ H", "The Herald"),
        ("history show 560d", "560d9a6"), ("import zei", "zeitung.jsonl"), ("import --map x=y zei", "zeitung.jsonl"),
        ("config set maxT", "maxTokens"), ("today --date 2026-1", "2026-11-21"),
    ]

    /// - Parameter show: Defines the command `show`, which prints its words as the shell has them, and then `end`.
    private func complete(
        _ shell: [String], setup: String, show: String = "show() { printf '<%s>' \"$@\"; echo en''d; }"
    ) throws {
        // The quotation marks keep the echo of what is typed from being taken for the answer.
        var steps = [["cd; \(show); \(setup); echo rea''dy\n", "ready"]]
        // Ctrl-A leads back to the beginning of the line.
        for (typed, _) in Self.words { steps.append(["pulse-digest \(typed)\t\u{1}show \n", "end"]) }
        steps.append(["exit\n", ""])
        let process = Process()
        process.currentDirectoryURL = URL(fileURLWithPath: sandbox.folder.file("home"))
        let outcome = try sandbox.start(
            [Sandbox.fixtures + "/terminal.py", "40", "200"] + shell, input: JSONEncoder().encode(steps),
            process: process, program: "/usr/bin/python3"
        ).finish()
        for (typed, word) in Self.words {
            #expect(outcome.output.contains("<\(word)>end"), "\(typed): \(outcome.output.suffix(3000))")
        }
    }

    private static func isInstalled(_ shell: String) -> Bool {
        ["/usr/bin/python3", "/usr/bin/" + shell].allSatisfy(FileManager.default.isExecutableFile)
    }

    @Test(.enabled(if: isInstalled("bash"))) func bash() throws {
        try complete(["bash", "--noprofile", "--norc", "-i"], setup: "source <(pulse-digest completions bash)")
    }

    /// The second Tab lists the numbers, each with the story that it stands for.
    @Test(.enabled(if: isInstalled("bash"))) func bashSaysWhatNumbersStandFor() throws {
        let steps = [
            ["source <(pulse-digest completions bash); echo rea''dy\n", "ready"],
            ["pulse-digest summarize 1\t\t", "12  ("], ["\u{15}exit\n", ""],
        ]
        try sandbox.start(
            [Sandbox.fixtures + "/terminal.py", "40", "100", "bash", "--noprofile", "--norc", "-i"],
            input: JSONEncoder().encode(steps), program: "/usr/bin/python3"
        ).finish().ends(nil, printing: "1  (Tamsin dam gates")
    }

    /// Also from a folder of functions.
    @Test(
        .enabled(if: isInstalled("zsh")),
        arguments: [
            "autoload -Uz compinit && compinit -u -D && source <(pulse-digest completions zsh)",
            "mkdir f && pulse-digest completions zsh > f/_pulse-digest && fpath=(~/f $fpath) && "
                + "autoload -Uz compinit && compinit -u -D",
        ])
    func zsh(setup: String) throws { try complete(["zsh", "-f", "-i"], setup: setup) }

    @Test(.enabled(if: isInstalled("fish"))) func fish() throws {
        try complete(
            ["fish", "--no-config", "-i"], setup: "pulse-digest completions fish | source",
            show: "function show; printf '<%s>' $argv; echo en''d; end")
    }
}
