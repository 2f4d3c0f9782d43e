import PulseApp
import PulseCore
import PulseModels
import PulseRendering
import PulseStore
import PulseText

extension Command {
    /// Prints a script that connects the shell's completion with `complete-values`, which finds candidates. So the
    /// scripts stay the same while commands and options change.
    ///
    /// bash's Readline splits words at `=` and `:`. The bash script joins them for the program, and removes from each
    /// candidate what precedes the last separator. It also removes quotation marks, which Readline keeps.
    static let completions = Command(
        "completions", operands: "<bash|zsh|fish>", arity: 1...1,
        summary: "print a completion script for your shell",
        details: """
            make install puts it where the shell finds it. To do so by hand:

              pulse-digest completions bash > ~/.local/share/bash-completion/completions/pulse-digest
              pulse-digest completions zsh > "${fpath[1]}/_pulse-digest"
              pulse-digest completions fish > ~/.config/fish/completions/pulse-digest.fish

            For this session only, in bash and zsh: source <(pulse-digest completions bash); in fish: pulse-digest \
            completions fish | source.
            """
    ) { context in
        let scripts = [
            "bash": PackageResources.completion_bash, "zsh": PackageResources.completion_zsh,
            "fish": PackageResources.completion_fish,
        ]
        guard let script = scripts[context.operands[0]] else {
            throw PulseError(.usage, "There are completions for bash, zsh and fish, not for “\(context.operands[0])”.")
        }
        try context.console.write(String(decoding: script, as: UTF8.self))
    }.withoutHistory()
}

enum CompletionKind: Sendable, Hashable {
    case files
    case models
    case categories
    case sources
    /// Stories of the last digest and sources of the last answer, by number; recently read articles, by id.
    case articles
    /// Feeds that are followed, by their numbers.
    case feeds
    /// Days with a stored digest.
    case days
    /// Words for a time in the past.
    case moments
    /// Settings by their names in the file.
    case settings
    /// Prompts by their names.
    case prompts
    case profiles
}

extension Command {
    /// The words in `operands`: the completion of each, and its description if it is missing.
    private static let operandWords: [Substring: (completion: CompletionKind?, meaning: Message?)] = [
        "ID": (.articles, "an article: the number of a story, an id or a URL"),
        "FEED": (.feeds, "a feed: its number, its address or a part of its title"),
        "MODEL": (.models, "the name of a model"), "PROMPT": (.prompts, "the name of a prompt"),
        "KEY": (.settings, "the name of a setting"), "URL": (nil, "a URL"), "QUESTION": (nil, "a question"),
        "WORD": (nil, "a word to search for"), "PATH": (.files, nil), "FILE": (.files, "the path of a file"),
        "FOLDER": (.files, nil), "ADDRESS": (nil, "an email address"),
        "NAME": (nil, "a word, a category or a publication"),
    ]

    private var knownOperands: [(completion: CompletionKind?, meaning: Message?)] {
        operands.split(whereSeparator: { !$0.isLetter }).compactMap { Self.operandWords[$0] }
    }

    /// Completions of its operands, by their names in the help.
    var operandCompletions: [CompletionKind] { knownOperands.compactMap(\.completion) }

    var missingOperand: Message {
        if operandChoices.count > 1 { return "one of: \(operandChoices.joined(separator: ", "))" }
        if operands.contains("URL|-") {
            return "an article: the number of a story, an id or a URL, or - for standard input"
        }
        if operands.hasPrefix("KEY VALUE") { return "the name of a setting and a value" }
        return knownOperands.compactMap(\.meaning).first ?? Placeholder.message(operands)
    }

    /// The only words it accepts, such as those of `<bash|zsh|fish>`; empty: any.
    var operandChoices: [String] {
        guard operandCompletions.isEmpty, operands.hasPrefix("<"), operands.hasSuffix(">") else { return [] }
        return operands.dropFirst().dropLast().split(separator: "|").map(String.init)
    }
}

/// Finds the completions of a command line that is being typed, from the table of commands.
struct CompletionFinder {
    let commands: [Command]
    /// The candidates of a kind; the second argument is the line's `--store`, if it has one.
    let words: (CompletionKind, String?) -> [Candidate]

    struct Candidate: Hashable {
        let word: String
        /// In a few words; may be empty.
        var meaning = ""
    }

    struct Answer {
        var candidates: [Candidate] = []
        /// Whether file names, which the shell completes itself, are possible too.
        var takesFiles = false
    }

    /// - Parameter typed: The words after the program's name; the last one is being typed.
    func answer(_ typed: [String]) -> Answer {
        let current = typed.last ?? ""
        var line = Parser(commands: commands, arguments: typed.dropLast())
        var unknownWords = 0
        while !line.rest.isEmpty {
            do { try line.step() } catch { unknownWords += 1 }
        }
        let store = line.values[Option.store.name]?.last
        if let option = line.pending { return values(of: option, prefix: "", current, store) }
        let command = line.invocation.command
        if current.hasPrefix("-"), !line.isPastOptions {
            let implied = command?.subcommands.first { $0.name == command?.implied }
            let options = (command?.listedOptions ?? Option.everywhere) + (implied?.options ?? [])
            if current.hasPrefix("--"), let sign = current.firstIndex(of: "=") {
                let name = current[..<sign].dropFirst(2)
                guard let option = options.first(where: { $0.name == name && $0.value != nil }) else { return Answer() }
                return values(of: option, prefix: String(current[...sign]), current, store)
            }
            var candidates = options.filter { !$0.isHidden }
                .map { Candidate(word: "--" + $0.name, meaning: "\($0.help)") }
            candidates.append(Candidate(word: "--help", meaning: "show this help"))
            if command == nil { candidates.append(Candidate(word: "--version", meaning: "show the version")) }
            return Answer(candidates: candidates.filter { $0.word.hasPrefix(current) })
        }
        var answer = Answer()
        let operands = line.invocation.operands.count
        if operands + unknownWords == 0 {
            answer.candidates = (command?.subcommands ?? commands).map {
                Candidate(word: $0.name, meaning: "\($0.summary)")
            }
        }
        if let command, operands < command.arity.upperBound {
            answer.candidates += command.operandChoices.map { Candidate(word: $0) }
            for completion in command.operandCompletions { add(completion, to: &answer, store) }
        }
        answer.candidates.removeAll { !$0.word.hasPrefix(current) }
        return answer
    }

    private func values(of option: Option, prefix: String, _ current: String, _ store: String?) -> Answer {
        var answer = Answer(candidates: option.choices.map { Candidate(word: $0) })
        if let completion = option.completion { add(completion, to: &answer, store) }
        // The value may be a path instead of a catalogue name.
        if option.kind == .nameOrPath { answer.takesFiles = true }
        answer.candidates = answer.candidates.map { Candidate(word: prefix + $0.word, meaning: $0.meaning) }
            .filter { $0.word.hasPrefix(current) }
        return answer
    }

    private func add(_ completion: CompletionKind, to answer: inout Answer, _ store: String?) {
        if completion == .files { answer.takesFiles = true }
        answer.candidates += words(completion, store)
    }
}

extension Command {
    /// Called by the completion scripts. Each line of output is a candidate, a tab and its meaning; the line `:files`
    /// lets the shell complete file names. Errors are not reported: a line that is being typed has no place for them.
    static let completeValues = Command(
        "complete-values", operands: "-- WORD…", arity: 0...10_000, summary: "what may come next on a command line",
        // Not resolved, because the line may belong to any command.
        resolving: \.arguments
    ) { context in
        let finder = CompletionFinder(commands: Program.commands) { kind, store in
            var settings = context.settings
            if let store { settings.storePath = (try? Value.path([store])) ?? store }
            return context.with(settings).candidates(kind)
        }
        let answer = finder.answer(context.operands)
        let lines = answer.candidates.map { candidate in
            PlainText.line(candidate.word)
                + (candidate.meaning.isEmpty ? "" : "\t" + PlainText.line(candidate.meaning, limit: 80))
        }
        try context.console.write((lines + (answer.takesFiles ? [":files"] : [])).map { $0 + "\n" }.joined())
    }.workingWithFaultySettings().lettingPrepareContinue()
}

extension RawContext {
    fileprivate func candidates(_ kind: CompletionKind) -> [CompletionFinder.Candidate] {
        typealias Candidate = CompletionFinder.Candidate
        switch kind {
        case .files: return []
        case .models:
            guard let catalog = try? ModelCatalog(in: app) else { return [] }
            return catalog.manifest.models.map { Candidate(word: $0.name, meaning: $0.description) }
                + catalog.others.models().map { Candidate(word: $0.reference, meaning: $0.program.title) }
        case .categories:
            let found = (try? history.open().statistics().categories) ?? []
            let names = found.map(\.category.name)
            return found.map {
                Candidate(word: $0.category.name, meaning: "\(Counted.text($0.articles, "article", "articles"))")
            }
                + Category.known.filter { !names.contains($0.name) }.map { Candidate(word: $0.name) }
        case .sources:
            return ((try? history.open().sourceNames()) ?? []).map { Candidate(word: $0) }
        case .articles:
            let stories = (try? history.open().latestPrinted() ?? history.open().latestMailed())?.stories ?? []
            let sources = (try? history.open().latestSources())?.readings ?? []
            let readings = (try? history.open().list(limit: 50)) ?? []
            let numbered =
                stories.enumerated().map { (ArticleNumber.story($0 + 1), $1.lead.title) }
                + sources.enumerated().map { (ArticleNumber.source($0 + 1), $1.article.title) }
            return numbered.map { Candidate(word: $0.text, meaning: $1) }
                + readings.map {
                    Candidate(word: String($0.article.key.prefix(ArticleKey.shortLength)), meaning: $0.article.title)
                }
        case .feeds:
            let feeds = (try? history.open().feeds()) ?? []
            return feeds.map { Candidate(word: "\($0.feed.id)", meaning: $0.feed.title) }
        case .days:
            let dates = (try? history.open().digestDates(limit: 400)) ?? []
            var seen: Set<String> = []
            return dates.map { Day($0, in: timeZone).text }.filter { seen.insert($0).inserted }.prefix(30)
                .map { Candidate(word: $0) }
        case .moments: return ["today", "yesterday", "monday", "24h", "3d", "1w"].map { Candidate(word: $0) }
        case .settings:
            return SettingsReader.options.map { Candidate(word: $0.settingName, meaning: "\($0.help)") }
        case .prompts:
            return EditablePrompt.all(in: locations).map { Candidate(word: $0.name, meaning: "\($0.job.meaning)") }
        case .profiles:
            return profiles.map {
                Candidate(word: $0.profile, meaning: $0.to.map(\.address).joined(separator: ", "))
            }
        }
    }
}
