import PulseCore
import PulseInference

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
    var isDryRun = false

    var grounded: GroundedMode?
    var maximumTokens = 256
    var sampling = Sampling(temperature: 0, topP: 0.9, seed: 0)
    var contextLength: Int?
    var threads: Int?
    var stallTimeout: Duration? = .seconds(300)
    var timeout: Duration?

    var limit = 20
    var isConfirmed = false
    var fromFile: String?
}

/// How a digest is written out.
enum OutputFormat: String, Sendable, CaseIterable {
    case text, json
}

/// How a model is kept to its source.
enum GroundedMode: String, Sendable, CaseIterable {
    /// Every word, and every step from word to word, is the source's.
    case strict
    /// The model writes freely; what it wrote is compared with the source.
    case checked
}
