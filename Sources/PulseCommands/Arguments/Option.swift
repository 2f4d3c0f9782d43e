import PulseCore

/// One option of the command line, with its environment variable, its setting, its help and its completions.
struct Option: Sendable {
    /// Without its dashes: `max-stories`.
    let name: String
    let short: Character?
    /// The placeholder of its value in the help; nil for a switch.
    let value: String?
    let kind: Kind
    /// The only words it accepts; empty: any value.
    let choices: [String]
    let help: Message
    /// The default, as the help and `config list` show it; nil: none.
    let defaultValue: Message?
    let isList: Bool
    /// Not in help and completions: passed by the program to itself, or rarely needed. The guide has it, the man page
    /// only as a setting.
    let isHidden: Bool
    /// Completes its value in addition to `choices`; nil: nothing.
    let completion: CompletionKind?
    /// Whether the environment and the settings file may set it too.
    let isSetting: Bool
    /// Whether a profile of the settings file may set it too, because it concerns one reader.
    let isAllowedInProfile: Bool
    fileprivate(set) var heading: Message = "Options"
    /// Applies the given values, in order; a switch gets `true`.
    let apply: @Sendable (inout Settings, [String]) throws(InvalidValue) -> Void

    /// Whether its value is a path, which a schedule stores in absolute form.
    enum Kind: Sendable {
        case plain
        /// Relative to the working folder.
        case path
        /// A name of the catalogue, or a path.
        case nameOrPath
    }

    init(
        _ name: String, short: Character? = nil, value: String? = nil, kind: Kind = .plain, choices: [String] = [],
        completion: CompletionKind? = nil, isSetting: Bool = true, isAllowedInProfile: Bool = false,
        isList: Bool = false,
        isHidden: Bool = false, defaultValue: Message? = nil, help: Message,
        apply: @escaping @Sendable (inout Settings, [String]) throws(InvalidValue) -> Void
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.kind = kind
        self.choices = choices
        self.completion = completion ?? (kind == .path ? .files : nil)
        self.isSetting = isSetting
        self.isAllowedInProfile = isAllowedInProfile
        self.isList = isList
        self.isHidden = isHidden
        // Choices are the same in every language.
        self.defaultValue = defaultValue.map {
            choices.contains($0.description) ? Message(verbatim: $0.description) : $0
        }
        self.help = help
        self.apply = apply
    }

    var isNumber: Bool { ["N", "T", "P", "SECONDS", "TOKENS"].contains(value) }

    /// The help, with the default of an option that takes a value.
    var fullHelp: Message {
        let defaultValue = value == nil ? nil : defaultValue
        let more: Message = isList ? "\(help); can be repeated" : help
        return defaultValue.map { "\(more) (default: \($0))" } ?? more
    }

    /// `PULSE_DIGEST_MAX_STORIES`
    var environmentName: String { "PULSE_DIGEST_" + name.uppercased().replacing("-", with: "_") }

    /// `maxStories`
    var settingName: String {
        let words = name.split(separator: "-")
        return words.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
    }
}

extension [Option] {
    /// The same options, listed under a heading of their own in the help.
    func headed(_ heading: Message) -> [Option] {
        map { option in
            var option = option
            option.heading = heading
            return option
        }
    }
}

/// A value that an option cannot take. The message ends a sentence that starts with the option's name.
struct InvalidValue: Error {
    let message: Message

    init(_ message: Message) { self.message = message }
}
