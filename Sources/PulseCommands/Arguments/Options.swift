import Foundation
import PulseApp
import PulseCore
import PulseDigest
import PulseInference
import PulsePlatform
import PulseRendering

/// All options, resolved: flags beat the profile, which beats the environment, which beats the settings file, which
/// beats the defaults here. A use case has settings of its own, such as `ModelSettings`.
struct Settings: Sendable {
    enum Window: Sendable, Hashable {
        case hours(Double)
        /// As written; its meaning depends on the clock and the time zone.
        case since(String)
        /// Articles that no sent digest has included yet.
        case sinceLast
    }

    var storePath: String?
    var model = ModelSettings()
    var isQuiet = false
    var isVerbose = false
    var color = ColorMode.auto

    /// The name of the profile that the settings are for; empty: the file's top level.
    var profile = ""
    /// The requested digest, except for its window and language.
    var digest = DigestRequest()
    /// Nil: since the last mail in a mailed digest, the last two days in a printed one.
    var window: Window?
    /// The locale's language; nil if it is not supported.
    var localLanguage: Language?
    var output = OutputArguments()
    var isDryRun = false
    /// The day whose digest is to be printed again, as written.
    var day: String?

    var isSent = false
    var mail = MailSettings()
    var scheduler: TimerKind?
    var timeOfDay = TimeOfDay(hour: 22, minute: 0)
    var isSystemd = false
    /// Whether a schedule runs `prepare`, too.
    var isPrepared = false
    /// Whether a schedule sends a first email at once.
    var isSentNow = false

    /// Days after which the texts of unread articles are deleted.
    var keepUnreadDays = 30
    /// Whether feeds are fetched before they are due.
    var isForced = false
    /// The name and the folder of a feed; nil: its own title, and no folder.
    var feedTitle, feedFolder: String?
    var marksAsNew = false
    /// Whether a list of feeds may name this machine and private networks.
    var allowsPrivate = false

    var limit = 20
    /// The filters of a list; nil: everything.
    var listedCategory: Category?
    var listedSource: String?
    var asking = QuestionSettings()
    var isConfirmed = false
    var importing = ImportSettings()
    /// The file that a model is taken from.
    var fromFile: String?
    var account = AccountSettings()
    var forgetsAccount = false
    var services = FeedServiceSettings()

    var format: OutputFormat { output.format }
    var language: Language { output.language }
    var to: [MailAddress] { output.to }

    /// Falls back to text if this command lacks the format that was set for all commands.
    mutating func fit(_ command: Command) {
        guard let option = command.options.first(where: { $0.name == Option.formatName }) else { return }
        if !option.choices.contains(format.rawValue) { output.format = .text }
    }
}

enum ColorMode: String, Sendable, CaseIterable { case auto, always, never }

/// The options that several commands have, and those of digests.
extension Option {
    /// The `apply` of an option that stores its parsed values in one setting.
    static func set<Setting>(
        _ path: any WritableKeyPath<Settings, Setting> & Sendable,
        _ read: @escaping @Sendable ([String]) throws(InvalidValue) -> Setting
    ) -> @Sendable (inout Settings, [String]) throws(InvalidValue) -> Void {
        { settings, values throws(InvalidValue) in settings[keyPath: path] = try read(values) }
    }

    /// A switch for a single run, not a setting.
    static func toggle(
        _ name: String, short: Character? = nil, _ path: any WritableKeyPath<Settings, Bool> & Sendable, help: Message
    ) -> Option {
        Option(name, short: short, isSetting: false, help: help) { settings, values throws(InvalidValue) in
            settings[keyPath: path] = try Value.isOn(values)
        }
    }

    // MARK: Everywhere

    static let store = Option(
        "store", value: "PATH", kind: .path, defaultValue: "~/.local/share/pulse-digest/history.sqlite",
        help: "the reading history to use", apply: set(\.storePath, Value.path))
    static let model = Option(
        "model", short: "m", value: "NAME|PATH", kind: .nameOrPath, completion: .models,
        defaultValue: "the best one downloaded",
        help: "the model that writes: a name from the catalogue, the path of a GGUF file, or none",
        apply: set(\.model.name, Value.text))
    static let quiet = Option(
        "quiet", short: "q", defaultValue: "false", help: "print errors only", apply: set(\.isQuiet, Value.isOn))
    static let verbose = Option(
        "verbose", short: "v", defaultValue: "false", help: "log each step, with libllama's output",
        apply: set(\.isVerbose, Value.isOn))
    static let color = Option(
        "color", value: "WHEN", choices: ColorMode.allCases.map(\.rawValue), defaultValue: "auto",
        help: "use colours: auto (on a terminal), always or never", apply: set(\.color, Value.choice))
    /// Every command accepts them, so that a shell alias can pass them; its help lists those that have an effect.
    static let everywhere = [store, model, quiet, verbose, color]

    // MARK: Content of a digest

    static let profile = Option(
        "profile", value: "NAME", completion: .profiles,
        help: "with the settings of this profile: interests, language and sources",
        apply: set(\.profile) { $0.last ?? "" })
    static let basis = Option(
        "basis", value: "WHAT", choices: DigestBasis.allCases.map(\.rawValue), isAllowedInProfile: true,
        defaultValue: "read",
        help: "what to sum up: read, unread (entries of your feeds), bookmarks, or read,unread",
        apply: set(\.digest.basis, Value.choice))
    static let hours = Option(
        "hours", value: "N", isAllowedInProfile: true, defaultValue: "48, unless with --send",
        help: "include what you read in the last N hours"
    ) { settings, values throws(InvalidValue) in
        // “24h” and “24 hours” mean 24.
        let numbers = values.map { $0.replacing(/\s*h(ours?)?$/.ignoresCase(), with: "") }
        settings.window = .hours(try Value.number(numbers, above: 0, upTo: 24 * 366 * 100))
    }
    static let since = Option(
        "since", value: "WHEN", completion: .moments, isSetting: false,
        help: "include what was read, or came in, since then: 2026-11-18, '18 nov', yesterday, monday, 3d or 12h",
        apply: set(\.window) { values throws(InvalidValue) in .since(try Value.text(values)) })
    static let sinceLast = Option(
        "since-last", isSetting: false, help: "include what no sent digest has covered yet (default with --send)"
    ) { settings, values throws(InvalidValue) in
        if try Value.isOn(values) { settings.window = .sinceLast }
    }
    static let week = toggle(
        "week", \.output.isWeek,
        help: "sum up the last seven days: the largest stories, and what your digests said about them on each day")
    static let category = Option(
        "category", value: "NAME", completion: .categories, isAllowedInProfile: true, isList: true,
        help: "include only this category", apply: set(\.digest.categories) { Value.topics($0).map { Category($0) } })
    static let source = Option(
        "source", value: "NAME", completion: .sources, isAllowedInProfile: true, isList: true,
        help: "include only this publication", apply: set(\.digest.sources) { $0.filter { !$0.isEmpty } })
    static let follow = Option(
        "follow", value: "TOPIC", completion: .categories, isAllowedInProfile: true, isList: true,
        help: "put this first: words or a category"
    ) { settings, values throws(InvalidValue) in
        settings.digest.follow = Value.topics(values)
        guard !settings.digest.follow.isEmpty else { throw InvalidValue("needs a value: words, or a category.") }
    }
    static let mute = Option(
        "mute", value: "WORDS", isAllowedInProfile: true, isList: true, help: "leave out stories with these words",
        apply: set(\.digest.mute, Value.topics))
    static let muteSource = Option(
        "mute-source", value: "NAME", completion: .sources, isAllowedInProfile: true, isList: true,
        help: "leave out this publication", apply: set(\.digest.muteSources) { $0 })
    static let choosing = [category, source, follow, mute, muteSource]
    static let maxStories = Option(
        "max-stories", value: "N", isAllowedInProfile: true, defaultValue: "25",
        help: "tell at most N stories",
        apply: set(\.digest.maximumStories, Value.integer(in: 1...10_000)))
    static let maxPerSection = Option(
        "max-per-section", value: "N", isAllowedInProfile: true, defaultValue: "6",
        help: "tell at most N stories of a section", apply: set(\.digest.mostOfSection, Value.integer(in: 1...10_000)))
    static let section = Option(
        "section", value: "NAME", completion: .categories, isAllowedInProfile: true, isList: true,
        help: "put the section of this category or publication first; several: in this order",
        apply: set(\.digest.sections, Value.topics))
    static let order = Option(
        "order", value: "HOW", choices: WaitingOrder.allCases.map(\.rawValue), isAllowedInProfile: true,
        defaultValue: "interests",
        help: "order of unread articles: most like what you read first (interests), or newest",
        apply: set(\.digest.order, Value.choice))
    static let length = Option(
        "length", value: "LENGTH", choices: StoryLength.allCases.map(\.rawValue), isAllowedInProfile: true,
        defaultValue: "normal",
        help: "length of a story: short (a headline), normal, or long (two sentences)",
        apply: set(\.digest.length, Value.choice))
    static let sizing = [maxStories, maxPerSection, length, section, order]
    static let language = Option(
        "language", value: "LANGUAGE", choices: Language.allCases.map(\.rawValue),
        isAllowedInProfile: true, defaultValue: "your locale's",
        help: "language of headings and notes: \(Language.allCases.map(\.rawValue).joined(separator: ", "))"
    ) { settings, values throws(InvalidValue) in
        settings.output.language = try Value.language(values, local: settings.localLanguage)
    }
    static let formatName = "format"

    /// The output format. The flag accepts the command's own formats; the setting, which all commands share, accepts
    /// any, and a command without that format writes text (`Settings.fit`).
    static func format(_ formats: [OutputFormat] = OutputFormat.allCases) -> Option {
        let names = formats.map(\.rawValue)
        let help: Message = "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
        return Option(
            formatName, value: "FORMAT", choices: names, isAllowedInProfile: true, defaultValue: "text", help: help,
            apply: set(\.output.format, Value.choice))
    }
    static let output = file(
        "write to this file; --format html to a folder, too: a page for each day, and an index")
    static let toFile = file("write to this file, whole or not at all")
    private static func file(_ help: Message) -> Option {
        Option(
            "output", value: "PATH", kind: .path, isSetting: false, help: help, apply: set(\.output.path, Value.path))
    }
    static let speak = toggle(
        "speak", \.output.isSpoken, help: "read it aloud, with speech-dispatcher, espeak-ng or macOS's say")
    static let explain = toggle("explain", \.output.isExplained, help: "say below each story why it has its place")
    static let to = Option(
        "to", value: "ADDRESS", isAllowedInProfile: true, isList: true,
        help: "recipient of the email, or several separated by commas", apply: set(\.output.to, Value.addresses))
    static let from = Option(
        "from", value: "ADDRESS", isAllowedInProfile: true, defaultValue: "USER@HOST", help: "sender of the email",
        apply: set(\.output.from, Value.address))
    static let dryRun = toggle(
        "dry-run", \.isDryRun,
        help: "print what a model would be asked, without running it; with --send, print the email")
    static let dryPrompt = toggle("dry-run", \.isDryRun, help: "print what a model would be asked, without running it")
    static let fresh = toggle("fresh", \.model.isFresh, help: "ask the model again instead of using cached answers")
    static let date = Option(
        "date", value: "DAY", completion: .days, isSetting: false,
        help: "print the digest of an earlier day again: 2026-11-18, '18 nov', yesterday or monday",
        apply: set(\.day, Value.text))

    // MARK: How the model writes

    static let check = Option(
        "check", value: "HOW", choices: CheckMode.allCases.map(\.rawValue), isAllowedInProfile: true,
        defaultValue: "replace",
        help: "what to do with a model's sentence that the articles do not support: replace (the publication is "
            + "quoted), mark, or off (nothing is checked)", apply: set(\.model.check, Value.choice))
    static let maxTokens = Option(
        "max-tokens", value: "N", defaultValue: "160", help: "write at most N tokens per story",
        apply: set(\.model.maximumTokens, Value.integer(in: 1...100_000)))
    static let temperature = Option(
        "temperature", value: "T", defaultValue: "0", help: "sampling temperature; 0 is deterministic"
    ) { settings, values throws(InvalidValue) in
        settings.model.sampling.temperature = Float(try Value.number(values, from: 0, upTo: 10))
    }
    static let topP = Option(
        "top-p", value: "P", defaultValue: "0.9", help: "sample from the most likely tokens up to this probability"
    ) { settings, values throws(InvalidValue) in
        settings.model.sampling.topP = Float(try Value.number(values, above: 0, upTo: 1))
    }
    static let seed = Option("seed", value: "N", defaultValue: "0", help: "seed for sampling") {
        settings, values throws(InvalidValue) in
        settings.model.sampling.seed = UInt32(try Value.integer(in: 0...Int(UInt32.max))(values))
    }
    static let context = Option(
        "context", value: "TOKENS", defaultValue: "the model's, at most 8192", help: "length of the context window",
        apply: set(\.model.contextLength, Value.integer(in: 256...1_048_576)))
    static let threads = Option(
        "threads", short: "t", value: "N", defaultValue: "one per physical core", help: "number of compute threads",
        apply: set(\.model.threads, Value.integer(in: 1...1024)))
    static let gpuLayers = Option(
        "gpu-layers", value: "N", defaultValue: "as many as fit",
        help: "layers for a graphics processor or --rpc; 0: none",
        apply: set(\.model.gpuLayers, Value.integer(in: 0...10_000)))
    static let rpc = Option(
        "rpc", value: "HOST:PORT", isList: true, help: "hand layers to this rpc-server of llama.cpp in your network",
        apply: set(\.model.servers, Value.servers))
    /// Compute options, for every command that loads a model.
    static let computing = [context, threads, gpuLayers, rpc]
    static let stallTimeout = Option(
        "stall-timeout", value: "SECONDS", defaultValue: "300",
        help: "stop if no token arrives for SECONDS; 0 = no limit",
        apply: set(\.model.stallTimeout, Value.seconds))
    static let timeout = Option(
        "timeout", value: "SECONDS", defaultValue: "0", help: "stop after SECONDS in total; 0 = no limit",
        apply: set(\.model.timeout, Value.seconds))
    static let writing = [check, maxTokens, temperature, topP, seed] + computing + [stallTimeout, timeout]

    // MARK: Lists and confirmations

    static let limit = Option(
        "limit", short: "n", value: "N", isSetting: false, defaultValue: "20", help: "show at most N lines",
        apply: set(\.limit, Value.integer(in: 1...1_000_000)))
    /// Not a setting: the categories that are set for digests must not limit lists.
    static let ofCategory = Option(
        "category", value: "NAME", completion: .categories, isSetting: false,
        help: "show only articles in this category",
        apply: set(\.listedCategory) { values throws(InvalidValue) in Category(try Value.text(values)) })
    static let ofSource = Option(
        "source", value: "NAME", completion: .sources, isSetting: false,
        help: "show only articles from this publication, such as 'The Herald'", apply: set(\.listedSource, Value.text))
    /// Not settings either: what is set for digests must not limit questions.
    static let searchedBasis = Option(
        "basis", value: "WHAT", choices: DigestBasis.allCases.map(\.rawValue), isSetting: false,
        defaultValue: "read",
        help: "what to search: read, unread (entries of your feeds), bookmarks, or read,unread",
        apply: set(\.asking.basis, Value.choice))
    static let mostFound = Option(
        "limit", short: "n", value: "N", isSetting: false, defaultValue: "5", help: "show at most N sources",
        apply: set(\.asking.limit, Value.integer(in: 1...40)))
    static let save = Option(
        "save", value: "FILE", kind: .path, isSetting: false,
        help: "add the question and its answer to this file, in Markdown",
        apply: set(\.asking.savePath, Value.path))
    static let yes = toggle("yes", short: "y", \.isConfirmed, help: "do not ask for confirmation")

    // MARK: Mail and its schedule

    static let send = toggle("send", \.isSent, help: "send the digest by email, once a day to each address")
    static let again = toggle("again", \.digest.isAgain, help: "send it even if today's digest was already sent")
    static let sendmail = Option(
        "sendmail", value: "PATH", kind: .path, defaultValue: "the system's", help: "the sendmail program to use",
        apply: set(\.mail.sendmail, Value.path))
    static let sendTimeout = Option(
        "send-timeout", value: "SECONDS", defaultValue: "120", help: "stop a sendmail that takes longer than SECONDS"
    ) { settings, values throws(InvalidValue) in
        settings.mail.timeout = .seconds(try Value.number(values, above: 0, upTo: 86_400))
    }
    static let retryTime = Option(
        "retry-time", value: "SECONDS", isHidden: true, defaultValue: "900",
        help: "in scheduled runs, retry temporary failures for SECONDS"
    ) { settings, values throws(InvalidValue) in
        settings.mail.retryTime = .seconds(try Value.number(values, from: 0, upTo: 86_400))
    }
    static let scheduled = Option(
        "scheduled", value: "BY", choices: TimerKind.allCases.map(\.rawValue), isSetting: false, isHidden: true,
        help: "added by the schedule: silent on success, each failure reported once",
        apply: set(\.scheduler) { values throws(InvalidValue) in try Value.choice(values) as TimerKind })
    static let mailing = [send, again, sendmail, sendTimeout, retryTime, scheduled]
}
