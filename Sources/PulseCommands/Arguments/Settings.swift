import PulseCore
import PulseInference
import PulseRendering
import PulseSchedule

/// Everything a command can be told, resolved: flags beat the environment, the environment beats the settings file,
/// and that beats what stands here.
struct Settings: Sendable {
    enum Window: Sendable, Hashable {
        case hours(Double)
        /// As it was written; what it means depends on the clock and the time zone.
        case since(String)
    }

    var storePath: String?
    var model: String?
    var isQuiet = false
    var isVerbose = false

    var window = Window.hours(48)
    var categories: [Category] = []
    var follow: [String] = []
    var mute: [String] = []
    var muteSources: [String] = []
    var maximumArticles = 25
    var language = Language.english
    var format = OutputFormat.text
    /// Whom a digest is mailed to, and whom it is from; nil for the user of this machine.
    var to: [MailAddress] = []
    var from: MailAddress?
    /// Whether a digest reads long articles to their end, and not by their lead.
    var readsWhole = false
    var isDryRun = false
    /// Writes anew what was kept.
    var isFresh = false
    /// The day whose digest is wanted again, as it was written.
    var day: String?

    var grounded: GroundedMode?
    var maximumTokens = 256
    var sampling = Sampling(temperature: 0, topP: 0.9, seed: 0)
    var contextLength: Int?
    var threads: Int?
    var stallTimeout: Duration? = .seconds(300)
    var timeout: Duration?

    var isSent = false
    var isAgain = false
    var sendmail: String?
    var sendTimeout: Duration = .seconds(120)
    var retryTime: Duration = .seconds(900)
    var scheduler: Scheduler?
    var timeOfDay = TimeOfDay(hour: 22, minute: 0)
    var isSystemd = false

    var limit = 20
    var isConfirmed = false
    var fromFile: String?
}

/// How a result is written out. A digest is in all of these ways, other results in some.
enum OutputFormat: String, Sendable, CaseIterable {
    case text, markdown, html, json, email
}

extension Settings {
    /// Sets what was asked of all commands, and is not for this one, to what is.
    mutating func fit(_ command: Command) {
        guard let option = command.options.first(where: { $0.name == Option.formatName }) else { return }
        if !option.choices.contains(format.rawValue) { format = .text }
    }
}

/// How a model is kept to its source.
enum GroundedMode: String, Sendable, CaseIterable {
    /// Every word, and every step from word to word, is the source's.
    case strict
    /// The model writes freely; what it wrote is compared with the source.
    case checked
}
