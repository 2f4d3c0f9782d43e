import Foundation
import PulseCore
import PulsePlatform
import PulseRendering
import PulseText

/// Merges the layers of settings: the file, the environment, a profile of the file, the flags.
struct SettingsReader {
    let environment: [String: String]
    let configurationFile: String

    /// Every option of any command that may be a setting. Lazy: a run without settings does not need it.
    static let options = {
        var seen: Set<String> = []
        let all = Option.everywhere + Program.commands.flatMap { $0.options + $0.subcommands.flatMap(\.options) }
        return all.filter { $0.isSetting && seen.insert($0.name).inserted }.map { option in
            // As a setting, it is shared by all commands and accepts every format.
            option.name == Option.formatName ? .format() : option
        }
    }()

    private var variables: [String: String] { environment.filter { $0.key.hasPrefix("PULSE_DIGEST_") } }

    /// Reads all layers. An invalid part of the file or the environment is skipped.
    ///
    /// - Returns: The settings, of the named profile if there is one; those of each profile; the first error.
    /// - Throws: If the command line is invalid.
    func reading(flags: [(option: Option, values: [String])]) throws -> (
        settings: Settings, profiles: [Settings], fault: PulseError?
    ) {
        var settings = Settings()
        var fault: PulseError?
        func recordingFault(_ body: () throws -> Void) {
            do { try body() } catch { fault = fault ?? error.asPulseError }
        }
        settings.localLanguage = Language(localeOf: environment)
        settings.output.language = settings.localLanguage ?? .english
        let file = contents()
        fault = file.flaw
        for (option, values) in file.values {
            recordingFault {
                try apply(
                    option, values, to: &settings, .configuration,
                    named: "“\(option.settingName)” in \(configurationFile)")
            }
        }
        if let unknown = unknownVariable() { fault = fault ?? unknown }
        let variables = variables
        for option in variables.isEmpty ? [] : Self.options {
            guard let value = variables[option.environmentName], !value.isEmpty else { continue }
            recordingFault {
                try apply(option, [value], to: &settings, .configuration, named: "\(option.environmentName)")
            }
        }
        var profiles: [Settings] = []
        for (name, values) in file.profiles {
            var own = settings
            own.profile = name
            // A profile does not inherit the top level's addresses.
            own.output.to = []
            for (option, values) in values {
                recordingFault {
                    try apply(
                        option, values, to: &own, .configuration,
                        named: "“\(option.settingName)” of \(file.place(of: option.settingName, in: name))")
                }
            }
            profiles.append(own)
        }
        recordingFault {
            try Self.requireOwnAddresses(([settings] + profiles).map { ($0.profile, $0.to) })
        }
        let isNamed = flags.contains { $0.option.name == Option.profile.name }
        try apply(flags, to: &settings)
        if !settings.profile.isEmpty {
            if let named = profiles.first(where: { $0.profile == settings.profile }) {
                settings = named
                try apply(flags, to: &settings)
            } else {
                let unknown = Self.unknownProfile(
                    settings.profile, among: profiles.map(\.profile), isNamed ? .usage : .configuration)
                if isNamed { throw unknown }
                fault = fault ?? unknown
            }
        }
        // --to and --profile must not apply to every profile.
        let common = flags.filter { ![Option.to.name, Option.profile.name].contains($0.option.name) }
        for index in profiles.indices {
            try apply(common, to: &profiles[index])
        }
        return (settings, profiles, fault)
    }

    static func unknownProfile(_ name: String, among names: [String], _ code: PulseError.Code) -> PulseError {
        let hint: Message =
            EditDistance.nearest(to: name, among: names).map { "Did you mean \($0)?" }
            ?? (names.isEmpty
                ? "To make it: pulse-digest config set profiles.\(PlainText.line(name)).KEY VALUE"
                : "There are: \(names.joined(separator: ", ")).")
        return PulseError(
            code, "There is no profile “\(PlainText.line(name))”.",
            hint: code == .usage ? hint : "\(hint) To use none: pulse-digest config unset profile")
    }

    private func apply(_ flags: [(option: Option, values: [String])], to settings: inout Settings) throws {
        for (option, values) in flags {
            let name = "--\(option.name)"
            // The setting may be the format of another command; the flag must be one of this command's.
            if option.name == Option.formatName, let value = values.last,
                !option.choices.contains(where: { $0.lowercased() == value.lowercased() })
            {
                throw PulseError(
                    .usage, "\(name) is one of: \(option.choices.joined(separator: ", ")); not “\(value)”.")
            }
            try apply(option, values, to: &settings, .usage, named: "\(name)")
        }
        if let path = settings.output.path, !flags.contains(where: { $0.option.name == Option.formatName }),
            let format = OutputFormat(ofFileNamed: path)
        {
            settings.output.format = format
        }
    }

    /// Throws if two readers have the same address: sent digests are stored by address.
    ///
    /// - Parameter readers: Their profiles, empty for none, and addresses.
    static func requireOwnAddresses(_ readers: [(profile: String, to: [MailAddress])]) throws {
        var owners: [String: Message] = [:]
        for reader in readers {
            let owner: Message = reader.profile.isEmpty ? "“to”" : "the profile “\(reader.profile)”"
            for address in reader.to {
                guard let other = owners.updateValue(owner, forKey: address.key), other != owner else { continue }
                throw PulseError(
                    .configuration, "\(address.address) is the address of \(other) and of \(owner).",
                    hint: "Each address gets one digest a day: name it once.")
            }
        }
    }

    /// The language for help and errors, even if the command line is invalid.
    func language(of arguments: [String]) -> Language {
        let words = arguments.flatMap { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let given = words.lastIndex(of: "--" + Option.language.name).flatMap { words.dropFirst($0 + 1).first }
        let flags = given.map { [(option: Option.language, values: [$0])] } ?? []
        let settings = (try? reading(flags: flags))?.settings ?? (try? reading(flags: []))?.settings
        return settings?.language ?? .english
    }

    /// A variable that looks like a setting but is none: most likely mistyped.
    private func unknownVariable() -> PulseError? {
        guard !variables.isEmpty else { return nil }
        let known = Self.options.map(\.environmentName) + Program.otherVariables
        let unknown = variables.keys.filter { !known.contains($0) }.min()
        return unknown.map { name in
            PulseError(
                .configuration, "\(name) in the environment is not a setting.",
                hint: EditDistance.nearest(to: name, among: known).map { "Did you mean \($0)?" })
        }
    }

    /// Throws an error with this code and name if the option cannot take the values.
    func apply(
        _ option: Option, _ values: [String], to settings: inout Settings, _ code: PulseError.Code,
        named name: @autoclosure () -> Message
    ) throws {
        do {
            try option.apply(&settings, values)
        } catch {
            throw PulseError(code, "\(name()) \(error.message)")
        }
    }

    enum Source {
        case flag, profile, environment, file, `default`

        var name: Message {
            switch self {
            case .flag: "flag"
            case .profile: "profile"
            case .environment: "environment"
            case .file: "file"
            case .default: "default"
            }
        }
    }

    /// A setting's effective value, as written, and its source; no values for the default.
    ///
    /// - Parameter profile: Its name; empty: the default profile.
    func origin(
        of option: Option, flags: [(option: Option, values: [String])], profile: String = ""
    ) -> (source: Source, values: [String]) {
        let file = contents()
        if let flag = flags.first(where: { $0.option.name == option.name }) { return (.flag, flag.values) }
        if let own = file.profiles.first(where: { $0.name == profile }) {
            if let found = own.values.first(where: { $0.0.name == option.name }) { return (.profile, found.1) }
            if option.name == Option.to.name { return (.default, []) }
        }
        if let value = environment[option.environmentName], !value.isEmpty {
            // The names of publications and people may have commas.
            let isWhole = !option.isList || [Option.source, .muteSource, .to].map(\.name).contains(option.name)
            return (
                .environment, isWhole ? [value] : Value.topics([value]).map { $0.trimmingCharacters(in: .whitespaces) }
            )
        }
        if let found = file.values.first(where: { $0.0.name == option.name }) { return (.file, found.1) }
        return (.default, [])
    }

    func requireValidFile() throws {
        let reader = SettingsReader(environment: [:], configurationFile: configurationFile)
        if let fault = try reader.reading(flags: []).fault { throw fault }
    }

    /// The file's contents; empty if there is no file.
    func contents() -> SettingsContents { SettingsContents(ofFile: configurationFile) }

    func contents(of text: String) -> SettingsContents { SettingsContents(text, ofFile: configurationFile) }
}

/// The valid contents of a settings file, and its first error.
struct SettingsContents {
    /// In the order of the options.
    private(set) var values: [(Option, [String])] = []
    private(set) var profiles: [(name: String, values: [(Option, [String])])] = []
    private(set) var flaw: PulseError?
    private let file: String
    private var options: [Option] { SettingsReader.options }
    private var text: SettingsFile?

    static let profilesName = "profiles"

    /// Empty if there is no file.
    init(ofFile file: String) {
        self.file = file
        do {
            if let data = try AtomicFile.readRegular(file) { read(data) }
        } catch {
            flaw = Self.unreadable(error.asPulseError)
        }
    }

    static func unreadable(_ error: PulseError) -> PulseError {
        PulseError(
            .configuration, "The settings cannot be read: \(error.message)",
            hint: error.hint ?? "Check what is there, its permissions, and where it leads if it is a link.")
    }

    /// - Parameter text: Read instead of the file's own.
    init(_ text: String, ofFile file: String) {
        self.file = file
        read(Data(text.utf8))
    }

    private mutating func read(_ data: Data) {
        var common: [String: [String]] = [:]
        var own: [(name: String, values: [String: [String]])] = []
        do throws(SettingsFile.Fault) {
            let text = try SettingsFile(data)
            self.text = text
            common = try text.values(besides: Self.profilesName)
            for name in try text.names(in: [Self.profilesName]) {
                own.append((name, try text.values(in: [Self.profilesName, name])))
            }
        } catch {
            flaw = PulseError(
                .configuration, "\(file), \(error.message)",
                hint: "It should look like { \"maxStories\": 25 }. To correct it: pulse-digest config edit")
            return
        }
        values = values(of: common)
        flaw = unknown(common.keys, in: nil) ?? mistyped(in: nil)
        for (name, own) in own.sorted(by: { $0.name < $1.name }) {
            flaw = flaw ?? Self.fault(ofName: name) ?? unknown(own.keys, in: name)
            profiles.append((name, values(of: own).filter(\.0.isAllowedInProfile)))
            flaw = flaw ?? mistyped(in: name)
        }
    }

    var addresses: [(profile: String, to: [MailAddress])] {
        ([(name: "", values: values)] + profiles).map { profile, values in
            let to = values.first { $0.0.name == Option.to.name }?.1 ?? []
            return (profile, (try? Value.addresses(to)) ?? [])
        }
    }

    private func values(of members: [String: [String]]) -> [(Option, [String])] {
        options.compactMap { option in members[option.settingName].map { (option, $0) } }
    }

    /// The error in the first value of the wrong type. `Option.apply` checks the content of texts, switches and
    /// choices; a list of words may contain numbers.
    private func mistyped(in profile: String?) -> PulseError? {
        for option in options where !option.isList {
            let path = (profile.map { [Self.profilesName, $0] } ?? []) + [option.settingName]
            guard let found = text?.value(path), let first = found.first else { continue }
            let isText = option.value != nil && !option.isNumber && option.choices.isEmpty
            guard first == "[" || isText && !"\"'".contains(first) else { continue }
            let whole = whole(option.settingName, in: profile)
            return PulseError(
                .configuration,
                isText ? "\(whole) takes a text in quotation marks, not \(found)." : "\(whole) takes one value.")
        }
        return nil
    }

    /// `“hours” in /home/a/config.json`
    private func whole(_ name: String, in profile: String?) -> Message {
        profile.map { "“\(name)” of \(place(of: name, in: $0))" } ?? "“\(name)” in \(file)"
    }

    /// The error for the first name that is not a setting, or not one that a profile may have.
    private func unknown(_ names: some Sequence<String>, in profile: String?) -> PulseError? {
        let known = options.filter { profile == nil || $0.isAllowedInProfile }.map(\.settingName)
        guard let name = names.sorted().first(where: { !known.contains($0) }) else { return nil }
        let whole = whole(name, in: profile)
        if options.contains(where: { $0.settingName == name }) {
            return PulseError(
                .configuration, "\(whole) cannot be set in a profile.",
                hint: "It is for all profiles: put it before “\(Self.profilesName)”.")
        }
        let meant = EditDistance.nearest(to: name, among: known + (profile == nil ? [Self.profilesName] : []))
        return PulseError(
            .configuration, "\(whole) is not a setting.",
            hint: meant.map { "Did you mean “\($0)”?" }
                ?? (profile == nil
                    ? "To see the settings: pulse-digest config list"
                    : "A profile may have: \(known.joined(separator: ", ")).")
        )
    }

    /// The place of a profile's setting: `the profile “ana” (/home/a/config.json, line 4)`.
    func place(of name: String, in profile: String) -> Message {
        let line: Message = text?.line(of: [Self.profilesName, profile, name]).map { ", line \($0)" } ?? ""
        return "the profile “\(profile)” (\(file)\(line))"
    }

    /// The error in a profile's name, which is used in options and, before a dot, in keys.
    static func fault(ofName name: String) -> PulseError? {
        if name.wholeMatch(of: /[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}/) != nil { return nil }
        return PulseError(
            .configuration, "“\(PlainText.line(name))” is not a name for a profile.",
            hint: "It has letters, digits, - and _, 40 at most, and begins with a letter or a digit.")
    }
}
