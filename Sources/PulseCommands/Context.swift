import Foundation
import PulseApp
import PulseCore
import PulseRendering
import PulseStore

/// What of the settings is about every command.
private struct CommonSettings {
    let storePath: String?
    let isQuiet: Bool
    let isVerbose: Bool
    /// Whether the result goes to a file.
    let hasFile: Bool

    init(_ settings: Settings) {
        storePath = settings.storePath
        // Of a schedule, success is silent.
        isQuiet = settings.isQuiet || settings.scheduler != nil
        isVerbose = settings.isVerbose
        hasFile = settings.output != nil
    }
}

/// What only a command knows that sees all settings.
private struct CommandLine {
    var programName: String
    var flags: [(option: Option, values: [String])]
    var settingsFault: PulseError?
    var profiles: [Settings]
}

/// A run of a command: what it was told, resolved, and what every command has.
struct Run<Arguments: Sendable>: Sendable {
    /// What this command can be told, and nothing else.
    fileprivate(set) var arguments: Arguments
    fileprivate(set) var operands: [String]
    let locations: Locations
    let console: Console
    let environment: [String: String]
    /// The one reading of the clock that a run of a command goes by.
    let now: Date
    let timeZone: TimeZone
    fileprivate var common: CommonSettings
    fileprivate var line: CommandLine

    /// The reader's: which days there are.
    var calendar: Calendar { .gregorian(in: timeZone) }

    /// What the use cases work with.
    var app: AppEnvironment {
        AppEnvironment(locations: locations, history: history, variables: environment, now: now, timeZone: timeZone)
    }

    var history: History {
        History(at: common.storePath ?? locations.store) { path in explain("history: \(path)") }
    }

    var style: TextStyle {
        // A file has no width, and nobody clicks in it.
        if common.hasFile { return TextStyle(timeZone: timeZone, catalogue: console.catalogue) }
        return TextStyle(
            width: console.width, isStyled: console.isStyled, hasLinks: console.hasLinks, timeZone: timeZone,
            catalogue: console.catalogue)
    }

    var isQuiet: Bool { common.isQuiet }

    /// Tells of something the person at the terminal may want to know, unless they want quiet.
    func note(_ line: Message) {
        if !isQuiet { console.say(line) }
    }

    /// The same, where it is worth saying to a person who is there but not in the mail that cron would make of it.
    func noteOnTerminal(_ line: Message) {
        if console.isErrorTerminal { note(line) }
    }

    /// Tells of the work itself, to those who asked with --verbose: in English, as it is searched for and quoted.
    func explain(_ line: @autoclosure () -> String) {
        if common.isVerbose { console.say(Message(verbatim: line())) }
    }

    /// Says on the error stream what a use case says. Who prints beside it clears its line of progress by it.
    var reporter: Reporter {
        let status = StatusLine(console: console)
        let reporter = Reporter { event in
            switch event {
            case .problem(let message), .note(let message): console.say(message)
            case .failure(let error): console.say(error)
            case .hint(let message): if console.isErrorTerminal { console.say(message) }
            case .detail(let text): explain(text)
            case .progress(let message?): status.show(message)
            case .progress(nil): status.clear()
            }
        }
        return isQuiet ? reporter.quiet : reporter
    }

    /// Asks the person at the terminal; nil where there is none.
    var questioner: Questioner? {
        guard console.isInputTerminal else { return nil }
        return Questioner { [console] question, isSecret throws(PulseError) in
            try await console.ask(question, isSecret: isSecret)
        } agreement: { [console] question, isUsual throws(PulseError) in
            try await console.agrees(to: question, isUsual: isUsual)
        }
    }
}

extension Run {
    /// Opens the history for reading, uses it, and closes it.
    func reading<Result>(_ body: (borrowing Store) throws(PulseError) -> Result) throws(PulseError) -> Result {
        try history.reading(body)
    }

    /// The same, for writing.
    func writing<Result>(_ body: (borrowing Store) throws(PulseError) -> Result) throws(PulseError) -> Result {
        try history.writing(body)
    }
}

/// The run of a command that sees all settings, as those about digests do: whom they are for depends on profiles, and a
/// schedule hands on what it was given.
typealias Context = Run<Settings>

extension Run where Arguments == Settings {
    /// - Parameters:
    ///   - programName: What the program was called by, as a shell tells it.
    ///   - flags: The options as they were given on the command line.
    ///   - settingsFault: What of the settings could not be understood, and is not among them; nil: they are whole.
    ///   - profiles: Those of each profile of the settings file, by name.
    init(
        settings: Settings, operands: [String], locations: Locations, console: Console, environment: [String: String],
        now: Date, timeZone: TimeZone, programName: String = "", flags: [(option: Option, values: [String])] = [],
        settingsFault: PulseError? = nil, profiles: [Settings] = []
    ) {
        arguments = settings
        self.operands = operands
        self.locations = locations
        self.console = console
        self.environment = environment
        self.now = now
        self.timeZone = timeZone
        common = CommonSettings(settings)
        line = CommandLine(
            programName: programName, flags: flags, settingsFault: settingsFault, profiles: profiles)
    }

    var settings: Settings { arguments }
    var programName: String { line.programName }
    var settingsFault: PulseError? { line.settingsFault }
    var profiles: [Settings] { line.profiles }
    var flags: [(option: Option, values: [String])] {
        get { line.flags }
        set { line.flags = newValue }
    }

    /// The same with other settings.
    func with(_ settings: Settings) -> Context {
        var context = self
        context.arguments = settings
        context.common = CommonSettings(settings)
        return context
    }

    /// The same for another command, with what that is given on its command line.
    func with(_ settings: Settings, _ invocation: Invocation) -> Context {
        var context = with(settings)
        context.operands = invocation.operands
        context.line.flags += invocation.flags
        return context
    }

    /// The same for a command that sees these arguments only.
    func seeing<Other>(_ arguments: Other) -> Run<Other> {
        Run<Other>(
            arguments: arguments, operands: operands, locations: locations, console: console,
            environment: environment, now: now, timeZone: timeZone, common: common, line: line)
    }
}
