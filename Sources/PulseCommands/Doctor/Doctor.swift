import PulseInference
import PulseRendering

/// Looks at everything a digest needs, in the order in which it needs it, and says what is wrong.
struct Doctor {
    let context: Context
    var facts = Facts()

    /// What is asked of the machine and the library; the tests answer instead.
    struct Facts: Sendable {
        var library: @Sendable () async -> LibraryDescription = { await Engine.library() }
        var inspect: @Sendable (EngineOptions) async -> Inspection = { await Engine.inspect($0) }
        var sendmail = Sendmail.places
    }

    func run() async throws(Failure) {
        let findings = await findings()
        let text =
            context.settings.format == .json
            ? FindingJSON.render(findings) : FindingText.render(findings, style: context.style)
        try context.console.write(text)
        // What is wrong has been said.
        if let code = findings.lazy.compactMap(\.exitCode).first { throw Failure(ExitCode(rawValue: code) ?? .bug, "") }
    }

    func findings() async -> [Finding] {
        let files = Result { () throws(Failure) in try ModelFiles(context: context) }
        let checks: [any Check] = [
            ProgramCheck(context: context), SettingsCheck(context: context), LibraryCheck(library: facts.library),
            ModelCheck(files: files), MachineCheck(context: context, files: files, inspect: facts.inspect),
            StoreCheck(context: context), PromptsCheck(context: context), CacheCheck(context: context),
            MailCheck(context: context, places: facts.sendmail), LocaleCheck(context: context),
        ]
        var findings: [Finding] = []
        for check in checks { findings += await check.findings() }
        return findings
    }
}
