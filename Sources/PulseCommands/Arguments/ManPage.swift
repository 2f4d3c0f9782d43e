import Foundation
import PulseCore
import PulseRendering

/// The manual page, pulse-digest(1), in the man macros of roff (man(7)), from the table of commands.
struct ManPage {
    let groups: [CommandGroup]
    let settings: [Option]

    var text: String {
        let parts = [
            "DATE": Release.date, "VERSION": Release.version, "COMMANDS": groups.map(section).joined(),
            "OPTIONS": Option.everywhere.map(row).joined(), "SETTINGS": settings.map(setting).joined(),
        ]
        return parts.reduce(String(decoding: PackageResources.pulse_digest_1_in, as: UTF8.self)) { page, part in
            page.replacing("@\(part.key)@", with: part.value)
        }
    }

    private func section(_ group: CommandGroup) -> String {
        ".SS \(ManPage.escaped("\(group.heading)"))\n" + group.commands.map { describe([$0]) }.joined()
    }

    private func describe(_ path: [Command]) -> String {
        guard let command = path.last else { return "" }
        let name = (["pulse-digest"] + path.map(\.name)).joined(separator: " ")
        var text = ""
        if let usage = Help.usage(name, command) {
            let rest = usage.dropFirst(name.count)
            text += ".TP\n\\fB\(ManPage.escaped(name))\\fR\(ManPage.escaped(String(rest)))\n"
            text += ManPage.paragraph(command.sentence(in: .english))
            text += paragraphs("\(command.details)")
            let options = Help.headed(command).flatMap(\.options)
            if !options.isEmpty { text += ".RS\n" + options.map(row).joined() + ".RE\n" }
            let examples = Example.of(path)
            if !examples.isEmpty {
                let lines = examples.map { ManPage.line("# \($0.meaning)") + ManPage.line($0.line) }.joined()
                text += ".IP\n.EX\n\(lines).EE\n"
            }
        }
        return text + command.subcommands.map { describe(path + [$0]) }.joined()
    }

    private func paragraphs(_ details: String) -> String {
        details.split(separator: "\n\n").map { paragraph in
            paragraph.hasPrefix("  ")
                ? ".IP\n.EX\n" + paragraph.split(separator: "\n").map { ManPage.line(String($0.dropFirst(2))) }.joined()
                    + ".EE\n"
                : ".IP\n" + ManPage.paragraph(String(paragraph.replacing("\n", with: " ")))
        }.joined()
    }

    private func row(_ option: Option) -> String {
        let short = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
        let value = option.value.map { " \\fI\(ManPage.escaped($0))\\fR" } ?? ""
        return ".TP\n\(short)\\fB\\-\\-\(ManPage.escaped(option.name))\\fR\(value)\n"
            + ManPage.paragraph("\(option.fullHelp)")
    }

    private func setting(_ option: Option) -> String {
        ".TP\n\\fB\(option.settingName)\\fR, \\fB\(option.environmentName)\\fR\n"
            + ManPage.paragraph("\(option.fullHelp)")
    }

    /// Escapes a line: an initial dot or apostrophe would make it a request (groff(7)).
    static func line(_ text: String) -> String {
        let text = escaped(text)
        return (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + text + "\n"
    }

    /// A paragraph with one sentence per line, as man(7) wants, wrapped at 72 columns.
    static func paragraph(_ text: String) -> String {
        text.replacing(". ", with: ".\n").split(separator: "\n").flatMap { sentence in
            TextStyle(width: 72).paragraph(String(sentence)).split(separator: "\n")
        }.map { line(String($0)) }.joined()
    }

    /// A bare `-` may become a typographic hyphen, which cannot be copied into a shell.
    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
    }
}

extension Command {
    static let man = Command(
        "man", summary: "print the manual page",
        details: """
            It is in roff, for man and mandoc; make install puts it where man finds it.
            """
    ) { context in
        try context.console.write(ManPage(groups: Program.groups, settings: SettingsReader.options).text)
    }.withoutHistory()
}
