import PulseCore

/// One command: its name, what it takes, and what it does.
struct Command: Sendable {
    let name: String
    /// What follows its options, for the help: `<id|url|->`. What completes it follows from these names:
    /// `operandCompletions`.
    let operands: String
    /// How many operands there may be.
    let arity: ClosedRange<Int>
    let summary: Message
    /// More to say in its help; empty where the summary says it all.
    let details: Message
    /// Made when needed, because a run needs only those of its own command.
    var options: [Option] { makeOptions() }
    var subcommands: [Command] { makeSubcommands() }
    private let makeOptions: @Sendable () -> [Option]
    private var makeSubcommands: @Sendable () -> [Command]
    /// The subcommand that is meant when none is named.
    let implied: String?
    private(set) var run: (@Sendable (RawContext) async throws -> Void)?
    /// Whether it runs although a part of the settings is invalid. It gets the valid rest, and reports the fault
    /// itself.
    private(set) var takesFaultySettings: @Sendable (Settings) -> Bool = { _ in false }

    /// A command that needs no settings: `run` gets no arguments.
    init(
        _ name: String, operands: String = "", arity: ClosedRange<Int> = 0...0, summary: Message, details: Message = "",
        options: @autoclosure @escaping @Sendable () -> [Option] = [], implied: String? = nil,
        subcommands: @autoclosure @escaping @Sendable () -> [Command] = [],
        run: (@Sendable (CommandContext<Void>) async throws -> Void)? = nil
    ) {
        self.name = name
        self.operands = operands
        self.arity = arity
        self.summary = summary
        self.details = details
        makeOptions = options
        self.implied = implied
        makeSubcommands = subcommands
        if let run { self.run = { context in try await run(context.seeing(())) } }
    }

    /// A command whose `run` gets only what `resolve` makes. It may have both subcommands and operands, as `import`
    /// has.
    ///
    /// - Parameter resolve: Makes them of the settings and of what stands on the command line.
    init<Arguments: Sendable>(
        _ name: String, operands: String = "", arity: ClosedRange<Int> = 0...0, summary: Message, details: Message = "",
        options: @autoclosure @escaping @Sendable () -> [Option] = [],
        subcommands: @autoclosure @escaping @Sendable () -> [Command] = [],
        resolving resolve: @escaping @Sendable (RawContext) throws -> Arguments,
        run: @escaping @Sendable (CommandContext<Arguments>) async throws -> Void
    ) {
        self.init(
            name, operands: operands, arity: arity, summary: summary, details: details, options: options(),
            subcommands: subcommands())
        self.run = { context in try await run(context.seeing(resolve(context))) }
    }

    /// The summary as a sentence.
    func sentence(in catalogue: Translations) -> String {
        let text = summary.text(in: catalogue)
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    /// Its own options and those every command has.
    var allOptions: [Option] { options + Option.everywhere }

    /// The options of every command that have an effect in this one: `--model` where a model may be asked, which is
    /// where `--context` is; `--store` unless the command uses no history.
    var globalOptions: [Option] {
        let isModelAsked = ([self] + subcommands).contains { command in
            command.options.contains { $0.name == Option.context.name }
        }
        return Option.everywhere.filter { option in
            switch option.name {
            case Option.model.name: isModelAsked
            case Option.store.name: !isWithoutHistory
            default: true
            }
        }
    }

    /// What its help and its completions list.
    var listedOptions: [Option] { (options + globalOptions).filter { !$0.isHidden } }

    /// Whether it has nothing to do with the reading history.
    private(set) var isWithoutHistory = false

    /// The command and its subcommands, declared to use no history.
    func withoutHistory() -> Command {
        var command = self
        command.isWithoutHistory = true
        command.makeSubcommands = { subcommands.map { $0.withoutHistory() } }
        return command
    }

    /// Whether a `prepare` that is running goes on beside it: `prepare` itself, and what a shell asks while somebody
    /// types.
    private(set) var isUnmarked = false

    func unmarked() -> Command {
        var command = self
        command.isUnmarked = true
        return command
    }

    /// The command and its subcommands, which run with invalid settings if the condition holds for the valid rest.
    func workingWithFaultySettings(where condition: @escaping @Sendable (Settings) -> Bool = { _ in true }) -> Command {
        var command = self
        command.takesFaultySettings = condition
        command.makeSubcommands = { subcommands.map { $0.workingWithFaultySettings(where: condition) } }
        return command
    }
}
