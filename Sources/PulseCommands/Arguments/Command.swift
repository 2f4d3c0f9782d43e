import PulseCore

/// One command: its name, what it takes, and what it does.
struct Command: Sendable {
    let name: String
    /// What follows its options, for the help: `<id|url|->`.
    let operands: String
    /// How many operands there may be.
    let arity: ClosedRange<Int>
    let summary: String
    /// More to say in its help; empty where the summary says it all.
    let details: String
    let options: [Option]
    let subcommands: [Command]
    /// The subcommand that is meant when none is named.
    let implied: String?
    let run: (@Sendable (Context) async throws(PulseError) -> Void)?
    /// Whether it runs where a part of the settings cannot be understood, with these, which are the rest: it tells of
    /// that in a way of its own.
    private(set) var takesFaultySettings: @Sendable (Settings) -> Bool = { _ in false }

    init(
        _ name: String, operands: String = "", arity: ClosedRange<Int> = 0...0, summary: String, details: String = "",
        options: [Option] = [], run: @escaping @Sendable (Context) async throws(PulseError) -> Void
    ) {
        self.name = name
        self.operands = operands
        self.arity = arity
        self.summary = summary
        self.details = details
        self.options = options
        self.subcommands = []
        self.implied = nil
        self.run = run
    }

    init(_ name: String, summary: String, details: String = "", implied: String? = nil, subcommands: [Command]) {
        self.name = name
        self.operands = ""
        self.arity = 0...0
        self.summary = summary
        self.details = details
        self.options = []
        self.subcommands = subcommands
        self.implied = implied
        self.run = nil
    }

    /// One that has subcommands and takes other words, too: `import newsboat`, `import PATH`.
    init(
        _ name: String, operands: String, arity: ClosedRange<Int>, summary: String, details: String, options: [Option],
        subcommands: [Command], run: @escaping @Sendable (Context) async throws(PulseError) -> Void
    ) {
        self.name = name
        self.operands = operands
        self.arity = arity
        self.summary = summary
        self.details = details
        self.options = options
        self.subcommands = subcommands
        self.implied = nil
        self.run = run
    }

    /// Its own options and those every command has.
    var allOptions: [Option] { options + Option.everywhere }

    func workingWithFaultySettings(where condition: @escaping @Sendable (Settings) -> Bool = { _ in true }) -> Command {
        var command = self
        command.takesFaultySettings = condition
        return command
    }
}
