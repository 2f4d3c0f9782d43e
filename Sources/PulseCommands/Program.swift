import Dispatch
public import Foundation
import PulseApp
import PulseCore
import PulsePlatform
import Synchronization

/// The program, from the words of the command line to the exit status.
public enum Program {
    /// The commands, grouped as in the help.
    static let groups: [CommandGroup] = [
        CommandGroup("Reading", [.today, .summarize, .ask, .history, .related, .story, .bookmarks, .open, .share]),
        CommandGroup("Getting articles in", [.importing, .feeds]),
        CommandGroup("Nightly email", [.schedule, .prepare]),
        CommandGroup("Models", [.models, .bench]),
        CommandGroup("Maintenance", [.config, .prompts, .interests, .doctor, .completions, .man]),
    ]

    static let commands = groups.flatMap(\.commands)

    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - executable: The program's own path, to find what came with it.
    ///   - name: The name or path it was called by.
    /// - Returns: The exit status.
    public static func run(
        _ arguments: [String], environment: [String: String], executable: String, name: String,
        timeZone: TimeZone? = nil
    ) async -> Int32 {
        Console.openMissingStreams()
        // A write to a pipe that nobody reads returns EPIPE instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        // Control-\ ends the program; Swift's runtime would ask for a key first.
        signal(SIGQUIT, SIG_DFL)
        let console = Console(environment: environment)
        let work = Task {
            await answer(
                arguments, environment: environment, executable: executable, name: name, console: console,
                timeZone: timeZone ?? LocalTimeZone(environment["TZ"]).zone)
        }
        let interruption = Interruption { work.cancel() }
        let outcome = await work.value
        withExtendedLifetime(interruption) {}
        if let signal = Interruption.number.withLock({ $0 }) { return 128 + signal }
        guard let (failure, console) = outcome else { return 0 }
        console.say(failure)
        return failure.code.exitCode
    }

    private static func answer(
        _ arguments: [String], environment: [String: String], executable: String, name: String, console: Console,
        timeZone: TimeZone
    ) async -> (failure: PulseError, console: Console)? {
        let locations = Locations(environment: environment, executable: executable)
        let reader = SettingsReader(environment: environment, configurationFile: locations.configurationFile)
        func speaking(_ language: Language) -> Console { console.speaking(.of(language, in: locations.translations)) }
        var language: Language?
        do {
            let invocation = try Parser(commands: commands + [.completeValues]).parse(arguments)
            switch invocation.request {
            case .help:
                let console = speaking(reader.language(of: arguments))
                    .colored(invocation.values(of: .color)?.last.flatMap(ColorMode.init) ?? .auto)
                let help = Help(
                    groups, width: console.width, isStyled: console.isStyled, catalogue: console.catalogue)
                try await Pager(console: console, environment: environment).show(help.text(for: invocation.path))
            case .version: try console.write("pulse-digest \(Release.version)\n")
            case .run:
                guard let command = invocation.command else { return nil }
                var (settings, profiles, fault) = try reader.reading(flags: invocation.flags)
                language = settings.language
                if let fault, !command.takesFaultySettings(settings) { throw fault }
                if settings.isQuiet, settings.isVerbose, invocation.values(of: .quiet) != nil,
                    invocation.values(of: .verbose) != nil
                {
                    throw PulseError.contradiction("--quiet and --verbose contradict each other.")
                }
                if settings.model.gpuLayers == 0, !settings.model.servers.isEmpty,
                    invocation.values(of: .gpuLayers) != nil, invocation.values(of: .rpc) != nil
                {
                    throw PulseError.contradiction(
                        "--gpu-layers 0 leaves every layer to the processor, so --rpc does not apply.")
                }
                settings.fit(command)
                let now = try now(in: environment, timeZone)
                let context = RawContext(
                    settings: settings, operands: invocation.operands, locations: locations,
                    console: speaking(settings.language).colored(settings.color), environment: environment, now: now,
                    timeZone: timeZone, programName: name, flags: invocation.flags, settingsFault: fault,
                    profiles: profiles)
                try context.requireOtherOutput()
                if !command.isWithoutHistory { context.explain("history: \(context.history.path)") }
                let mark =
                    command.letsPrepareContinue
                    ? nil : ActivityLock(marking: "\(locations.state)/\(ActivityLock.name)")
                defer { withExtendedLifetime(mark) {} }
                try await command.run?(context)
            }
            return nil
        } catch {
            return (error.asPulseError, speaking(language ?? reader.language(of: arguments)))
        }
    }

    /// Variables that are no settings, despite the prefix. The last tells `make setup` where to build libllama.
    static let otherVariables = [clockVariable, Pager.variable, "PULSE_DIGEST_CACHE"]

    /// The variable that sets the clock of a run, so that tests do not depend on the time of day.
    static let clockVariable = "PULSE_DIGEST_NOW"

    private static func now(in environment: [String: String], _ timeZone: TimeZone) throws -> Date {
        guard let text = environment[clockVariable], !text.isEmpty else { return Date() }
        guard let date = Timestamp.parse(text, now: Date(), zone: timeZone) else {
            throw PulseError(.configuration, "\(clockVariable) takes a time such as 2026-11-18T22:00, not “\(text)”.")
        }
        return date
    }
}

/// Turns SIGINT and SIGTERM into the cancellation of a task, so that a command leaves nothing half-written.
final class Interruption {
    /// The first signal that this process got; nil: none.
    static let number = Mutex<Int32?>(nil)
    static var status: Int32 { 128 + (number.withLock { $0 } ?? SIGINT) }

    private let sources: [any DispatchSourceSignal]

    /// - Parameter cancel: Called once, with the first signal.
    init(cancel: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            // Dispatch does not replace the default action, which would end the process.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { Interruption.take(number, cancel: cancel) }
            source.resume()
            return source
        }
    }

    deinit { sources.forEach { $0.cancel() } }

    private static func take(_ signal: Int32, cancel: @Sendable () -> Void) {
        if signal == SIGINT, TerminalProgram.isRunning.withLock({ $0 }) { return }
        let isFirst = number.withLock { number in
            defer { number = number ?? signal }
            return number == nil
        }
        // A second signal ends the process at once; so does a call that blocks for five seconds. The store is safe:
        // what is not committed is rolled back.
        guard isFirst else { _exit(128 + signal) }
        cancel()
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(5)) { _exit(128 + signal) }
    }
}
