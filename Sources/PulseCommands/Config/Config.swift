import Foundation
import PulseCore
import PulseRendering
import PulseSystem
import PulseText

extension Command {
    static let config = Command(
        "config", summary: "show and change the settings: list, get, set, unset, path, edit",
        details: """
            A setting counts as an option on the command line, else as an environment variable, else as it stands in \
            the settings file, else as its default. KEY is its name in the file, such as maxStories.
            """, implied: "list",
        subcommands: [
            Command(
                "list", summary: "list every setting: its value, where that comes from, and its default",
                options: [.format([.text, .json])]
            ) { context throws(PulseError) in
                let rows = ConfigCommands(context: context).rows()
                try await context.page(
                    context.settings.format == .json
                        ? SettingsText.json(rows) : SettingsText.list(rows, style: context.style))
                if let fault = context.settingsFault { throw fault }
            },
            Command("get", operands: "KEY", arity: 1...1, summary: "print the value of a setting") {
                context throws(PulseError) in
                let option = try ConfigCommands.option(context.operands[0])
                let values = ConfigCommands(context: context).value(of: option).values
                try context.console.write(values.map { PlainText.line($0) + "\n" }.joined())
            },
            Command(
                "set", operands: "KEY VALUE…", arity: 2...1000, summary: "give a setting a value in the file",
                details: """
                    Several values are for what can be repeated as an option. Comments and the order of the file stay.
                    """
            ) { context throws(PulseError) in
                try ConfigCommands(context: context).set(context.operands[0], to: Array(context.operands.dropFirst()))
            },
            Command("unset", operands: "KEY", arity: 1...1, summary: "remove a setting from the file") {
                context throws(PulseError) in
                try ConfigCommands(context: context).unset(context.operands[0])
            },
            Command("path", summary: "print the path of the file") { context throws(PulseError) in
                try context.console.write(context.locations.configurationFile + "\n")
            },
            Command("edit", summary: "open the file in your editor, and check it afterwards") {
                context throws(PulseError) in
                try await ConfigCommands(context: context).edit()
            },
        ]
    ).withoutHistory().workingWithFaultySettings()
}

/// What `config` does with the settings and their file.
struct ConfigCommands {
    let context: Context

    private static var options: [Option] { reader([:], "").options }

    private static func reader(_ environment: [String: String], _ file: String) -> SettingsReader {
        SettingsReader(commands: Program.commands, environment: environment, configurationFile: file)
    }

    private var file: String { context.locations.configurationFile }

    private var reader: SettingsReader { Self.reader(context.environment, file) }

    // MARK: - Reading

    func rows() -> [SettingRow] {
        Self.options.map { option in
            let (values, source) = value(of: option)
            return SettingRow(
                name: option.settingName, value: values.joined(separator: ", "), source: source.rawValue,
                usual: option.usual, meaning: option.help)
        }
    }

    func value(of option: Option) -> (values: [String], source: SettingsReader.Source) {
        let (source, values) = reader.origin(of: option, flags: context.flags)
        if source == .default, option.name == Option.language.name {
            return ([context.settings.language.rawValue], source)
        }
        guard source == .default else { return (values, source) }
        let catalogue = context.settings.format == .json ? .english : context.console.catalogue
        return (option.usual.map { [$0.text(in: catalogue)] } ?? [], source)
    }

    /// The setting that somebody means by its name in the file, as an option or as a variable.
    static func option(_ key: String) throws(PulseError) -> Option {
        let options = options
        let bare = key.hasPrefix("--") ? String(key.dropFirst(2)) : key
        if let option = options.first(where: { [$0.settingName, $0.name, $0.environmentName].contains(bare) }) {
            return option
        }
        let meant = EditDistance.nearest(to: bare, among: options.map(\.settingName))
        throw PulseError(
            .usage, "“\(PlainText.line(key))” is not a setting.",
            hint: meant.map { "Did you mean \($0)?" } ?? "To see them all: pulse-digest config list")
    }

    // MARK: - Changing

    func set(_ key: String, to values: [String]) throws(PulseError) {
        let option = try Self.option(key)
        guard values.count == 1 || option.isList else {
            throw PulseError(.usage, "\(option.settingName) takes one value.")
        }
        if let fault = reader.fault(of: values, for: option) {
            throw PulseError(.usage, "\(option.settingName) \(fault.message)")
        }
        let literals = values.map { literal($0, option) }
        let value = values.count == 1 ? literals[0] : "[" + literals.joined(separator: ", ") + "]"
        try change { file throws(SettingsFile.Fault) in try file.set(option.settingName, to: value) }
        let wins = reader.origin(of: option, flags: [])
        if wins.source == .environment {
            context.note("It is set, but \(option.environmentName) in the environment counts more.")
        }
    }

    func unset(_ key: String) throws(PulseError) {
        // One that is misspelled in the file is to be got rid of, too.
        let name: String
        do throws(PulseError) {
            name = try Self.option(key).settingName
        } catch {
            guard try read().names.contains(key) else { throw error }
            name = key
        }
        try change { file throws(SettingsFile.Fault) in try file.remove(name) }
    }

    /// As JSON: a number where the setting is one, a truth where it is a switch, else a text.
    private func literal(_ value: String, _ option: Option) -> String {
        if option.isNumber, value.wholeMatch(of: /-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,9})?/) != nil { return value }
        if option.value == nil, let isOn = try? Value.isOn([value]) { return String(isOn) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // A text can always be encoded.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    private func read() throws(PulseError) -> SettingsFile {
        let text = String(decoding: try WholeFile.read(file) ?? Data("{\n}\n".utf8), as: UTF8.self)
        do {
            return try SettingsFile(text)
        } catch {
            throw PulseError(
                .configuration, "\(file), \(SettingsFile.fault(in: text) ?? error.message)",
                hint: "Correct it first: pulse-digest config edit")
        }
    }

    private func change(_ change: (inout SettingsFile) throws(SettingsFile.Fault) -> Void) throws(PulseError) {
        var settings = try read()
        let before = settings.text
        do {
            try change(&settings)
        } catch {
            throw PulseError(.bug, "\(file) could not be changed: \(error.message)", hint: "pulse-digest config edit")
        }
        guard settings.text != before else { return }
        // A link stays one: what it leads to is what is written.
        let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
        try WholeFile.makeFolder((path as NSString).deletingLastPathComponent)
        try WholeFile.write(Data(settings.text.utf8), to: path, mode: 0o600)
    }

    // MARK: - Editing

    func edit() async throws(PulseError) {
        let environment = context.environment
        let named = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty }
        guard named != nil || context.console.isInputTerminal else {
            throw PulseError(
                .usage, "An editor needs a terminal.", hint: "Without one: pulse-digest config set KEY VALUE")
        }
        let places = ["editor", "nano", "vi"]
        guard let editor = named ?? places.first(where: { ProgramSearch(environment: environment).find($0) != nil })
        else {
            throw PulseError(
                .unavailable, "There is no editor.", hint: "Name one: EDITOR=nano pulse-digest config edit")
        }
        if try WholeFile.read(file) == nil {
            try WholeFile.makeFolder((file as NSString).deletingLastPathComponent)
            try WholeFile.write(Data(Self.empty.utf8), to: file, mode: 0o600)
        }
        let status = try await TerminalProgram.run(editor, [file], environment: environment)
        guard status == 0 else {
            throw PulseError(
                .unavailable, "\(editor) ended with \(status).",
                hint: "Another editor: EDITOR=nano pulse-digest config edit")
        }
        if let fault = reader.fileFault() { throw fault }
    }

    private static let empty = """
        {
          // Settings of pulse-digest, in JSON5. "pulse-digest config list" says which there are. For example:
          // "maxStories": 30,
        }

        """
}
