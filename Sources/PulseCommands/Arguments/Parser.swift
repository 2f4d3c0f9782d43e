import PulseCore
import PulseText

/// What a command line says, not yet what it means: reading it touches nothing.
struct Invocation: Sendable {
    enum Request: Sendable { case run, help, version }

    var request = Request.run
    /// The command and its subcommand; empty for the program itself.
    var path: [Command] = []
    /// The options that were given, in the table's order, each with its values.
    var flags: [(option: Option, values: [String])] = []
    var operands: [String] = []

    var command: Command? { path.last }

    /// Nil where it was not given.
    func values(of option: Option) -> [String]? { flags.first { $0.option.name == option.name }?.values }
}

/// Reads a command line by the table of commands.
struct Parser {
    let commands: [Command]

    /// - Parameter arguments: Without the program's name.
    func parse(_ arguments: [String]) throws(PulseError) -> Invocation {
        var invocation = Invocation()
        var values: [String: [String]] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                invocation.operands += rest
                break
            } else if argument == "--help" || argument == "-h" {
                invocation.request = .help
            } else if argument == "--version" || argument == "-V" {
                invocation.request = .version
            } else if argument.hasPrefix("--") {
                let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let option = try option(named: String(parts[0]), in: invocation)
                try take(option, as: "--\(option.name)", value: parts.dropFirst().first, &rest, &values)
            } else if argument.hasPrefix("-"), argument.count > 1 {
                try takeShort(argument.dropFirst(), in: invocation, &rest, &values)
            } else {
                try takeWord(argument, &invocation)
            }
        }
        if invocation.request == .run { try complete(&invocation) }
        let options = invocation.command?.allOptions ?? Option.everywhere
        invocation.flags = options.compactMap { option in values[option.name].map { (option, $0) } }
        return invocation
    }

    // MARK: - Words

    /// A word is a command until there is one that has no further ones; from then on it is an operand.
    private func takeWord(_ word: String, _ invocation: inout Invocation) throws(PulseError) {
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
            let parent = invocation.path.map(\.name)
            let names = candidates.map(\.name)
            let what: Message =
                parent.isEmpty
                ? "There is no command “\(word)”."
                : "“\(parent[0])” has no command “\(word)”, only \(names.joined(separator: ", "))."
            let hint = elsewhere(word, below: parent.first) ?? hint(word, among: names, help: parent)
            throw PulseError(.usage, what, hint: hint)
        }
        invocation.path.append(command)
    }

    /// What somebody may have meant who knows the word from another program, or has left out the command above it.
    private func elsewhere(_ word: String, below parent: String?) -> Message? {
        guard let parent else {
            let owners = commands.filter { command in command.subcommands.contains { $0.name == word } }
            let lines = Parser.meanings[word].map { [$0] } ?? owners.prefix(3).map { "\($0.name) \(word)" }
            return lines.isEmpty ? nil : Self.meant(lines)
        }
        return Parser.meanings["\(parent) \(word)"].map { "Did you mean \($0)?" }
    }

    /// What commands are called elsewhere.
    private static let meanings = [
        "digest": "today", "run": "today", "read": "today", "send": "today --send", "mail": "today --send",
        "fetch": "import", "sync": "import", "update": "import", "ls": "history list", "list": "history list",
        "find": "history search", "grep": "history search", "show": "history show", "stats": "history stats",
        "delete": "history remove", "forget": "history remove", "download": "models pull", "set": "config set",
        "settings": "config", "check": "doctor", "cron": "schedule install", "history delete": "history remove",
        "history forget": "history remove", "history rm": "history remove", "history find": "history search",
        "models download": "models pull", "models rm": "models remove", "models delete": "models remove",
        "config show": "config list", "bookmarks delete": "bookmarks remove",
    ]

    private func complete(_ invocation: inout Invocation) throws(PulseError) {
        guard var command = invocation.command else {
            invocation.path = [.start]
            return
        }
        if command.run == nil {
            guard let implied = command.subcommands.first(where: { $0.name == command.implied }) else {
                let names = command.subcommands.map(\.name).joined(separator: ", ")
                throw PulseError(.usage, "\(command.name) needs a command: \(names).", hint: helpHint([command.name]))
            }
            invocation.path.append(implied)
            command = implied
        }
        let name = invocation.path.map(\.name).joined(separator: " ")
        if invocation.operands.count < command.arity.lowerBound {
            throw PulseError(
                .usage, "\(name) needs \(command.missingOperand).", hint: helpHint(invocation.path.map(\.name)))
        }
        if invocation.operands.count > command.arity.upperBound {
            let extra = invocation.operands[command.arity.upperBound]
            let isCategory = command.options.contains { $0.name == Option.category.name }
            let hint: Message =
                Int(extra) != nil
                ? "To read story \(extra): pulse-digest history show \(extra)"
                : isCategory ? "Did you mean --category \(extra)?" : helpHint(invocation.path.map(\.name))
            throw PulseError(.usage, "\(name): unexpected argument “\(extra)”.", hint: hint)
        }
    }

    // MARK: - Options

    private func take(
        _ option: Option, as written: String, value: Substring?, _ rest: inout ArraySlice<String>,
        _ values: inout [String: [String]]
    ) throws(PulseError) {
        if option.value == nil {
            values[option.name, default: []].append(value.map(String.init) ?? "true")
        } else if let given = value.map(String.init) ?? rest.popFirst() {
            values[option.name, default: []].append(given)
        } else {
            let example = "\(written) \(option.value ?? "")"
            throw PulseError(.usage, "\(written) needs a value: \(example).")
        }
    }

    /// Short options may stand together, `-qv`, and the last may carry its value, `-n5`.
    private func takeShort(
        _ letters: Substring, in invocation: Invocation, _ rest: inout ArraySlice<String>,
        _ values: inout [String: [String]]
    ) throws(PulseError) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = options(in: invocation).first(where: { $0.short == letter }) else {
                throw PulseError(
                    .usage, notAnOption("-\(letter)", invocation),
                    hint: hint(forShort: letter, letters, in: invocation))
            }
            if option.value != nil, !letters.isEmpty {
                try take(option, as: "-\(letter)", value: letters, &rest, &values)
                return
            }
            try take(option, as: "-\(letter)", value: nil, &rest, &values)
        }
    }

    private func hint(forShort letter: Character, _ rest: Substring, in invocation: Invocation) -> Message {
        if let command = invocation.command, command.arity.upperBound > 1 {
            return "If it is a word, put -- before it: -- -\(letter)\(rest)"
        }
        let near = (invocation.command?.options ?? []).filter { $0.name.first == letter && !$0.isHidden }
        return (1...4).contains(near.count)
            ? Self.meant(near.map { "--" + $0.name })
            : helpHint(invocation.path.map(\.name))
    }

    private func option(named name: String, in invocation: Invocation) throws(PulseError) -> Option {
        let options = options(in: invocation)
        if let option = options.first(where: { $0.name == name }) { return option }
        if ["no-color", "no-colour", "nocolor"].contains(name) {
            throw PulseError(
                .usage, notAnOption("--\(name)", invocation), hint: Self.meant(["--color never"]))
        }
        throw PulseError(
            .usage, notAnOption("--\(name)", invocation),
            hint: hint(
                name, among: options.map(\.name) + ["help", "version"], prefix: "--",
                help: invocation.path.map(\.name)))
    }

    /// What may be given here: `history -n 5` means the options of the command that `history` implies.
    private func options(in invocation: Invocation) -> [Option] {
        guard let command = invocation.command else { return Option.everywhere }
        let implied = command.subcommands.first { $0.name == command.implied }
        return command.allOptions + (implied?.options ?? [])
    }

    private func notAnOption(_ written: String, _ invocation: Invocation) -> Message {
        let command = invocation.path.map(\.name).joined(separator: " ")
        return command.isEmpty ? "\(written) is not an option." : "\(written) is not an option of \(command)."
    }

    private static func meant(_ words: [String]) -> Message {
        "Did you mean \(words.map(Message.init(verbatim:)).joined(separator: ", or "))?"
    }

    private func hint(_ word: String, among names: [String], prefix: String = "", help path: [String]) -> Message {
        if let meant = EditDistance.nearest(to: word, among: names) { return Self.meant([prefix + meant]) }
        return helpHint(path)
    }

    private func helpHint(_ path: [String]) -> Message {
        "Try: \((["pulse-digest"] + path + ["--help"]).joined(separator: " "))"
    }
}
