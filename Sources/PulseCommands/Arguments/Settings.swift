import PulseApp
import PulseCore
import PulsePlatform
import PulseRendering

/// Everything a command can be told, resolved: flags beat the environment, the environment beats the settings file,
/// and that beats what stands here.
struct Settings: Sendable {
    enum Window: Sendable, Hashable {
        case hours(Double)
        /// As it was written; what it means depends on the clock and the time zone.
        case since(String)
        /// What no digest that was sent had in it.
        case sinceLast
    }

    var storePath: String?
    /// Which model writes, and how.
    var model = ModelSettings()
    var isQuiet = false
    var isVerbose = false
    var color = ColorMode.auto

    /// Which of the settings file's readers all this is for, by their profile's name; empty: whoever its top level is.
    var profile = ""
    /// What a digest is of, but for its time and language.
    var digest = DigestRequest()
    /// Nil: what is sent is what is new since the last digest that was sent, what is printed is of two days.
    var window: Window?
    var language = Language.english
    /// The locale's; nil where it names none that there is.
    var localLanguage: Language?
    var format = OutputFormat.text
    /// The file or the folder that the result goes to; nil: the output.
    var output: String?
    /// Whether the result is read aloud, and not printed.
    var isSpoken = false
    /// Whom a digest is mailed to, and whom it is from; nil for the user of this machine.
    var to: [MailAddress] = []
    var from: MailAddress?
    var isDryRun = false
    /// Tells the week, not the day.
    var isWeek = false
    /// The day whose digest is wanted again, as it was written.
    var day: String?

    var isSent = false
    var mail = MailSettings()
    var scheduler: ScheduleKind?
    var timeOfDay = TimeOfDay(hour: 22, minute: 0)
    var isSystemd = false
    /// Whether a schedule has a model write ahead.
    var isPrepared = false

    /// Days after which the texts of what nobody read are deleted.
    var keepUnreadDays = 30
    /// Whether feeds are asked that need not be asked yet.
    var isForced = false
    /// What a feed is called and where it is put, where its own words are not to be used.
    var feedTitle: String?
    var feedFolder: String?
    var marksAsNew = false
    /// Whether a list of feeds may name this machine and private networks.
    var allowsPrivate = false

    var limit = 20
    /// What `history list` is of; nil: everything.
    var listedCategory: Category?
    var listedSource: String?
    /// What `ask` searches, and how many sources it shows.
    var searchedBasis = DigestScope.read
    var mostFound = 5
    /// The file to which a question and its answer are added.
    var savePath: String?
    var isConfirmed = false
    var importing = ImportSettings()
    var fromFile: String?
    var account = AccountSettings()
    var forgetsAccount = false
    /// How the services are reached that answer for feeds.
    var services = FeedServiceSettings()
}

/// What becomes of entries that `feeds mark` marks.
enum Mark: String, Sendable, CaseIterable { case seen, new }

/// When the output is coloured.
enum ColorMode: String, Sendable, CaseIterable { case auto, always, never }

extension Settings {
    /// Sets what was asked of all commands, and is not for this one, to what is.
    mutating func fit(_ command: Command) {
        guard let option = command.options.first(where: { $0.name == Option.formatName }) else { return }
        if !option.choices.contains(format.rawValue) { format = .text }
    }
}
