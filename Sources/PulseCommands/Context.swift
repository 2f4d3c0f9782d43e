import Foundation
import PulseApp
import PulseCore
import PulseRendering
import PulseStore

/// What a command works with: its settings, the places of its files, its streams and its clock.
struct Context: Sendable {
    private(set) var settings: Settings
    private(set) var operands: [String]
    let locations: Locations
    let console: Console
    let environment: [String: String]
    /// The one reading of the clock that a run of a command goes by.
    let now: Date
    let timeZone: TimeZone
    /// What the program was called by, as a shell tells it.
    var programName = ""
    /// The options as they were given on the command line, for a command that hands them on.
    var flags: [(option: Option, values: [String])] = []
    /// What of the settings could not be understood, and is not among them; nil: they are whole.
    var settingsFault: PulseError?
    /// Those of each profile of the settings file, by name.
    var profiles: [Settings] = []

    /// The reader's: which days there are.
    var calendar: Calendar { .gregorian(in: timeZone) }

    /// What the use cases work with.
    var app: AppEnvironment {
        AppEnvironment(locations: locations, history: history, variables: environment, now: now, timeZone: timeZone)
    }

    var history: History {
        History(at: settings.storePath ?? locations.store) { path in explain("history: \(path)") }
    }

    var style: TextStyle {
        // A file has no width, and nobody clicks in it.
        if settings.output != nil { return TextStyle(timeZone: timeZone, catalogue: console.catalogue) }
        return TextStyle(
            width: console.width, isStyled: console.isStyled, hasLinks: console.hasLinks, timeZone: timeZone,
            catalogue: console.catalogue)
    }

    /// The same with other settings.
    func with(_ settings: Settings) -> Context {
        var context = self
        context.settings = settings
        return context
    }

    /// The same for another command, with what that is given on its command line.
    func with(_ settings: Settings, _ invocation: Invocation) -> Context {
        var context = with(settings)
        context.operands = invocation.operands
        context.flags += invocation.flags
        return context
    }

    /// Tells of something the person at the terminal may want to know, unless they want quiet.
    func note(_ line: Message) {
        if !settings.isQuiet { console.say(line) }
    }

    /// The same, where it is worth saying to a person who is there but not in the mail that cron would make of it.
    func noteOnTerminal(_ line: Message) {
        if console.isErrorTerminal { note(line) }
    }

    /// Tells of the work itself, to those who asked with --verbose: in English, as it is searched for and quoted.
    func explain(_ line: @autoclosure () -> String) {
        if settings.isVerbose { console.say(Message(verbatim: line())) }
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
        // Of a schedule, success is silent.
        return settings.isQuiet || settings.scheduler != nil ? reporter.quiet : reporter
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

extension Context {
    /// Opens the history for reading, uses it, and closes it.
    func reading<Result>(_ body: (borrowing Store) throws(PulseError) -> Result) throws(PulseError) -> Result {
        try history.reading(body)
    }

    /// The same, for writing.
    func writing<Result>(_ body: (borrowing Store) throws(PulseError) -> Result) throws(PulseError) -> Result {
        try history.writing(body)
    }
}
