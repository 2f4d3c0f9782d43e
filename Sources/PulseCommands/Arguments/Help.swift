/// The help, written from the table of commands.
enum Help {
    static func text(for path: [Command], among commands: [Command]) -> String {
        guard let command = path.last else { return program(commands) }
        let name = (["pulse-digest"] + path.map(\.name)).joined(separator: " ")
        var text = command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".\n\n"
        if command.run == nil {
            for subcommand in command.subcommands { text += usage(name + " " + subcommand.name, subcommand) }
        } else {
            text += usage(name, command)
        }
        if !command.details.isEmpty { text += "\n" + command.details + "\n" }
        if !command.subcommands.isEmpty {
            text += "\nCommands\n" + table(command.subcommands.map { ($0.name, $0.summary + implied($0, in: command)) })
        }
        if !command.options.isEmpty { text += "\nOptions\n" + table(command.options.map(row)) }
        return text + "\nEverywhere\n" + table(Option.everywhere.map(row) + [("-h, --help", "this")])
    }

    private static func program(_ commands: [Command]) -> String {
        """
        pulse-digest tells you what you read, with a language model on your own machine.

          pulse-digest COMMAND [OPTION]…

        Commands
        \(table(commands.map { ($0.name, $0.summary) }))
        Everywhere
        \(table(Option.everywhere.map(row) + [("-h, --help", "this, or with a command, its own help"), ("    --version", "the version")]))
        Options can also be set in the environment (--max-stories is PULSE_DIGEST_MAX_STORIES) and in
        ~/.config/pulse-digest/config.json ("maxStories": 25).

        """
    }

    private static func usage(_ name: String, _ command: Command) -> String {
        "  "
            + [name, command.options.isEmpty ? "" : "[OPTION]…", command.operands].filter { !$0.isEmpty }
            .joined(separator: " ") + "\n"
    }

    private static func implied(_ subcommand: Command, in command: Command) -> String {
        subcommand.name == command.implied ? " (when none is named)" : ""
    }

    private static func row(_ option: Option) -> (String, String) {
        let short = option.short.map { "-\($0), " } ?? "    "
        let value = option.value.map { " " + $0 } ?? ""
        return (short + "--" + option.name + value, option.help)
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { left, right in
            "  " + left + String(repeating: " ", count: width - left.count + 2) + right + "\n"
        }.joined()
    }
}
