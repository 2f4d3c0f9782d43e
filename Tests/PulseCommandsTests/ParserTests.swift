import PulseCore
import PulseTestSupport
import Testing

@testable import PulseCommands

@Suite(.timeLimit(.minutes(20))) struct ParserTests {
    private func parse(_ line: String) throws -> Invocation {
        try Parser(commands: Program.commands).parse(line.split(separator: " ").map(String.init))
    }

    private func flags(_ line: String) throws -> [String] {
        try parse(line).flags.map { "\($0.option.name)=\($0.values.joined(separator: "+"))" }
    }

    @Test func commandsSubcommandsAndOperands() throws {
        let today = try parse("today")
        #expect(today.path.map(\.name) == ["today"] && today.operands.isEmpty && today.request == .run)
        let show = try parse("history show abcd")
        #expect(show.path.map(\.name) == ["history", "show"] && show.operands == ["abcd"])
        #expect(try parse("history").path.map(\.name) == ["history", "list"])
        #expect(try parse("history search two words").operands == ["two", "words"])
        #expect(try parse("summarize -").operands == ["-"])
        #expect(try parse("import jsonl -- --odd").operands == ["--odd"])
    }

    @Test func optionsInEveryForm() throws {
        #expect(try flags("today --hours 24 --dry-run") == ["hours=24", "dry-run=true"])
        #expect(try flags("today --hours=24") == ["hours=24"])
        #expect(try flags("--quiet today") == ["quiet=true"])
        #expect(try flags("today -qv") == ["quiet=true", "verbose=true"])
        #expect(try flags("history -n5") == ["limit=5"])
        #expect(try flags("history -n 5") == ["limit=5"])
        #expect(try flags("history --limit 5") == ["limit=5"])
        #expect(try flags("history list -qn 5") == ["limit=5", "quiet=true"])
        #expect(try flags("today --category a --category b") == ["category=a+b"])
        #expect(
            try flags("history --since 2026-11-20 --category a --source b")
                == ["since=2026-11-20", "category=a", "source=b"])
        #expect(try flags("today --hours 1 --hours 2") == ["hours=1+2"])
        #expect(try flags("today --store=") == ["store="])
    }

    @Test(arguments: ["help", "--help", "-h", "today --help", "help today", "history --help", "models -h"])
    func help(line: String) throws { #expect(try parse(line).request == .help) }

    @Test(arguments: ["--version", "-V", "version", "today --version"])
    func versionIsAResult(line: String) throws { #expect(try parse(line).request == .version) }

    @Test func aWordIsNoRequestBehindACommand() throws {
        #expect(try parse("history search version help").operands == ["version", "help"])
    }

    @Test(arguments: [
        ("tody", "Did you mean today?"), ("histroy list", "Did you mean history?"),
        ("history lst", "Did you mean list?"), ("today --huors 3", "Did you mean --hours?"),
        ("frobnicate", "Try: pulse-digest --help"), ("today --zzz", "Try: pulse-digest today --help"),
        ("today -z", "-z is not an option of today"), ("today extra", "“extra”"), ("today --hours", "needs a value"),
        ("summarize", "needs an article"), ("today --max-storys 3", "Did you mean --max-stories?"),
        ("today --max-articles 3", "not an option of today"), ("today --whole", "not an option of today"),
        ("models pull", "needs the name of a model"),
        ("history show a b", "“b”"), ("-n 5 history", "-n is not an option"),
        ("fetch", "Did you mean import?"), ("digest", "Did you mean today?"), ("list", "Did you mean history list?"),
        ("search bank", "Did you mean history search?"), ("history delete x", "Did you mean history remove?"),
        ("verify", "Did you mean models verify?"), ("history search bank -england", "-- -england"),
        ("today -f", "--format"), ("today --no-color", "--color never"), ("completions", "bash, zsh, fish"),
        ("today tech", "--category tech"), ("today yesterday", "Did you mean --date yesterday?"),
        ("today --json", "Did you mean --format json?"), ("today --html", "--format html?"),
        ("history list --json", "--format json?"), ("today json", "--format json?"),
        ("today --mail x@example.org", "Did you mean --send --to x@example.org?"),
        ("today --mail=x@example.org", "--send --to x@example.org?"), ("today --mail", "--to ADDRESS"),
        ("today --llm", "A model on this machine writes by default"), ("today --days 3", "--since 3d?"),
        ("summarize 1 --stream", "--model NAME"), ("history delete", "history remove"),
        ("models rm x", "models remove"), ("feeds import x", "feeds import-opml"),
        ("feeds add", "feeds add needs a URL"), ("story 1 99", "Try: pulse-digest story --help"),
        ("schedule install --week", "Try: pulse-digest schedule install --help"),
        ("import pocket --map title=x", "--map is not an option of import pocket."),
        ("import bluesky ana --key-file x", "--key-file is not an option of import bluesky."),
    ])
    func mistakesAreUsageErrorsThatHelp(line: String, words: String) throws {
        try fails(.usage, words) { try parse(line) }
    }

    @Test func noTwoOptionsOfACommandShareAName() {
        for command in Program.commands.flatMap({ [$0] + $0.subcommands }) {
            let names = command.allOptions.map(\.name)
            #expect(Set(names).count == names.count, "\(command.name)")
            let shorts = command.allOptions.compactMap(\.short)
            #expect(Set(shorts).count == shorts.count, "\(command.name)")
        }
    }
}
