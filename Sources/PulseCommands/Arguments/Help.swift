import Foundation
import PulseRendering

/// The help, written from the table of commands and wrapped to the terminal.
struct Help {
    let commands: [Command]
    let style: TextStyle

    /// - Parameter width: Columns of the terminal; in a pipe, lines are as long as on a terminal of 80.
    init(_ commands: [Command], width: Int?) {
        self.commands = commands
        style = TextStyle(width: width ?? 80)
    }

    /// - Parameter path: The command and its subcommand; empty for the program itself.
    func text(for path: [Command]) -> String {
        guard let command = path.last else { return program }
        let name = (["pulse-digest"] + path.map(\.name)).joined(separator: " ")
        var text = style.paragraph(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".") + "\n"
        let own = command.run == nil ? [] : [(name, command)]
        let usages = own + command.subcommands.map { (name + " " + $0.name, $0) }
        for (name, command) in usages { text += usage(name, command) }
        for paragraph in command.details.split(separator: "\n\n") { text += "\n" + set(paragraph) }
        var tables = [
            (
                "Commands",
                command.subcommands.map { ($0.name, $0.summary + ($0.name == command.implied ? " (default)" : "")) }
            )
        ]
        var headings: [String] = []
        for option in command.options where !headings.contains(option.heading) { headings.append(option.heading) }
        for heading in headings {
            tables.append((heading, command.options.filter { $0.heading == heading }.map(row)))
        }
        tables.append(("Global options", Option.everywhere.map(row) + [("-h, --help", "show this help")]))
        return text + set(tables)
    }

    private var program: String {
        style.paragraph("pulse-digest summarises what you read, on your own machine.") + "\n"
            + "  pulse-digest COMMAND [OPTION]…\n"
            + set([
                ("Commands", commands.map { ($0.name, $0.summary) }),
                (
                    "Global options",
                    Option.everywhere.map(row) + [
                        ("-h, --help", "show this help, or that of a command"), ("    --version", "show the version"),
                    ]
                ),
            ]) + "\n"
            + style.paragraph(
                "Most options can be made permanent in ~/.config/pulse-digest/config.json (\"maxStories\": 25) or in the "
                    + "environment (PULSE_DIGEST_MAX_STORIES=25). For a command's own options: pulse-digest COMMAND "
                    + "--help")
    }

    /// A paragraph is wrapped; lines that are indented are commands, and stay as they are.
    private func set(_ paragraph: Substring) -> String {
        paragraph.hasPrefix("  ") ? paragraph + "\n" : style.paragraph(String(paragraph))
    }

    private func usage(_ name: String, _ command: Command) -> String {
        let words = [name, command.options.isEmpty ? "" : "[OPTION]…", command.operands]
        return "  " + words.filter { !$0.isEmpty }.joined(separator: " ") + "\n"
    }

    private func row(_ option: Option) -> (String, String) {
        let short = option.short.map { "-\($0), " } ?? "    "
        let value = option.value.map { " " + $0 } ?? ""
        return (short + "--" + option.name + value, option.help)
    }

    /// Tables of two columns, which are as wide in all of them; a name too long for the first has a line of its own.
    private func set(_ tables: [(heading: String, rows: [(String, String)])]) -> String {
        let longest = tables.flatMap(\.rows).map(\.0.count).max() ?? 0
        let column = min(longest + 4, Help.widest)
        return tables.filter { !$0.rows.isEmpty }.map { heading, rows in
            let lines = rows.map { left, right in
                let lines = style.paragraph(right, indent: column)
                guard left.count + 4 <= column else { return "  " + left + "\n" + lines }
                return ("  " + left).padding(toLength: column, withPad: " ", startingAt: 0) + lines.dropFirst(column)
            }
            return "\n" + heading + "\n" + lines.joined()
        }.joined()
    }

    /// Columns before the second column, at most.
    private static let widest = 28
}
