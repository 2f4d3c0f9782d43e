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
        var settings = Settings()
        settings.language = Language(localeOf: environment) ?? .english
        for (option, values) in try fileValues() {
            try apply(
                option, values, to: &settings, .configuration, named: "“\(option.settingName)” in \(configurationFile)")
        }
        for option in options {
            guard let value = environment[option.environmentName], !value.isEmpty else { continue }
            try apply(option, [value], to: &settings, .configuration, named: option.environmentName)
        }
        try apply(flags, to: &settings)
        return settings
    }

    /// What the command line alone says.
    func settings(flagsOnly flags: [(option: Option, values: [String])]) throws(Failure) -> Settings {
        var settings = Settings()
        try apply(flags, to: &settings)
        return settings
    }

    private func apply(
        _ flags: [(option: Option, values: [String])], to settings: inout Settings
    ) throws(Failure) {
        for (option, values) in flags {
            try apply(option, values, to: &settings, .usage, named: "--\(option.name)")
        }
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

    /// The settings of the file, in the table's order; none where there is no file.
    private func fileValues() throws(Failure) -> [(Option, [String])] {
        guard FileManager.default.fileExists(atPath: configurationFile) else { return [] }
        guard let data = FileManager.default.contents(atPath: configurationFile) else {
            throw Failure(.configuration, "The settings in \(configurationFile) cannot be read; check its permissions.")
        }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let found: [String: Scalars]
        do {
            found = try decoder.decode([String: Scalars].self, from: data)
        } catch {
            throw Failure(
                .configuration,
                "\(configurationFile) is not a JSON object of settings, such as { \"maxArticles\": 25 }: \(Self.reason(error))"
            )
        }
        for name in found.keys.sorted() where !options.contains(where: { $0.settingName == name }) {
            let meant = EditDistance.nearest(to: name, among: options.map(\.settingName))
            throw Failure(
                .configuration,
                "“\(name)” in \(configurationFile) is not a setting."
                    + (meant.map { " Did you mean “\($0)”?" }
                        ?? " Any option of --help is one, written like maxArticles."))
        }
        return options.compactMap { option in found[option.settingName].map { (option, $0.values) } }
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
