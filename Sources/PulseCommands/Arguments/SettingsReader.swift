import Foundation
import PulseCore
import PulseRendering
import PulseText

/// Puts the layers of settings on top of one another: the file, the environment, the flags.
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
        settings.language = settings.localLanguage ?? .english
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
            own.to = []
            for (option, values) in values {
                passingOver { () throws(PulseError) in
                    try apply(
                        option, values, to: &own, .configuration,
                        named: "“\(option.settingName)” of \(place([Self.profilesName, name, option.settingName]))")
                }
            }
            profiles.append(own)
        }
        passingOver { () throws(PulseError) in try Self.requireOwnAddresses([settings] + profiles) }
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
    private static func requireOwnAddresses(_ readers: [Settings]) throws(PulseError) {
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

    // MARK: - The file

    static let profilesName = "profiles"

    /// What the file says, in the table's order, and its first flaw.
    struct Contents {
        var values: [(Option, [String])] = []
        var profiles: [(name: String, values: [(Option, [String])])] = []
        var flaw: PulseError?
    }

    /// Nothing where there is no file.
    func contents() -> Contents {
        guard FileManager.default.fileExists(atPath: configurationFile) else { return Contents() }
        guard let data = FileManager.default.contents(atPath: configurationFile) else {
            let message: Message =
                "The settings in \(configurationFile) cannot be read. Check the permissions of the file."
            return Contents(flaw: PulseError(.configuration, message))
        }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let found: Members
        do {
            found = try decoder.decode(Members.self, from: data)
        } catch {
            let place = SettingsFile.fault(in: String(decoding: data, as: UTF8.self))
            let reason = Self.reason(error)
            let flaw = PulseError(
                .configuration, place.map { "\(configurationFile), \($0)" } ?? "\(configurationFile): \(reason)",
                hint: "It is to be like { \"maxStories\": 25 }. To correct it: pulse-digest config edit")
            return Contents(flaw: flaw)
        }
        var contents = Contents(values: values(of: found.values), flaw: unknown(found.values.keys, in: nil))
        for (name, own) in found.profiles.sorted(by: { $0.key < $1.key }) {
            contents.flaw = contents.flaw ?? Self.fault(ofName: name) ?? unknown(own.keys, in: name)
            contents.profiles.append((name, values(of: own).filter(\.0.isPersonal)))
        }
        return contents
    }

    private func values(of members: [String: Scalars]) -> [(Option, [String])] {
        options.compactMap { option in members[option.settingName].map { (option, $0.values) } }
    }

    /// What is wrong with the first of the names that is no setting, or none that a profile may have.
    private func unknown(_ names: some Sequence<String>, in profile: String?) -> PulseError? {
        let known = options.filter { profile == nil || $0.isPersonal }.map(\.settingName)
        guard let name = names.sorted().first(where: { !known.contains($0) }) else { return nil }
        let whole: Message =
            profile.map { "“\(name)” of \(place([Self.profilesName, $0, name]))" }
            ?? "“\(name)” in \(configurationFile)"
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
                    ? "To see which there are: pulse-digest config list"
                    : "A profile may have: \(known.joined(separator: ", ")).")
        )
    }

    /// Where something of a profile stands: `the profile “ana” (/home/a/config.json, line 4)`.
    private func place(_ path: [String]) -> Message {
        let text = FileManager.default.contents(atPath: configurationFile).map { String(decoding: $0, as: UTF8.self) }
        let line: Message = (try? SettingsFile(text ?? ""))?.line(of: path).map { ", line \($0)" } ?? ""
        return "the profile “\(path[1])” (\(configurationFile)\(line))"
    }

    /// What is wrong with the name of a profile; it is written on command lines, and before a point.
    static func fault(ofName name: String) -> PulseError? {
        if name.wholeMatch(of: /[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}/) != nil { return nil }
        return PulseError(
            .configuration, "“\(PlainText.line(name))” is no name for a profile.",
            hint: "It has letters, digits, - and _, 40 at most, and begins with a letter or a digit.")
    }

    /// The members of the file: its settings, and those of its profiles.
    private struct Members: Decodable {
        var values: [String: Scalars] = [:]
        var profiles: [String: [String: Scalars]] = [:]

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Name.self)
            for name in members.allKeys {
                if name.stringValue == SettingsReader.profilesName {
                    profiles = try members.decode([String: [String: Scalars]].self, forKey: name)
                } else {
                    values[name.stringValue] = try members.decode(Scalars.self, forKey: name)
                }
            }
        }

        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    /// A setting's value: a text, a number or a truth, or a list of them.
    private struct Scalars: Decodable {
        let values: [String]

        init(from decoder: any Decoder) throws {
            if var list = try? decoder.unkeyedContainer() {
                var values: [String] = []
                while !list.isAtEnd { values += try list.decode(Scalars.self).values }
                self.values = values
                return
            }
            let single = try decoder.singleValueContainer()
            if let truth = try? single.decode(Bool.self) {
                values = [String(truth)]
            } else if let whole = try? single.decode(Int.self) {
                values = [String(whole)]
            } else if let number = try? single.decode(Double.self) {
                values = [String(number)]
            } else {
                values = [try single.decode(String.self)]
            }
        }
    }

    private static func reason(_ error: any Error) -> Message {
        switch error {
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            if path.hasPrefix(profilesName), context.codingPath.count < 3 {
                return "“\(path)” is not like { ana: { to: \"ana@example.org\", language: \"pt\" } }."
            }
            return path.isEmpty ? "it is not one object, { … }." : "“\(path)” is not text, a number, true or false."
        default: return "it cannot be understood."
        }
    }
}

extension Language {
    /// The language of the messages of a POSIX locale, as the environment names it: the first of `LC_ALL`,
    /// `LC_MESSAGES` and `LANG` that is set and not empty decides (POSIX.1-2017, 8.2). `pt_PT.UTF-8` is European
    /// Portuguese; a region that has no language of its own here falls back on the one without a region.
    ///
    /// - Returns: nil where none is set, for `C` and `POSIX`, and for a language the program does not write.
    init?(localeOf environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        guard let locale = names.first(where: { !$0.isEmpty }) else { return nil }
        self.init(tag: locale)
    }

    /// A tag of BCP 47, or a POSIX locale with its encoding.
    private init?(tag text: String) {
        let tag = text.prefix { $0.isLetter || $0.isNumber || "_-".contains($0) }.replacing("_", with: "-").lowercased()
        let code = tag.prefix { $0 != "-" }
        let found =
            Language.allCases.first { $0.rawValue.lowercased() == tag }
            ?? Language.allCases.first { $0.rawValue == code }
        guard let found else { return nil }
        self = found
    }

    /// A language as people write it: `pt-PT`, `en_GB.UTF-8`, `English`, `português`.
    ///
    /// - Parameter local: What is meant by a language without its region, where that is one of its regions.
    init?(named text: String, local: Language?) {
        func folded(_ text: String?) -> String? {
            text?.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        }
        let name = folded(text)
        let meant =
            Language(tag: text)
            ?? Language.allCases.first { language in
                ["en", language.code].contains {
                    folded(Locale(identifier: $0).localizedString(forLanguageCode: language.code)) == name
                }
            }
        guard let meant else { return nil }
        let hasRegion = text.contains { "-_".contains($0) }
        self = if let local, !hasRegion, local.code == meant.rawValue { local } else { meant }
    }
}
