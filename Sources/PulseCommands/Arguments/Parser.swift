import PulseCore
import PulseText

/// A parsed command line, not yet interpreted: parsing has no side effects.
struct Invocation: Sendable {
    enum Request: Sendable { case run, help, version }

    var request = Request.run
    /// The command and its subcommand; empty for the program itself.
    var path: [Command] = []
    /// The options that were given, in the table's order, each with its values.
    var flags: [(option: Option, values: [String])] = []
    var operands: [String] = []

    var command: Command? { path.last }

    /// Nil if it was not given.
    func values(of option: Option) -> [String]? { flags.first { $0.option.name == option.name }?.values }
}

/// Parses a command line against the table of commands, one word or option at a time.
struct Parser {
    let commands: [Command]
    private(set) var invocation = Invocation()
    private(set) var values: [String: [String]] = [:]
    private(set) var rest: ArraySlice<String> = []
    /// Whether `--` was read: only operands follow.
    private(set) var isPastOptions = false
    /// The option whose value is missing at the end of the line.
    private(set) var pending: Option?

    /// - Parameter arguments: Without the program's name.
    init(commands: [Command], arguments: ArraySlice<String> = []) {
        self.commands = commands
        rest = arguments
    }

    func parse(_ arguments: [String]) throws -> Invocation {
        var parser = Parser(commands: commands, arguments: arguments[...])
        while !parser.rest.isEmpty { try parser.step() }
        if parser.invocation.request == .run { try parser.complete() }
        let options = parser.invocation.command?.allOptions ?? Option.everywhere
        parser.invocation.flags = options.compactMap { option in parser.values[option.name].map { (option, $0) } }
        return parser.invocation
    }

    /// Reads the next word or option, which is skipped if this throws.
    mutating func step() throws {
        guard let argument = rest.popFirst() else { return }
        if isPastOptions {
            invocation.operands.append(argument)
        } else if argument == "--" {
            isPastOptions = true
        } else if argument == "--help" {
            invocation.request = .help
        } else if argument == "--version" {
            invocation.request = .version
        } else if argument.hasPrefix("--") {
            // “--store=” has a value, which is empty.
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.dropFirst().first.map(String.init)
            let option = try option(named: String(parts[0]), value: value ?? rest.first)
            try take(option, as: "--\(option.name)", value: value)
        } else if argument.hasPrefix("-"), argument.count > 1, !isNumber(argument) {
            try takeShort(argument.dropFirst())
        } else {
            try takeWord(argument)
        }
    }

    /// Whether it is a negative number as an operand.
    private func isNumber(_ argument: String) -> Bool {
        invocation.command.map { $0.arity.upperBound > 1 } ?? false && Double(argument) != nil
    }

    // MARK: - Words

    /// Words are commands until a command has no subcommands; later words are operands.
    private mutating func takeWord(_ word: String) throws {
        if invocation.path.isEmpty, invocation.request == .run, word == "help" || word == "version" {
            invocation.request = word == "help" ? .help : .version
            return
        }
        let candidates = invocation.path.isEmpty ? commands : invocation.command?.subcommands ?? []
        guard !candidates.isEmpty else {
            invocation.operands.append(word)
            return
        }
        guard let command = candidates.first(where: { $0.name == word }), invocation.operands.isEmpty else {
            if let parent = invocation.command, parent.run != nil {
                invocation.operands.append(word)
                return
            }
            let parent = invocation.path.first?.name
            let names = candidates.map(\.name)
            let what: Message =
                parent.map { "“\($0)” has no command “\(word)”, only \(names.joined(separator: ", "))." }
                ?? "There is no command “\(word)”."
            throw PulseError(.usage, what, hint: elsewhere(word, below: parent) ?? hint(word, among: names))
        }
        invocation.path.append(command)
    }

    /// A hint for a word that is known from another program, or for a subcommand without its parent command.
    private func elsewhere(_ word: String, below parent: String?) -> Message? {
        guard let parent else {
            let owners = commands.filter { command in command.subcommands.contains { $0.name == word } }
            let lines = Synonyms.command(word).map { [$0] } ?? owners.prefix(3).map { "\($0.name) \(word)" }
            return lines.isEmpty ? nil : Self.meant(lines)
        }
        return Synonyms.command(word, below: parent).map { "Did you mean \($0)?" }
    }

    private mutating func complete() throws {
        guard var command = invocation.command else {
            invocation.path = [.start]
            return
        }
        if command.run == nil {
            guard let implied = command.subcommands.first(where: { $0.name == command.implied }) else {
                let names = command.subcommands.map(\.name).joined(separator: ", ")
                throw PulseError(.usage, "\(command.name) needs a command: \(names).", hint: helpHint)
            }
            invocation.path.append(implied)
            command = implied
        }
        let name = invocation.path.map(\.name).joined(separator: " ")
        if invocation.operands.count < command.arity.lowerBound {
            throw PulseError(.usage, "\(name) needs \(command.missingOperand).", hint: helpHint)
        }
        if invocation.operands.count > command.arity.upperBound {
            let extra = invocation.operands[command.arity.upperBound]
            let category = Category.known.first { $0.name.hasPrefix(extra.lowercased()) }
            let takesCategory = command.options.contains { $0.name == Option.category.name }
            let hint: Message =
                command.operands.isEmpty && Int(extra) != nil
                ? "To read story \(extra): pulse-digest history show \(extra)"
                : Synonyms.operand(extra, of: command).map { "Did you mean \($0)?" }
                    ?? (takesCategory ? category.map { "Did you mean --category \($0.name)?" } : nil) ?? helpHint
            throw PulseError(.usage, "\(name): unexpected argument “\(extra)”.", hint: hint)
        }
    }

    // MARK: - Options

    private mutating func take(_ option: Option, as written: String, value: String?) throws {
        guard let given = option.value == nil ? value ?? "true" : value ?? rest.popFirst() else {
            pending = option
            let example = [Message(verbatim: "\(written) "), Placeholder.message(option.value ?? "")].joined()
            throw PulseError(.usage, "\(written) needs a value: \(example).")
        }
        values[option.name, default: []].append(given)
    }

    /// Short options may be combined, `-qv`, and the last may carry its value, `-n5`.
    private mutating func takeShort(_ letters: Substring) throws {
        var letters = letters
        while let letter = letters.popFirst() {
            if letter == "h" || letter == "V" {
                invocation.request = letter == "h" ? .help : .version
                continue
            }
            guard let option = options.first(where: { $0.short == letter }) else {
                throw PulseError(.usage, notAnOption("-\(letter)"), hint: hint(forShort: letter, letters))
            }
            let value = option.value == nil || letters.isEmpty ? nil : String(letters)
            try take(option, as: "-\(letter)", value: value)
            if value != nil { return }
        }
    }

    private func hint(forShort letter: Character, _ rest: Substring) -> Message {
        if let command = invocation.command, command.arity.upperBound > 1 {
            return "If it is a word, put -- before it: -- -\(letter)\(rest)"
        }
        let near = (invocation.command?.options ?? []).filter { $0.name.first == letter && !$0.isHidden }
        return (1...4).contains(near.count) ? Self.meant(near.map { "--" + $0.name }) : helpHint
    }

    private func option(named name: String, value: String?) throws -> Option {
        if let option = options.first(where: { $0.name == name }) { return option }
        // An option of another command is not mistyped.
        let isKnown = commands.contains { command in
            ([command] + command.subcommands).contains { $0.options.contains { $0.name == name } }
        }
        throw PulseError(
            .usage, notAnOption("--\(name)"),
            hint: Synonyms.option(name, value: value, of: invocation.command)
                ?? hint(name, among: isKnown ? [] : options.map(\.name) + ["help", "version"], prefix: "--"))
    }

    /// The options allowed here: `history -n 5` may use those of the subcommand that `history` implies.
    var options: [Option] {
        guard let command = invocation.command else { return Option.everywhere }
        let implied = command.subcommands.first { $0.name == command.implied }
        return command.allOptions + (implied?.options ?? [])
    }

    private func notAnOption(_ written: String) -> Message {
        let command = invocation.path.map(\.name).joined(separator: " ")
        return command.isEmpty ? "\(written) is not an option." : "\(written) is not an option of \(command)."
    }

    private static func meant(_ words: [String]) -> Message {
        "Did you mean \(words.map(Message.init(verbatim:)).joined(separator: ", or "))?"
    }

    private func hint(_ word: String, among names: [String], prefix: String = "") -> Message {
        EditDistance.nearest(to: word, among: names).map { Self.meant([prefix + $0]) } ?? helpHint
    }

    private var helpHint: Message {
        "Try: \((["pulse-digest"] + invocation.path.map(\.name) + ["--help"]).joined(separator: " "))"
    }
}
