import PulseApp
import PulseCore
import PulseInference
import PulsePlatform
import PulseRendering

extension Command {
    static let doctor = Command(
        "doctor", summary: "check that everything a digest needs is in place",
        details: """
            Reads no model weights and changes nothing. The exit code is 0, or that of the first problem.
            """,
        options: [.format([.text, .json])] + Option.computing
    ) { context throws(PulseError) in
        try await Doctor(context: context).run()
    }.workingWithFaultySettings()
}

/// Checks everything a digest needs, in the order in which it is needed, and reports what is wrong. It changes nothing,
/// and a check that finds a problem does not stop the others.
struct Doctor {
    let context: Context
    var facts = Facts()

    /// What the machine and the library are asked; tests answer instead.
    struct Facts: Sendable {
        var library: @Sendable () async -> LibraryDescription = { await Engine.library() }
        var inspect: @Sendable (EngineOptions) async -> Inspection = { await Engine.inspect($0) }
        var sendmail = Sendmail.places
        var schedules: @Sendable (Context) -> [any DailySchedule] = { ScheduleCommands(context: $0).schedules }
    }

    func run() async throws(PulseError) {
        let findings = await findings()
        let text =
            context.settings.format == .json
            ? FindingJSON.render(findings) : FindingText.render(findings, style: context.style)
        try context.console.write(text)
        // The findings are the message.
        if let code = findings.lazy.compactMap(\.exitCode).first {
            throw PulseError(PulseError.Code(rawValue: code) ?? .bug, "")
        }
    }

    func findings() async -> [Finding] {
        let files = Result { () throws(PulseError) in try context.modelFiles() }
        var findings = [program(), settings(), await library(), await model(files)]
        // Without a model there is nothing to plan, and the check before has said so.
        if let model = try? files.get().resolve() { findings += await machine(model) }
        findings += [history(), sources()] + [feeds()].compactMap(\.self)
        findings += prompts()
        findings += folders()
        return findings + readers() + [await mail(), await schedule(), locale()]
    }
}

extension Finding {
    static func ok(_ subject: String, _ text: Message) -> Finding { Finding(subject, .ok, text) }

    /// Something that works all the same.
    static func warning(_ subject: String, _ text: Message) -> Finding { Finding(subject, .warning, text) }

    /// Something that keeps a command from working, with the exit code that command would have.
    static func problem(_ subject: String, _ error: PulseError) -> Finding {
        Finding(subject, .problem, "\(error)", exitCode: error.code.exitCode)
    }
}
