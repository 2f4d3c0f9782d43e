import Foundation
import PulseCore
import PulseText

/// Puts the layers of settings on top of one another: the file, the environment, the flags.
struct SettingsReader {
    /// Every option that may be a setting, over all commands.
    let options: [Option]
    let environment: [String: String]
    let configurationFile: String

    init(commands: [Command], environment: [String: String], configurationFile: String) {
        var seen: Set<String> = []
        let all = Option.everywhere + commands.flatMap { $0.options + $0.subcommands.flatMap(\.options) }
        self.options = all.filter { $0.isSetting && seen.insert($0.name).inserted }
        self.environment = environment
        self.configurationFile = configurationFile
    }

    func settings(flags: [(option: Option, values: [String])]) throws(Failure) -> Settings {
        let (settings, fault) = try reading(flags: flags)
        if let fault { throw fault }
        return settings
    }

    /// What can be understood of the file and the environment, and the first thing that cannot be. Throws where it is
    /// the command line that cannot.
    func reading(flags: [(option: Option, values: [String])]) throws(Failure) -> (settings: Settings, fault: Failure?) {
        var settings = Settings()
        var fault: Failure?
        func passingOver(_ body: () throws(Failure) -> Void) {
            do throws(Failure) { try body() } catch { fault = fault ?? error }
        }
        settings.language = Language(localeOf: environment) ?? .english
        let (found, flaw) = fileValues()
        fault = flaw
        for (option, values) in found {
            passingOver { () throws(Failure) in
                try apply(
                    option, values, to: &settings, .configuration,
                    named: "“\(option.settingName)” in \(configurationFile)")
            }
        }
        for option in options {
            guard let value = environment[option.environmentName], !value.isEmpty else { continue }
            passingOver { () throws(Failure) in
                try apply(option, [value], to: &settings, .configuration, named: option.environmentName)
            }
        }
        for (option, values) in flags {
            let name = "--\(option.name)"
            // A setting is for every command that has an option of its name; a flag is for this one.
            if let value = values.last, !option.choices.isEmpty,
                !option.choices.contains(where: { $0.lowercased() == value.lowercased() })
            {
                throw Failure(.usage, "\(name) is one of: \(option.choices.joined(separator: ", ")); not “\(value)”.")
            }
            try apply(option, values, to: &settings, .usage, named: name)
        }
        // Which Portuguese is written where one asks for Portuguese, the locale tells.
        if settings.language == .portuguese, Language(localeOf: environment) == .europeanPortuguese {
            settings.language = .europeanPortuguese
        }
        return (settings, fault)
    }

    private func apply(
        _ option: Option, _ values: [String], to settings: inout Settings, _ code: ExitCode, named name: String
    ) throws(Failure) {
        do {
            try option.apply(&settings, values)
        } catch {
            throw Failure(code, "\(name) \(error.message)")
        }
    }

    // MARK: - The file

    /// The settings of the file, in the table's order, and the first flaw of the file; none where there is no file.
    private func fileValues() -> (values: [(Option, [String])], flaw: Failure?) {
        guard FileManager.default.fileExists(atPath: configurationFile) else { return ([], nil) }
        func none(_ message: String) -> (values: [(Option, [String])], flaw: Failure?) {
            ([], Failure(.configuration, message))
        }
        guard let data = FileManager.default.contents(atPath: configurationFile) else {
            return none("The settings in \(configurationFile) cannot be read; check its permissions.")
        }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let found: [String: Scalars]
        do {
            found = try decoder.decode([String: Scalars].self, from: data)
        } catch {
            return none(
                "\(configurationFile) is not a JSON object of settings, such as { \"maxStories\": 25 }: \(Self.reason(error))"
            )
        }
        let unknown = found.keys.sorted().first { name in !options.contains { $0.settingName == name } }
        let flaw = unknown.map { name in
            let meant = EditDistance.nearest(to: name, among: options.map(\.settingName))
            return Failure(
                .configuration,
                "“\(name)” in \(configurationFile) is not a setting."
                    + (meant.map { " Did you mean “\($0)”?" }
                        ?? " Any option of --help is one, written like maxStories."))
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

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.dataCorrupted(let context):
            let cause = context.underlyingError.map {
                ($0 as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? ""
            }
            return cause.flatMap { $0.isEmpty ? nil : $0 } ?? context.debugDescription
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            return
                "“\(context.codingPath.map(\.stringValue).joined(separator: "."))” is not a text, a number or true or false."
        default: return "it cannot be understood."
        }
    }
}
