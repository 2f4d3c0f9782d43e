import PulseRendering

/// The program, and the folders that belong to it.
struct ProgramCheck: Check {
    let context: Context

    func findings() async -> [Finding] {
        guard let resources = context.locations.resources else {
            return [
                .problem(
                    "program",
                    Failure(
                        .configuration,
                        "\(Program.version), but the folders “models” and “prompts” that belong to it are not beside it. Reinstall it."
                    ))
            ]
        }
        return [.ok("program", "\(Program.version), with models and prompts in \(resources)")]
    }
}
