import PulseApp
import PulseCore
import PulseRendering

extension Command {
    static let doctor = Command(
        "doctor", summary: "check that everything a digest needs is in place",
        details: """
            Reads no model weights and changes nothing. The exit code is 0, or that of the first problem.
            """,
        options: [.format([.text, .json])] + Option.computing,
        resolving: { ($0.doctor(), isJSON: $0.list.isJSON) }
    ) { context in
        let (doctor, isJSON) = context.arguments
        let findings = await doctor.findings()
        try context.console.write(
            isJSON ? DoctorJSON.render(findings) : DoctorText.render(findings, style: context.style))
        // The findings are printed already.
        if let code = findings.lazy.compactMap(\.exitCode).first {
            throw PulseError(PulseError.Code(rawValue: code) ?? .bug, "")
        }
    }.workingWithFaultySettings()
}

extension RawContext {
    func doctor(_ facts: Doctor.Facts = Doctor.Facts()) -> Doctor {
        Doctor(
            of: app, settingsFault: arguments.settingsFault, model: model, mail: settings.mail,
            sources: importer.environment, schedule: schedule(),
            languages: Set(([settings] + profiles).map(\.language)), readers: readerNames, facts: facts)
    }
}
