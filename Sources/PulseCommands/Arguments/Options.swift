import Foundation
import PulseCore
import PulseInference

/// Every option there is.
extension Option {
    // MARK: Everywhere

    static let store = Option("store", value: "PATH", kind: .path, help: "the reading history to use") {
        settings, values throws(InvalidValue) in
        settings.storePath = try Value.path(values)
    }
    static let model = Option(
        "model", short: "m", value: "NAME|PATH", kind: .nameOrPath, help: "a model of the catalogue, or a GGUF file"
    ) { settings, values throws(InvalidValue) in
        settings.model = try Value.text(values)
    }
    static let quiet = Option("quiet", short: "q", help: "errors only") { settings, values throws(InvalidValue) in
        settings.isQuiet = try Value.isOn(values)
    }
    static let verbose = Option("verbose", short: "v", help: "say what is done, with the lines of libllama") {
        settings, values throws(InvalidValue) in settings.isVerbose = try Value.isOn(values)
    }
    static let everywhere = [store, model, quiet, verbose]

    // MARK: What is told

    static let hours = Option("hours", value: "N", help: "what was read in the last N hours (48)") {
        settings, values throws(InvalidValue) in
        settings.window = .hours(try Value.number(values, above: 0, upTo: 24 * 366 * 100))
    }
    static let since = Option(
        "since", value: "DATE", isSetting: false,
        help: "what was read since a date, such as 2026-11-18 or 2026-11-18T06:00"
    ) { settings, values throws(InvalidValue) in
        settings.window = .since(try Value.text(values))
    }
    static let category = Option("category", value: "NAME", help: "only this category; may be given several times") {
        settings, values throws(InvalidValue) in settings.categories = values.map { Category($0) }
    }
    static let follow = Option(
        "follow", value: "TOPIC", help: "tell of this first: words, or a category; may be given several times"
    ) { settings, values throws(InvalidValue) in
        settings.follow = Value.topics(values)
    }
    static let mute = Option("mute", value: "WORDS", help: "leave out stories with these words; may be repeated too") {
        settings, values throws(InvalidValue) in settings.mute = Value.topics(values)
    }
    static let muteSource = Option("mute-source", value: "NAME", help: "leave out what this publication writes") {
        settings, values throws(InvalidValue) in settings.muteSources = values
    }
    static let choosing = [category, follow, mute, muteSource]
    static let maxStories = Option("max-stories", value: "N", help: "tell N stories at most (25)") {
        settings, values throws(InvalidValue) in settings.maximumStories = try Value.integer(values, in: 1...10_000)
    }
    static let language = Option(
        "language", value: "LANGUAGE", choices: Language.allCases.map(\.rawValue),
        help: "the language to write in (the locale's)"
    ) { settings, values throws(InvalidValue) in
        settings.language = try Value.choice(values, Language.self)
    }
    static let formatName = "format"

    /// How the result is written: as a flag, in one of the command's formats; as a setting, which is for all commands, in
    /// any, and a command that does not have it writes text (`Settings.fit`).
    static func format(_ formats: [OutputFormat] = OutputFormat.allCases) -> Option {
        let names = formats.map(\.rawValue)
        let help = names.dropLast().joined(separator: ", ") + " or \(names.last ?? "") (text)"
        return Option(formatName, value: "FORMAT", choices: names, help: help) {
            settings, values throws(InvalidValue) in
            settings.format = try Value.choice(values, OutputFormat.self)
        }
    }
    static let to = Option(
        "to", value: "ADDRESS", help: "whom the email is for; may be given several times, or with commas between"
    ) { settings, values throws(InvalidValue) in
        settings.to = try Value.addresses(values)
    }
    static let from = Option("from", value: "ADDRESS", help: "whom the email is from (you, on this machine)") {
        settings, values throws(InvalidValue) in
        settings.from = try Value.address(values)
    }
    static let dryRun = Option(
        "dry-run", isSetting: false,
        help: "print the prompts and their token counts and load no weights; with --send, the message"
    ) { settings, values throws(InvalidValue) in
        settings.isDryRun = try Value.isOn(values)
    }

    static let fresh = Option("fresh", isSetting: false, help: "ask the model anew for what it has answered before") {
        settings, values throws(InvalidValue) in settings.isFresh = try Value.isOn(values)
    }
    static let date = Option(
        "date", value: "DAY", isSetting: false, help: "print the digest of a day again, such as 2026-11-18"
    ) { settings, values throws(InvalidValue) in
        settings.day = try Value.text(values)
    }

    // MARK: How the model writes

    static let grounded = Option(
        "grounded", value: "HOW", choices: GroundedMode.allCases.map(\.rawValue),
        help: "strict: in the publications' own words, without a model; checked: a model writes (strict)"
    ) { settings, values throws(InvalidValue) in
        settings.grounded = try Value.choice(values, GroundedMode.self)
    }
    static let maxTokens = Option("max-tokens", value: "N", help: "write N tokens a story at most (160)") {
        settings, values throws(InvalidValue) in settings.maximumTokens = try Value.integer(values, in: 1...100_000)
    }
    static let temperature = Option("temperature", value: "T", help: "0 takes the likeliest token each time (0)") {
        settings, values throws(InvalidValue) in
        settings.sampling.temperature = Float(try Value.number(values, from: 0, upTo: 10))
    }
    static let topP = Option("top-p", value: "P", help: "sample among the likeliest tokens of this probability (0.9)") {
        settings, values throws(InvalidValue) in
        settings.sampling.topP = Float(try Value.number(values, above: 0, upTo: 1))
    }
    static let seed = Option("seed", value: "N", help: "the same seed samples the same text (0)") {
        settings, values throws(InvalidValue) in
        settings.sampling.seed = UInt32(try Value.integer(values, in: 0...Int(UInt32.max)))
    }
    static let context = Option(
        "context", value: "TOKENS", help: "the context's length (the model's own, 8192 at most)"
    ) {
        settings, values throws(InvalidValue) in settings.contextLength = try Value.integer(values, in: 256...1_048_576)
    }
    static let threads = Option("threads", short: "t", value: "N", help: "threads to compute with (the physical cores)")
    {
        settings, values throws(InvalidValue) in settings.threads = try Value.integer(values, in: 1...1024)
    }
    static let stallTimeout = Option(
        "stall-timeout", value: "SECONDS", help: "give up when no token comes for so long; 0 never does (300)"
    ) { settings, values throws(InvalidValue) in
        settings.stallTimeout = try Value.seconds(values)
    }
    static let timeout = Option("timeout", value: "SECONDS", help: "give up after so long in all; 0 never does (0)") {
        settings, values throws(InvalidValue) in settings.timeout = try Value.seconds(values)
    }
    static let writing = [
        grounded, maxTokens, temperature, topP, seed, context, threads, stallTimeout, timeout,
    ]

    // MARK: Lists and confirmations

    static let limit = Option("limit", short: "n", value: "N", isSetting: false, help: "N lines at most (20)") {
        settings, values throws(InvalidValue) in settings.limit = try Value.integer(values, in: 1...1_000_000)
    }
    /// Not a setting: what a digest is always of is no reason to list nothing else.
    static let ofCategory = Option("category", value: "NAME", isSetting: false, help: "only articles of this category")
    {
        settings, values throws(InvalidValue) in
        settings.listedCategory = Category(try Value.text(values))
    }
    static let ofSource = Option(
        "source", value: "NAME", isSetting: false, help: "only articles of this publication, such as 'The Herald'"
    ) { settings, values throws(InvalidValue) in
        settings.listedSource = try Value.text(values)
    }
    static let fromFile = Option(
        "from", value: "FILE", kind: .path, isSetting: false, help: "take the file from here instead of the network"
    ) { settings, values throws(InvalidValue) in
        settings.fromFile = try Value.path(values)
    }
    static let yes = Option("yes", short: "y", isSetting: false, help: "do not ask") {
        settings, values throws(InvalidValue) in
        settings.isConfirmed = try Value.isOn(values)
    }
}
