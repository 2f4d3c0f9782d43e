import Foundation
import PulseCore
import PulseRendering

/// The manual page, pulse-digest(1), in the man macros of roff (man(7)), from the table of commands.
struct ManPage {
    let groups: [CommandGroup]
    let settings: [Option]

    var text: String {
        """
        .\\" Written by `pulse-digest man`.
        .TH PULSE-DIGEST 1 \(Release.date) "pulse-digest \(Release.version)" "User Commands"
        .SH NAME
        pulse-digest \\- summarise what you read, on your own machine
        .SH SYNOPSIS
        .B pulse-digest
        .I COMMAND
        .RI [ OPTION ]...
        .SH DESCRIPTION
        pulse-digest reads the history of your news reader and sums up what you
        read on one page: every story once, the most important first, each with
        its sources and in one sentence.
        It works on this machine: no account, no server.
        .P
        The result goes to standard output and nothing else does.
        Without a command, today's digest is printed; the first time, the program helps to import what was read.
        .SH COMMANDS
        \(groups.map(section).joined())
        .SH GLOBAL OPTIONS
        \(Option.everywhere.map(row).joined())\
        .TP
        .BR \\-h ", " \\-\\-help
        Show the help, of a command too.
        .TP
        .BR \\-V ", " \\-\\-version
        Show the version.
        .SH ARTICLES
        Where a command takes an article, that is the number of a story in the
        last digest (3 or [3]), its id or at least four characters of it, its URL,
        or a pulse:// link.
        .SH SETTINGS
        Each can be given as an option, as an environment variable, or in the
        settings file; the first of these that is found counts.
        What stands in the profile that is asked for, as \\-\\-profile does, counts
        before the environment.
        .B pulse\\-digest config
        lists them with their values.
        \(settings.map(setting).joined())
        .SH ENVIRONMENT
        .TP
        .BR NO_COLOR ", " CLICOLOR_FORCE
        No colours; colours even if the output is no terminal.
        The option \\-\\-color counts more than both.
        .TP
        .BR PULSE_DIGEST_PAGER ", " PAGER
        What shows a text that is longer than the terminal; otherwise less \\-FRX.
        Empty, or cat: nothing does.
        .TP
        .BR VISUAL ", " EDITOR
        What pulse\\-digest config edit opens.
        .TP
        .BR LC_ALL ", " LC_MESSAGES ", " LANG
        The language of digests and of all that is said, unless the setting
        language names one.
        .TP
        .BR XDG_CONFIG_HOME ", " XDG_DATA_HOME ", " XDG_STATE_HOME ", " XDG_CACHE_HOME
        Where the files are.
        .SH FILES
        .TP
        .I ~/.config/pulse\\-digest/config.json
        The settings, in JSON5.
        .TP
        .I ~/.local/share/pulse\\-digest/history.sqlite
        The reading history, with the digests that were made.
        .TP
        .I ~/.local/share/pulse\\-digest/models/
        Models that were downloaded.
        .TP
        .I ~/.local/state/pulse\\-digest/
        Mail that was sent or waits, and the log of runs.
        .SH EXIT STATUS
        \(ManPage.statuses.map { ".TP\n.B \($0)\n\(ManPage.escaped($1))\n" }.joined())\
        .SH SEE ALSO
        .BR newsboat (1),
        .BR sendmail (8),
        .BR crontab (1)

        """
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

    /// A line of text: a dot or an apostrophe at its beginning would be a request (groff(7)).
    static func line(_ text: String) -> String {
        let text = escaped(text)
        return (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + text + "\n"
    }

    /// A paragraph, a sentence a line as man(7) has it, and none longer than 80 columns.
    static func paragraph(_ text: String) -> String {
        text.replacing(". ", with: ".\n").split(separator: "\n").flatMap { sentence in
            TextStyle(width: 72).paragraph(String(sentence)).split(separator: "\n")
        }.map { line(String($0)) }.joined()
    }

    /// A bare `-` may become a typographic hyphen, which cannot be copied into a shell.
    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
    }

    /// Those of sysexits.h.
    static let statuses: [(String, String)] = [
        ("0", "Done; also when nothing was read."),
        ("64", "The command line cannot be understood."),
        ("65", "Input is not what it should be."),
        ("66", "There is no such article, file, digest or history."),
        ("69", "A model, a program or a service is missing or cannot be used."),
        ("70", "A bug."),
        ("73", "The output cannot be written, or the disk is full."),
        ("74", "Something cannot be read."),
        ("75", "Busy, or too little memory: try again later."),
        ("77", "Permission denied."),
        ("78", "A setting is wrong."),
        ("130", "Interrupted."),
    ]
}

extension Command {
    static let man = Command(
        "man", summary: "print the manual page",
        details: """
            It is in roff, for man and mandoc; make install puts it where man finds it.
            """
    ) { context throws(PulseError) in
        let reader = SettingsReader(commands: Program.commands, environment: [:], configurationFile: "")
        try context.console.write(ManPage(groups: Program.groups, settings: reader.options).text)
    }.withoutHistory()
}
