import Foundation
import PulseApp
import PulseCore
import PulseRendering
import PulseStore

/// One run of a command: its resolved arguments, and what every command needs.
struct CommandContext<Arguments: Sendable>: Sendable {
    /// Only this command's arguments.
    var arguments: Arguments
    fileprivate(set) var operands: [String]
    let locations: Locations
    let console: Console
    let environment: [String: String]
    /// The time of the run: the clock is read once.
    let now: Date
    let timeZone: TimeZone
    /// Used here only for effects on all commands, such as `--quiet`.
    fileprivate var common: Settings

    var calendar: Calendar { .gregorian(in: timeZone) }

    var app: AppEnvironment {
        AppEnvironment(locations: locations, history: history, variables: environment, now: now, timeZone: timeZone)
    }

    var history: History { History(at: common.storePath ?? locations.store) }

    var style: TextStyle {
        // A file has no width, and its links cannot be clicked.
        if common.output.path != nil { return TextStyle(timeZone: timeZone, catalogue: console.catalogue) }
        return TextStyle(
            width: console.width, isStyled: console.isStyled, hasLinks: console.hasLinks, timeZone: timeZone,
            catalogue: console.catalogue)
    }

    /// A scheduled run prints nothing on success.
    var isQuiet: Bool { common.isQuiet || common.scheduler != nil }

    /// Prints a note for the person at the terminal, unless the run is quiet.
    func note(_ line: Message) {
        if !isQuiet { console.say(line) }
    }

    /// The same, but only on a terminal: cron would mail it.
    func noteOnTerminal(_ line: Message) {
        if console.isErrorTerminal { note(line) }
    }

    /// Logs a step with --verbose. In English, so that it can be searched for and quoted.
    func explain(_ line: @autoclosure () -> String) {
        if common.isVerbose { console.say(Message(verbatim: line())) }
    }

    /// Prints the events of a use case on the error stream. Call `Reporter.clear` before printing.
    var reporter: Reporter {
        let status = StatusLine(console: console)
        let reporter = Reporter { event in
            if case .progress(let message?) = event { return status.show(message) }
            // Messages get a line of their own.
            status.clear()
            switch event {
            case .problem(let message), .note(let message): console.say(message)
            case .failure(let error): console.say(error)
            case .hint(let message): if console.isErrorTerminal { console.say(message) }
            case .detail(let text): explain(text)
            case .progress: break
            }
        }
        return isQuiet ? reporter.quiet : reporter
    }

    /// Asks the person at the terminal; nil where there is none.
    var questioner: (any Questioner)? { console.isInputTerminal ? console : nil }
}

extension CommandContext {
    func with<Other>(arguments: Other) -> CommandContext<Other> {
        CommandContext<Other>(
            arguments: arguments, operands: operands, locations: locations, console: console,
            environment: environment, now: now, timeZone: timeZone, common: common)
    }
}

extension RawContext {
    var settings: Settings { common }

    init(
        settings: Settings, operands: [String], locations: Locations, console: Console, environment: [String: String],
        now: Date, timeZone: TimeZone, programName: String = "", flags: [(option: Option, values: [String])] = [],
        settingsFault: PulseError? = nil, profiles: [Settings] = []
    ) {
        self.init(
            arguments: RawArguments(
                profiles: profiles, flags: flags, settingsFault: settingsFault, programName: programName),
            operands: operands, locations: locations, console: console, environment: environment, now: now,
            timeZone: timeZone, common: settings)
    }

    /// The same run with other settings, and with another command's arguments as if they had been typed.
    func with(_ settings: Settings, _ invocation: Invocation? = nil) -> RawContext {
        var context = self
        context.common = settings
        context.operands = invocation?.operands ?? operands
        context.arguments.flags += invocation?.flags ?? []
        return context
    }
}
