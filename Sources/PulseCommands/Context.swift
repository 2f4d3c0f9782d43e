import Foundation
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

    var storePath: String { settings.storePath ?? locations.store }

    /// The history's path as it is the same however it was named.
    var storeIdentity: String { URL(fileURLWithPath: storePath).resolvingSymlinksInPath().path }

    /// What was mailed, and what is still to be; the folder is made where it is missing.
    func state() throws(PulseError) -> StateFolder { try StateFolder(locations.state) }

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

    func statusLine() -> StatusLine { StatusLine(console: console, isQuiet: settings.isQuiet) }
}

extension Context {
    /// Opens the history.
    func store(_ access: Store.Access) throws(PulseError) -> Store {
        explain("history: \(storePath)")
        return try Store(at: storePath, access: access)
    }

    /// The same, for those who are handed what they need.
    var opening: @Sendable (Store.Access) throws(PulseError) -> Store {
        { access throws(PulseError) in try store(access) }
    }

    /// Opens the history for reading, uses it, and closes it.
    func reading<Result>(_ body: (borrowing Store) throws(PulseError) -> Result) throws(PulseError) -> Result {
        try body(store(.readOnly))
    }

    /// The same, for writing.
    func writing<Result>(_ body: (borrowing Store) throws(PulseError) -> Result) throws(PulseError) -> Result {
        try body(store(.readWrite))
    }
}
