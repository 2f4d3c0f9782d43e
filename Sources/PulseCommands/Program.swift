public import Foundation

/// The program, from the words of the command line to the exit status.
public enum Program {
    public static let version = "0.1.0"

    static let commands: [Command] = [
        .today, .summarize, .importing, .history, .schedule, .models, .doctor, .bench, .completions,
    ]

    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - executable: The program's own path, to find what came with it.
    ///   - name: What it was called by.
    /// - Returns: The exit status.
    public static func run(
        _ arguments: [String], environment: [String: String], executable: String, name: String,
        timeZone: TimeZone = .current, now: Date = Date()
    ) async -> Int32 {
        Console.openMissingStreams()
        // A write to a pipe that nobody reads returns EPIPE instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        let console = Console(environment: environment)
        let work = Task {
            await answer(
                arguments, environment: environment, executable: executable, name: name, console: console,
                timeZone: timeZone, now: now)
        }
        let interruption = Interruption { work.cancel() }
        let failure = await work.value
        if let signal = interruption.signalNumber { return 128 + signal }
        guard let failure else { return ExitCode.success.rawValue }
        if !failure.message.isEmpty { console.say("pulse-digest: " + failure.message) }
        return failure.code.rawValue
    }

    private static func answer(
        _ arguments: [String], environment: [String: String], executable: String, name: String, console: Console,
        timeZone: TimeZone, now: Date
    ) async -> Failure? {
        do throws(Failure) {
            let invocation = try Parser(commands: commands).parse(arguments)
            switch invocation.request {
            case .help: try console.write(Help.text(for: invocation.path, among: commands))
            case .version: try console.write("pulse-digest \(version)\n")
            case .run:
                let locations = Locations(environment: environment, executable: executable)
                let reader = SettingsReader(
                    commands: commands, environment: environment, configurationFile: locations.configurationFile)
                guard let command = invocation.command else { return nil }
                var (settings, fault) = try reader.reading(flags: invocation.flags)
                if let fault, !command.takesFaultySettings(settings) { throw fault }
                settings.fit(command)
                let context = Context(
                    settings: settings, operands: invocation.operands, locations: locations, console: console,
                    environment: environment, now: now, timeZone: timeZone, programName: name,
                    flags: invocation.flags, settingsFault: fault)
                try await command.run?(context)
            }
            return nil
        } catch {
            return error
        }
    }
}
