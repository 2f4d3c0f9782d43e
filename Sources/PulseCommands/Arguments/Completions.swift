import PulseCore

/// Completions for shells, written from the table of commands.
enum Completions {
    enum Shell: String, CaseIterable { case bash, zsh, fish }

    static func script(for shell: Shell, commands: [Command]) -> String {
        switch shell {
        case .bash: bash(commands)
        case .zsh: "#compdef pulse-digest\nautoload -U +X bashcompinit && bashcompinit\n" + bash(commands)
        case .fish: fish(commands)
        }
    }

    private static func bash(_ commands: [Command]) -> String {
        var cases = ""
        for command in commands {
            for (path, words, choices) in rows(command) {
                cases += "        \"\(path)\") words=\"\(words)\" ;;\n"
                for (option, values) in choices { cases += "        \"\(path) --\(option)\") words=\"\(values)\" ;;\n" }
            }
        }
        return """
            _pulse_digest() {
                local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" path="" words="" part
                for part in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case "$part" in -*) ;; *) path="${path:+$path }$part" ;; esac
                done
                case "$previous" in --*) path="$path $previous" ;; esac
                case "$path" in
                    "") words="\(commands.map(\.name).joined(separator: " ")) --help --version" ;;
            \(cases)    esac
                COMPREPLY=($(compgen -W "$words" -- "$word"))
            }
            complete -o default -F _pulse_digest pulse-digest

            """
    }

    /// For each command and subcommand: its path, the words that may follow, and the options that take certain words.
    private static func rows(_ command: Command) -> [(path: String, words: String, choices: [(String, String)])] {
        func row(_ path: String, _ command: Command) -> (path: String, words: String, choices: [(String, String)]) {
            let words = command.subcommands.map(\.name) + command.allOptions.map { "--" + $0.name } + ["--help"]
            let choices = command.allOptions.filter { !$0.choices.isEmpty }
            return (path, words.joined(separator: " "), choices.map { ($0.name, $0.choices.joined(separator: " ")) })
        }
        return [row(command.name, command)] + command.subcommands.map { row(command.name + " " + $0.name, $0) }
    }

    private static func fish(_ commands: [Command]) -> String {
        var lines = ["complete -c pulse-digest -f -n __fish_use_subcommand -l version -d 'the version'"]
        func quoted(_ text: String) -> String {
            "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
        }
        func options(_ command: Command, when condition: String) {
            for option in command.allOptions {
                let short = option.short.map { " -s \($0)" } ?? ""
                let value =
                    option.value == nil
                    ? "" : option.choices.isEmpty ? " -r -F" : " -x -a \(quoted(option.choices.joined(separator: " ")))"
                lines.append(
                    "complete -c pulse-digest -n \(quoted(condition)) -l \(option.name)\(short)\(value) -d \(quoted(option.help))"
                )
            }
        }
        for command in commands {
            lines.append(
                "complete -c pulse-digest -f -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))")
            let inside = "__fish_seen_subcommand_from \(command.name)"
            options(command, when: inside)
            let names = command.subcommands.map(\.name).joined(separator: " ")
            for subcommand in command.subcommands {
                lines.append(
                    "complete -c pulse-digest -f -n \(quoted("\(inside); and not __fish_seen_subcommand_from \(names)")) "
                        + "-a \(subcommand.name) -d \(quoted(subcommand.summary))")
                options(subcommand, when: "\(inside); and __fish_seen_subcommand_from \(subcommand.name)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Command {
    static let completions = Command(
        "completions", operands: "<bash|zsh|fish>", arity: 1...1,
        summary: "print a completion script for your shell",
        details: """
            For example:

              cd ~/.local/share/bash-completion/completions
              pulse-digest completions bash > pulse-digest

            In zsh, put it in a folder of your fpath, under the name _pulse-digest; in fish:

              pulse-digest completions fish > ~/.config/fish/completions/pulse-digest.fish
            """
    ) { context throws(PulseError) in
        guard let shell = Completions.Shell(rawValue: context.operands[0]) else {
            throw PulseError(.usage, "There are completions for bash, zsh and fish, not for “\(context.operands[0])”.")
        }
        try context.console.write(Completions.script(for: shell, commands: Program.commands))
    }
}
