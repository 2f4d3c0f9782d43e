import PulseCore

/// One command: its name, arguments and action.
struct Command: Sendable {
    let name: String
    /// Operands as the help shows them: `ID|URL|-`. `operandWords` describes each word.
    let operands: String
    let arity: ClosedRange<Int>
    let summary: Message
    /// More help text; empty if the summary is enough.
    let details: Message
    /// Built on demand: a run needs only those of its own command.
    var options: [Option] { makeOptions() }
    var subcommands: [Command] { makeSubcommands() }
    private let makeOptions: @Sendable () -> [Option]
    private var makeSubcommands: @Sendable () -> [Command]
    /// The subcommand that runs if none is given.
    let implied: String?
    private(set) var run: (@Sendable (RawContext) async throws -> Void)?
    /// Whether it runs even if a part of the settings is invalid. It gets the valid part, and may report the error.
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
        if let run { self.run = { context in try await run(context.with(arguments: ())) } }
    }

    /// A command whose `run` gets the arguments that `resolve` returns. It may have both subcommands and operands, like
    /// `import`.
    ///
    /// - Parameter resolve: Builds the arguments from the settings and the command line.
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
        self.run = { context in try await run(context.with(arguments: resolve(context))) }
    }

    /// The summary as a sentence.
    func sentence(in catalogue: Translations) -> String {
        let text = summary.text(in: catalogue)
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    var allOptions: [Option] { options + Option.everywhere }

    /// The options of every command that have an effect here: `--model` if there is a `--context`, which shows that a
    /// model may run; `--store` if the history is used.
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

    private(set) var isWithoutHistory = false

    /// The command and its subcommands, declared to use no history.
    func withoutHistory() -> Command { with { $0.isWithoutHistory = true } }

    /// Whether a running `prepare` continues while this command runs: `prepare` itself, and shell completion.
    private(set) var letsPrepareContinue = false

    func lettingPrepareContinue() -> Command { with { $0.letsPrepareContinue = true } }

    /// The command and its subcommands, which run despite invalid settings if `condition` holds for the valid part.
    func workingWithFaultySettings(where condition: @escaping @Sendable (Settings) -> Bool = { _ in true }) -> Command {
        with { $0.takesFaultySettings = condition }
    }

    private func with(_ change: @escaping @Sendable (inout Command) -> Void) -> Command {
        var command = self
        change(&command)
        command.makeSubcommands = { subcommands.map { $0.with(change) } }
        return command
    }
}
