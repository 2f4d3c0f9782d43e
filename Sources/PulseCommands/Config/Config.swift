import Foundation
import PulseApp
import PulseCore
import PulseModels
import PulsePlatform
import PulseRendering
import PulseText

extension Command {
    static let config = Command(
        "config", summary: "show and change the settings: list, get, set, unset, path, edit",
        details: """
            A setting is taken from the first of these that has it: the command line, the given profile, an \
            environment variable, the settings file, its default. KEY is its name in the file, such as maxStories; of \
            a profile, with the profile's name, such as profiles.ana.maxStories.
            """, implied: "list",
        subcommands: [
            Command(
                "list", summary: "list every setting: its value, where that comes from, and its default",
                options: [.profile, .format([.text, .json])], resolving: \.arguments
            ) { context in
                // With a broken file, the table would show defaults as if they were set.
                if let fault = context.arguments.settingsFault { throw fault }
                let rows = ConfigCommands(context: context).rows()
                try await context.page(
                    isJSON: context.list.isJSON, JSONText.render(["settings": rows]),
                    SettingRow.table(rows, style: context.style))
            },
            Command(
                "get", operands: "KEY", arity: 1...1, summary: "print the value of a setting", options: [.profile],
                resolving: \.arguments
            ) { context in
                if let fault = context.arguments.settingsFault { throw fault }
                let values = try ConfigCommands(context: context).value(of: context.operands[0])
                try context.console.write(values.map { PlainText.line($0) + "\n" }.joined())
            },
            Command(
                "set", operands: "KEY VALUE…", arity: 2...1000, summary: "give a setting a value in the file",
                details: """
                    Give several values only for a setting whose option can be repeated. Comments in the file and its \
                    order are kept.
                    """, resolving: \.arguments
            ) { try ConfigCommands(context: $0).set($0.operands[0], to: Array($0.operands.dropFirst())) },
            Command(
                "unset", operands: "KEY", arity: 1...1, summary: "remove a setting from the file",
                resolving: \.arguments
            ) { try ConfigCommands(context: $0).unset($0.operands[0]) },
            Command("path", summary: "print the path of the file") { context in
                try context.console.write(context.locations.configurationFile + "\n")
            },
            Command(
                "edit", summary: "open the file in your editor, and check it afterwards", resolving: \.arguments
            ) { try await ConfigCommands(context: $0).edit() },
        ]
    ).withoutHistory().workingWithFaultySettings()
}

/// Implements the subcommands of `config`. Their arguments are not resolved, because they are about all settings.
struct ConfigCommands {
    let context: RawContext

    private var file: String { context.locations.configurationFile }

    private var reader: SettingsReader { SettingsReader(environment: context.environment, configurationFile: file) }

    /// A setting, or one of a profile: `profiles.ana.maxStories`.
    private struct Key {
        var profile: String?
        let option: Option

        var path: [String] { (profile.map { [SettingsContents.profilesName, $0] } ?? []) + [option.settingName] }
    }

    private static func key(_ text: String) throws -> Key {
        let parts = path(text)
        guard parts.first == SettingsContents.profilesName else { return Key(option: try option(text)) }
        guard parts.count == 3 else {
            throw PulseError(
                .usage, "“\(PlainText.line(text))” is not a setting.",
                hint: "The name of a profile's setting looks like profiles.ana.language.")
        }
        if var fault = SettingsContents.fault(ofName: parts[1]) {
            fault.code = .usage
            throw fault
        }
        let option = try option(parts[2])
        guard option.isAllowedInProfile else {
            throw PulseError(
                .usage, "“\(option.settingName)” cannot be set in a profile.",
                hint: "For all of them: pulse-digest config set \(option.settingName) VALUE")
        }
        return Key(profile: parts[1], option: option)
    }

    private static func path(_ text: String) -> [String] {
        text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    }

    /// Finds a setting by its name in the file, as an option or as a variable.
    private static func option(_ key: String) throws -> Option {
        let options = SettingsReader.options
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

    func set(_ key: String, to values: [String]) throws {
        let key = try Self.key(key)
        let option = key.option
        guard values.count == 1 || option.isList else {
            throw PulseError(.usage, "\(option.settingName) takes one value.")
        }
        var probe = Settings()
        try reader.apply(option, values, to: &probe, .usage, named: "\(option.settingName)")
        let literals = values.map { literal($0, option) }
        let value = values.count == 1 ? literals[0] : "[" + literals.joined(separator: ", ") + "]"
        try change { file throws(SettingsFile.Fault) in
            try file.set(key.path, to: value)
        } checking: { text in
            // These checks need the whole file.
            switch option.name {
            case Option.to.name: try SettingsReader.requireOwnAddresses(reader.contents(of: text).addresses)
            case Option.profile.name:
                let names = reader.contents(of: text).profiles.map(\.name)
                if !names.contains(values[0]) {
                    throw SettingsReader.unknownProfile(values[0], among: names, .usage)
                }
            default: break
            }
        }
        let name = key.path.joined(separator: ".")
        context.noteOnTerminal("\(name) is \(PlainText.line(value)) now, in \(PlainText.line(file)).")
        if reader.origin(of: option, flags: [], profile: key.profile ?? "").source == .environment {
            context.note("It is set, but \(option.environmentName) in the environment overrides it.")
        }
        do {
            try requireUsable(option, probe)
        } catch {
            context.note("It is set, but cannot be used now. \(error.asPulseError)")
        }
    }

    /// Throws if what a setting names is not there.
    private func requireUsable(_ option: Option, _ settings: Settings) throws {
        switch option.name {
        case Option.model.name:
            if let name = settings.model.name, name != ModelCatalog.none {
                _ = try ModelCatalog(in: context.app).resolve(name)
            }
        case Option.category.name where context.history.exists:
            try context.history.requireKnown(settings.digest.categories)
        case Option.source.name where context.history.exists:
            try context.history.requireKnown(sources: settings.digest.sources)
        case Option.muteSource.name where context.history.exists:
            try context.history.requireKnown(sources: settings.digest.muteSources)
        case Option.section.name where context.history.exists:
            try context.history.requireKnown(sections: settings.digest.sections)
        case Option.sendmail.name: _ = try settings.mail.program(in: context.app)
        case Option.guardianKeyFile.name, Option.pulseKeyFile.name:
            for key in [settings.services.guardianKey, settings.services.pulseKey] {
                if let file = key.file { _ = try Secret.fromFile(file) }
            }
        default: break
        }
    }

    func unset(_ key: String) throws {
        // A setting that is misspelled in the file can be removed too.
        let path: [String]
        do {
            path = try Self.key(key).path
        } catch {
            path = Self.path(key)
            guard try read().line(of: path) != nil else { throw error }
        }
        try change { file throws(SettingsFile.Fault) in
            try file.remove(path)
        } checking: { text in
            let contents = reader.contents(of: text)
            let used = contents.values.first { $0.0.name == Option.profile.name }?.1.last
            guard path.first == SettingsContents.profilesName, let used,
                !contents.profiles.contains(where: { $0.name == used })
            else { return }
            throw PulseError(
                .usage, "The profile “\(used)” is used by the setting profile.",
                hint: "First: pulse-digest config unset profile")
        }
        context.noteOnTerminal("\(path.joined(separator: ".")) is no longer set in \(PlainText.line(file)).")
    }

    /// As JSON: a number or a Boolean if the setting is one, else a string.
    private func literal(_ value: String, _ option: Option) -> String {
        if option.isNumber, value.wholeMatch(of: /-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,9})?/) != nil { return value }
        if option.value == nil, let isOn = try? Value.isOn([value]) { return String(isOn) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // A string can always be encoded.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    private func read() throws -> SettingsFile {
        let data: Data
        do {
            data = try AtomicFile.readRegular(file) ?? Data("{\n}\n".utf8)
        } catch {
            throw SettingsContents.unreadable(error.asPulseError)
        }
        do {
            return try SettingsFile(data)
        } catch {
            throw PulseError(
                .configuration, "\(file), \(error.message)", hint: "To correct it: pulse-digest config edit")
        }
    }

    private func change(
        _ change: (inout SettingsFile) throws(SettingsFile.Fault) -> Void,
        checking check: (String) throws -> Void
    ) throws {
        // Concurrent changes wait, so that none is lost.
        let lock = try context.app.state().waitingLock("settings.lock")
        defer { withExtendedLifetime(lock) {} }
        var settings = try read()
        let before = settings.text
        do {
            try change(&settings)
        } catch {
            throw PulseError(.bug, "\(file) could not be changed: \(error.message)", hint: "pulse-digest config edit")
        }
        if settings.text == before { return }
        try check(settings.text)
        // A symbolic link is kept: its target is written.
        let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
        try AtomicFile.restore(Data(settings.text.utf8), to: path, mode: 0o600)
    }

    // MARK: - Editing

    func edit() async throws {
        if try AtomicFile.read(file) == nil {
            try AtomicFile.restore(Data(Self.empty.utf8), to: file, mode: 0o600)
        }
        try await context.edit(file, by: "config edit", otherwise: "Without one: pulse-digest config set KEY VALUE")
        try reader.requireValidFile()
    }

    private static let empty = """
        {
          // Settings of pulse-digest, in JSON5. "pulse-digest config list" says which there are. For example:
          // "maxStories": 30,
        }

        """

    // MARK: - Reading

    /// All settings, followed by each profile's own; if a profile is given, the settings in effect for it.
    func rows() -> [SettingRow] {
        let profile = context.settings.profile
        let common = SettingsReader.options.map { option in
            let (values, source) = value(of: option, for: profile)
            return SettingRow(
                name: option.settingName, value: values.joined(separator: ", "), source: source.name,
                defaultValue: option.defaultValue, meaning: option.help)
        }
        guard profile.isEmpty else { return common }
        return common
            + reader.contents().profiles.flatMap { name, values in
                values.map { option, values in
                    SettingRow(
                        name: "\(SettingsContents.profilesName).\(name).\(option.settingName)",
                        value: values.joined(separator: ", "), source: SettingsReader.Source.file.name,
                        defaultValue: nil, meaning: option.help)
                }
            }
    }

    func value(of key: String) throws -> [String] {
        let key = try Self.key(key)
        let profile = key.profile ?? context.settings.profile
        if key.profile != nil, !reader.contents().profiles.contains(where: { $0.name == profile }) {
            throw PulseError(
                .usage, "There is no profile “\(profile)”.", hint: "To see them all: pulse-digest config list")
        }
        return value(of: key.option, for: profile).values
    }

    private func value(of option: Option, for profile: String) -> (values: [String], source: SettingsReader.Source) {
        let (source, values) = reader.origin(of: option, flags: context.flags, profile: profile)
        guard source == .default else { return (values, source) }
        if option.name == Option.language.name { return ([context.settings.language.rawValue], source) }
        let catalogue = context.list.isJSON ? .english : context.console.catalogue
        return (option.defaultValue.map { [$0.text(in: catalogue)] } ?? [], source)
    }
}

struct SettingRow: Sendable, Hashable, Encodable {
    let name: String
    /// The value in effect; empty: none.
    let value: String
    /// Where it comes from: `flag`, `profile`, `environment`, `file` or `default`.
    let source: Message
    let defaultValue: Message?
    let meaning: Message

    private enum CodingKeys: String, CodingKey { case name, value, source = "from", defaultValue = "default", meaning }

    /// One line each.
    static func table(_ rows: [SettingRow], style: TextStyle) -> String {
        let cells = rows.map { row in
            [
                row.name, row.value.isEmpty ? "–" : PlainText.line(row.value), style.text(row.source),
                row.defaultValue.map(style.text) ?? "–",
            ]
        }
        let head: [Message] = ["setting", "value", "from", "default"]
        let table = [head.map(style.text)] + cells
        // On a terminal, long values are cut.
        let most = style.tableWidth.map { max(16, $0 / 3) } ?? .max
        let widths = (0..<3).map { column in min(table.map { DisplayWidth.of($0[column]) }.max() ?? 0, most) }
        return table.enumerated().map { number, cells in
            let front = zip(cells, widths).map { DisplayWidth.clip($0, to: $1).padding(to: $1) + "  " }.joined()
            let line = style.tableWidth.map { DisplayWidth.clip(front + cells[3], to: $0) } ?? front + cells[3]
            if number == 0 { return style.bold(line) + "\n" }
            return (rows[number - 1].source == "default" ? style.dim(line) : line) + "\n"
        }.joined()
    }
}
