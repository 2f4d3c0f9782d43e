extension Command {
    static let completions = Command(
        "completions", operands: "<bash|zsh|fish>", arity: 1...1, summary: "a script that completes commands in a shell",
        details: "For bash: pulse-digest completions bash > ~/.local/share/bash-completion/completions/pulse-digest"
    ) { context throws(Failure) in
        guard let shell = Completions.Shell(rawValue: context.operands[0]) else {
            throw Failure(.usage, "There are completions for bash, zsh and fish, not for “\(context.operands[0])”.")
        }
        try context.console.write(Completions.script(for: shell, commands: Program.commands))
    }
}
