import PulseCore
import PulseDigest
import PulseRendering

/// The prompts: the user's own, and those that came with the program.
struct PromptsCheck: Check {
    let context: Context

    func findings() async -> [Finding] {
        let files = PromptFiles(locations: context.locations)
        var found: [String] = []
        var faults: [Finding] = []
        for language in Language.allCases where language != .europeanPortuguese {
            for job in [PromptTemplate.Job.digest, .summary] {
                do throws(Failure) {
                    _ = try files.template(for: job, in: language)
                    found.append("\(job.rawValue).\(language.code)")
                } catch {
                    // In a language that is not asked for, it is missed by nobody.
                    faults.append(
                        language.code == context.settings.language.code
                            ? .problem("prompts", error) : .warning("prompts", error.message))
                }
            }
        }
        return (found.isEmpty ? [] : [.ok("prompts", found.joined(separator: ", "))]) + faults
    }
}
