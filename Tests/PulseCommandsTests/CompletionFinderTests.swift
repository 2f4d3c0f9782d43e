import Testing

@testable import PulseCommands

@Suite(.timeLimit(.minutes(20))) struct CompletionFinderTests {
    /// The words that may come where a line ends.
    private func answer(_ line: String) -> CompletionFinder.Answer {
        CompletionFinder(commands: Program.commands) { kind, store in
            switch kind {
            case .models: [.init(word: "pulse-nano", meaning: "small"), .init(word: "gemma", meaning: "")]
            case .articles: [.init(word: "1", meaning: "One"), .init(word: "560d9a6", meaning: "Two")]
            case .sources: [.init(word: store ?? "The Herald", meaning: "")]
            case .settings: [.init(word: "maxStories", meaning: "")]
            default: []
            }
        }.answer(line.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
    }

    @Test(arguments: [
        ("to", ["today"]), ("history se", ["search"]), ("models pull p", ["pulse-nano"]), ("help sum", ["summarize"]),
        ("today --hours 24 --max-s", ["--max-stories"]), ("--store x to", ["today"]), ("--store=x to", ["today"]),
        ("--store= to", ["today"]),
        ("today --format=h", ["--format=html"]), ("today --format h", ["html"]), ("today --format=x", []),
        ("history --form", ["--format"]), ("history -n 5 st", ["stats"]), ("today -t 2 --see", ["--seed"]),
        ("completions ", ["bash", "zsh", "fish"]), ("completions bash ", []), ("config set m", ["maxStories"]),
        ("history show ", ["1", "560d9a6"]), ("summarize 5", ["560d9a6"]), ("history show -- 5", ["560d9a6"]),
        ("history list --source ", ["The Herald"]), ("--store y history list --source ", ["y"]),
        ("today --sch", []), ("nonsense --f", []), ("--vers", ["--version"]), ("today --vers", []),
    ])
    func wordsThatMayFollow(line: String, words: [String]) {
        #expect(answer(line).candidates.map(\.word) == words)
    }

    @Test(arguments: [
        ("import ", true), ("import newsboat ", true), ("today --store ", true), ("today --store=", true),
        ("--model ", true), ("models path ", true), ("today ", false), ("today --hours ", false), ("history ", false),
    ])
    func whereFilesMayStand(line: String, areThere: Bool) { #expect(answer(line).takesFiles == areThere) }

    @Test func everyCommandAndListedOptionIsOffered() {
        for command in Program.commands {
            #expect(answer("").candidates.contains { $0.word == command.name })
            for subcommand in command.subcommands {
                #expect(answer(command.name + " ").candidates.contains { $0.word == subcommand.name })
                let offered = answer("\(command.name) \(subcommand.name) --").candidates.map(\.word)
                for option in subcommand.listedOptions { #expect(offered.contains("--" + option.name)) }
            }
        }
    }
}
