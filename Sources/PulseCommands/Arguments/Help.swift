import Foundation
import PulseCore
import PulseRendering

/// The help, written from the table of commands and wrapped to the terminal.
struct Help {
    let groups: [CommandGroup]
    let style: TextStyle

    /// - Parameters:
    ///   - width: Columns of the terminal; nil, in a pipe, means 80.
    ///   - isStyled: Whether headings and names are styled.
    init(_ groups: [CommandGroup], width: Int?, isStyled: Bool = false, catalogue: Translations = .english) {
        self.groups = groups
        style = TextStyle(width: width ?? 80, isStyled: isStyled, catalogue: catalogue)
    }

    /// - Parameter path: The command and its subcommand; empty for the program itself.
    func text(for path: [Command]) -> String {
        guard let command = path.last else { return program }
        let name = (["pulse-digest"] + path.map(\.name)).joined(separator: " ")
        var text = style.paragraph(command.sentence(in: style.catalogue)) + "\n"
        let own = command.run == nil ? [] : [(name, command)]
        let usages = own + command.subcommands.map { (name + " " + $0.name, $0) }
        for (name, command) in usages {
            text += Help.usage(name, command, in: style.catalogue).map { "  " + $0 + "\n" } ?? ""
        }
        for paragraph in style.text(command.details).split(separator: "\n\n") { text += "\n" + set(paragraph) }
        text += examples(path)
        var tables: [(Message, [(String, Message)])] = [
            (
                "Commands",
                command.subcommands.map {
                    ($0.name, $0.name == command.implied ? "\($0.summary) (default)" : $0.summary)
                }
            )
        ]
        for (heading, options) in Help.headed(command) { tables.append((heading, options.map(row))) }
        tables.append(("Global options", command.globalOptions.map(row) + [("-h, --help", "show this help")]))
        text += set(tables)
        if !command.subcommands.isEmpty {
            text += "\n" + style.paragraph(style.text("For the options of each: \(name) COMMAND --help"))
        }
        return text
    }

    private var program: String {
        style.paragraph(style.text("pulse-digest summarises what you read, on your own machine.")) + "\n"
            + "  pulse-digest \(style.text(Placeholder.message("COMMAND [OPTION]…")))\n"
            + set(
                groups.map { ($0.heading, $0.commands.map { ($0.name, $0.summary) }) }
                    + [
                        (
                            "Global options",
                            Option.everywhere.map(row) + [
                                ("-h, --help", "show this help, or that of a command"),
                                ("-V, --version", "show the version"),
                            ]
                        )
                    ]) + "\n"
            + style.paragraph(
                style.text(
                    "For a command's own options: pulse-digest COMMAND --help. What you always want can be set for "
                        + "good: pulse-digest config."))
    }

    /// A command's usage line; nil if it only has subcommands.
    static func usage(_ name: String, _ command: Command, in catalogue: Translations = .english) -> String? {
        guard command.run != nil else { return nil }
        let operands = [command.options.isEmpty ? "" : "[OPTION]…", command.operands]
        return ([name] + operands.filter { !$0.isEmpty }.map { Placeholder.message($0).text(in: catalogue) })
            .joined(separator: " ")
    }

    /// Its own visible options, grouped by heading.
    static func headed(_ command: Command) -> [(heading: Message, options: [Option])] {
        var headings: [Message] = []
        for option in command.options where !headings.contains(option.heading) { headings.append(option.heading) }
        return headings.map { heading in
            (heading, command.options.filter { $0.heading == heading && !$0.isHidden })
        }.filter { !$0.1.isEmpty }
    }

    // MARK: - Layout

    /// Wraps a paragraph; indented lines are commands, and are kept as they are.
    private func set(_ paragraph: Substring) -> String {
        paragraph.hasPrefix("  ") ? paragraph + "\n" : style.paragraph(String(paragraph))
    }

    private func row(_ option: Option) -> (String, Message) {
        let short = option.short.map { "-\($0), " } ?? "    "
        let value = option.value.map { " " + style.text(Placeholder.message($0)) } ?? ""
        return (short + "--" + option.name + value, option.fullHelp)
    }

    private func examples(_ path: [Command]) -> String {
        var examples = Example.of(path)
        if examples.isEmpty, let command = path.last {
            examples = command.subcommands.compactMap { Example.of(path + [$0]).first }
        }
        guard !examples.isEmpty else { return "" }
        // A command line is for copying, so it is not wrapped; its meaning is in the line above it.
        let lines = examples.prefix(3).map {
            style.aside("# " + style.text($0.meaning), indent: 2) + "  " + $0.line + "\n"
        }
        return "\n" + style.bold(style.text("Examples")) + "\n" + lines.joined()
    }

    /// Two-column tables with the same column widths; a name too long for the first column has a line of its own.
    private func set(_ tables: [(heading: Message, rows: [(String, Message)])]) -> String {
        let longest = tables.flatMap(\.rows).map(\.0.count).max() ?? 0
        let column = min(longest + 4, Help.widest)
        return tables.filter { !$0.rows.isEmpty }.map { heading, rows in
            let lines = rows.map { left, right in
                let lines = style.paragraph(style.text(right), indent: column)
                let name = style.typed(left)
                guard left.count + 4 <= column else { return "  " + name + "\n" + lines }
                return "  " + name + String(repeating: " ", count: column - left.count - 2) + lines.dropFirst(column)
            }
            return "\n" + style.bold(style.text(heading)) + "\n" + lines.joined()
        }.joined()
    }

    private static let widest = 28
}

/// Commands that the program's help lists under one heading.
struct CommandGroup: Sendable {
    let heading: Message
    let commands: [Command]

    init(_ heading: Message, _ commands: [Command]) { (self.heading, self.commands) = (heading, commands) }
}
