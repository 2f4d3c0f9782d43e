import Foundation
import PulseCore
import PulseRendering
import PulseText

/// Puts the layers of settings on top of one another: the file, the environment, a profile of the file, the flags.
struct SettingsReader {
    /// Every option that may be a setting, over all commands.
    let options: [Option]
    let environment: [String: String]
    let configurationFile: String

    private init(options: [Option], environment: [String: String], configurationFile: String) {
        self.options = options
        self.environment = environment
        self.configurationFile = configurationFile
    }

    init(commands: [Command], environment: [String: String], configurationFile: String) {
        var seen: Set<String> = []
        let all = Option.everywhere + commands.flatMap { $0.options + $0.subcommands.flatMap(\.options) }
        self.options = all.filter { $0.isSetting && seen.insert($0.name).inserted }.map { option in
            // As a setting it is for all commands, and takes what any of them takes.
            option.name == Option.formatName ? .format() : option
        }
        self.environment = environment
        self.configurationFile = configurationFile
    }

    func settings(flags: [(option: Option, values: [String])]) throws(PulseError) -> Settings {
        let read = try reading(flags: flags)
        if let fault = read.fault { throw fault }
        return read.settings
    }

    /// What can be understood of the file and the environment, and the first thing that cannot be. Throws where it is
    /// the command line that cannot.
    ///
    /// - Returns: The settings, those of the profile that is named where one is, and those of all profiles, by name.
    func reading(flags: [(option: Option, values: [String])]) throws(PulseError) -> (
        settings: Settings, profiles: [Settings], fault: PulseError?
    ) {
        var settings = Settings()
        var fault: PulseError?
        func passingOver(_ body: () throws(PulseError) -> Void) {
            do throws(PulseError) { try body() } catch { fault = fault ?? error }
        }
        settings.localLanguage = Language(localeOf: environment)
        settings.output.language = settings.localLanguage ?? .english
        let file = contents()
        fault = file.flaw
        for (option, values) in file.values {
            passingOver { () throws(PulseError) in
                try apply(
                    option, values, to: &settings, .configuration,
                    named: "“\(option.settingName)” in \(configurationFile)")
            }
        }
        if let unknown = unknownVariable() { fault = fault ?? unknown }
        for option in options {
            guard let value = environment[option.environmentName], !value.isEmpty else { continue }
            passingOver { () throws(PulseError) in
                try apply(option, [value], to: &settings, .configuration, named: "\(option.environmentName)")
            }
        }
        var profiles: [Settings] = []
        for (name, values) in file.profiles {
            var own = settings
            own.profile = name
            // Whose address it is, they have for themselves.
            own.output.to = []
            for (option, values) in values {
                passingOver { () throws(PulseError) in
                    try apply(
                        option, values, to: &own, .configuration,
                        named: "“\(option.settingName)” of \(file.place(of: option.settingName, in: name))")
                }
            }
            profiles.append(own)
        }
        passingOver { () throws(PulseError) in
            try Self.requireOwnAddresses(([settings] + profiles).map { ($0.profile, $0.to) })
        }
        let isNamed = flags.contains { $0.option.name == Option.profile.name }
        try apply(flags, to: &settings)
        if !settings.profile.isEmpty {
            let names = profiles.map(\.profile)
            if let named = profiles.first(where: { $0.profile == settings.profile }) {
                settings = named
                try apply(flags, to: &settings)
            } else {
                let unknown = PulseError(
                    isNamed ? .usage : .configuration, "There is no profile “\(settings.profile)”.",
                    hint: EditDistance.nearest(to: settings.profile, among: names).map { "Did you mean \($0)?" }
                        ?? (names.isEmpty
                            ? "To make one: pulse-digest config edit" : "There are: \(names.joined(separator: ", "))."))
                if isNamed { throw unknown }
                fault = fault ?? unknown
            }
        }
        // To whom a digest goes is not said of all of them.
        let common = flags.filter { ![Option.to.name, Option.profile.name].contains($0.option.name) }
        for index in profiles.indices {
            try apply(common, to: &profiles[index])
        }
        return (settings, profiles, fault)
    }

    private func apply(
        _ flags: [(option: Option, values: [String])], to settings: inout Settings
    ) throws(PulseError) {
        for (option, values) in flags {
            let name = "--\(option.name)"
            // The setting is for every command that has a format; the flag is for this one.
            if option.name == Option.formatName, let value = values.last,
                !option.choices.contains(where: { $0.lowercased() == value.lowercased() })
            {
                throw PulseError(
                    .usage, "\(name) is one of: \(option.choices.joined(separator: ", ")); not “\(value)”.")
            }
            try apply(option, values, to: &settings, .usage, named: "\(name)")
        }
    }

    /// What was told is kept by address, and each gets one digest a day.
    ///
    /// - Parameter readers: Each with their profile; empty: with none.
    static func requireOwnAddresses(_ readers: [(profile: String, to: [MailAddress])]) throws(PulseError) {
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

    /// The language to answer in where a command line may not be understood as a whole.
    func language(of arguments: [String]) -> Language {
        let words = arguments.flatMap { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let given = words.lastIndex(of: "--" + Option.language.name).flatMap { words.dropFirst($0 + 1).first }
        let flags = given.map { [(option: Option.language, values: [$0])] } ?? []
        let settings = (try? reading(flags: flags))?.settings ?? (try? reading(flags: []))?.settings
        return settings?.language ?? .english
    }

    /// A variable that looks like a setting and is none: most likely mistyped.
    private func unknownVariable() -> PulseError? {
        let known = options.map(\.environmentName) + Program.otherVariables
        let unknown = environment.keys.filter { $0.hasPrefix("PULSE_DIGEST_") && !known.contains($0) }.min()
        return unknown.map { name in
            PulseError(
                .configuration, "\(name) in the environment is not a setting.",
                hint: EditDistance.nearest(to: name, among: known).map { "Did you mean \($0)?" })
        }
    }

    private func apply(
        _ option: Option, _ values: [String], to settings: inout Settings, _ code: PulseError.Code,
        named name: @autoclosure () -> Message
    ) throws(PulseError) {
        do {
            try option.apply(&settings, values)
        } catch {
            throw PulseError(code, "\(name()) \(error.message)")
        }
    }

    /// Where a setting's value comes from.
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

    /// What counts for a setting, as it was written; no values where it is the default.
    ///
    /// - Parameter profile: For whom; empty: for nobody in particular.
    func origin(
        of option: Option, flags: [(option: Option, values: [String])], profile: String = ""
    ) -> (source: Source, values: [String]) {
        let file = contents()
        if let flag = flags.first(where: { $0.option.name == option.name }) { return (.flag, flag.values) }
        if let own = file.profiles.first(where: { $0.name == profile }) {
            if let found = own.values.first(where: { $0.0.name == option.name }) { return (.profile, found.1) }
            if option.name == Option.to.name { return (.default, []) }
        }
        if let value = environment[option.environmentName], !value.isEmpty { return (.environment, [value]) }
        if let found = file.values.first(where: { $0.0.name == option.name }) { return (.file, found.1) }
        return (.default, [])
    }

    /// What is wrong with a value for a setting; nil: nothing.
    func fault(of values: [String], for option: Option) -> InvalidValue? {
        var settings = Settings()
        do {
            try option.apply(&settings, values)
            return nil
        } catch {
            return error
        }
    }

    /// What is wrong with the settings file; nil: nothing.
    func fileFault() -> PulseError? {
        SettingsReader(options: options, environment: [:], configurationFile: configurationFile).fault()
    }

    private func fault() -> PulseError? {
        do throws(PulseError) { return try reading(flags: []).fault } catch { return error }
    }

    /// What the file says; nothing where there is none.
    func contents() -> SettingsContents { SettingsContents(ofFile: configurationFile, options: options) }

    /// What it would say with another text.
    func contents(of text: String) -> SettingsContents {
        SettingsContents(text, ofFile: configurationFile, options: options)
    }
}
