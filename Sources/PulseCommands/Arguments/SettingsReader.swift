import Foundation
import PulseCore
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
        let (settings, fault) = try reading(flags: flags)
        if let fault { throw fault }
        return settings
    }

    /// What can be understood of the file and the environment, and the first thing that cannot be. Throws where it is
    /// the command line that cannot.
    func reading(flags: [(option: Option, values: [String])]) throws(PulseError) -> (
        settings: Settings, fault: PulseError?
    ) {
        var settings = Settings()
        var fault: PulseError?
        func passingOver(_ body: () throws(PulseError) -> Void) {
            do throws(PulseError) { try body() } catch { fault = fault ?? error }
        }
        settings.language = Language(localeOf: environment) ?? .english
        let (found, flaw) = fileValues()
        fault = flaw
        for (option, values) in found {
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
        for (option, values) in flags {
            let name = "--\(option.name)"
            // A setting is for every command that has an option of its name; a flag is for this one.
            if let value = values.last, !option.choices.isEmpty,
                !option.choices.contains(where: { $0.lowercased() == value.lowercased() })
            {
                throw PulseError(
                    .usage, "\(name) is one of: \(option.choices.joined(separator: ", ")); not “\(value)”.")
            }
            try apply(option, values, to: &settings, .usage, named: "\(name)")
        }
        // A language that was named without a region is written as in the locale's region.
        if let local = Language(localeOf: environment), local.code == settings.language.rawValue {
            settings.language = local
        }
        return (settings, fault)
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
        _ option: Option, _ values: [String], to settings: inout Settings, _ code: PulseError.Code, named name: Message
    ) throws(PulseError) {
        do {
            try option.apply(&settings, values)
        } catch {
            throw PulseError(code, "\(name) \(error.message)")
        }
    }

    /// Where a setting's value comes from.
    enum Source: String { case flag, environment, file, `default` }

    /// What counts for a setting, as it was written; no values where it is the default.
    func origin(
        of option: Option, flags: [(option: Option, values: [String])]
    ) -> (source: Source, values: [String]) {
        if let flag = flags.first(where: { $0.option.name == option.name }) { return (.flag, flag.values) }
        if let value = environment[option.environmentName], !value.isEmpty { return (.environment, [value]) }
        if let found = fileValues().values.first(where: { $0.0.name == option.name }) { return (.file, found.1) }
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

    /// The settings of the file, in the table's order, and the first flaw of the file; none where there is no file.
    private func fileValues() -> (values: [(Option, [String])], flaw: PulseError?) {
        guard FileManager.default.fileExists(atPath: configurationFile) else { return ([], nil) }
        func none(_ message: Message) -> (values: [(Option, [String])], flaw: PulseError?) {
            ([], PulseError(.configuration, message))
        }
        guard let data = FileManager.default.contents(atPath: configurationFile) else {
            return none("The settings in \(configurationFile) cannot be read. Check the permissions of the file.")
        }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let found: [String: Scalars]
        do {
            found = try decoder.decode([String: Scalars].self, from: data)
        } catch {
            let place = SettingsFile.fault(in: String(decoding: data, as: UTF8.self))
            let reason = Self.reason(error)
            return (
                [],
                PulseError(
                    .configuration,
                    place.map { "\(configurationFile), \($0)" } ?? "\(configurationFile): \(reason)",
                    hint: "It is to be like { \"maxStories\": 25 }. To correct it: pulse-digest config edit")
            )
        }
        let unknown = found.keys.sorted().first { name in !options.contains { $0.settingName == name } }
        let flaw = unknown.map { name in
            let meant = EditDistance.nearest(to: name, among: options.map(\.settingName))
            return PulseError(
                .configuration, "“\(name)” in \(configurationFile) is not a setting.",
                hint: meant.map { "Did you mean “\($0)”?" }
                    ?? "To see which there are: pulse-digest config list")
        }
        return (options.compactMap { option in found[option.settingName].map { (option, $0.values) } }, flaw)
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
            return path.isEmpty ? "it is something else." : "“\(path)” is not text, a number, true or false."
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
        let tag = locale.prefix { $0.isLetter || $0 == "_" }.replacing("_", with: "-").lowercased()
        let code = tag.prefix { $0 != "-" }
        let found =
            Language.allCases.first { $0.rawValue.lowercased() == tag }
            ?? Language.allCases.first { $0.rawValue == code }
        guard let found else { return nil }
        self = found
    }
}
