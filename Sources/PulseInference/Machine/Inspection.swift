import CLlama

/// What an engine would make of a model on this machine. No weights are read for it.
public struct Inspection: Sendable {
    public var budget: MemoryBudget
    /// Nil where there is no file to choose them for.
    public var threads: ThreadChoice?
    public var plan: Result<MachinePlan, EngineError>

    public init(budget: MemoryBudget, threads: ThreadChoice?, plan: Result<MachinePlan, EngineError>) {
        self.budget = budget
        self.threads = threads
        self.plan = plan
    }
}

/// The inference library as it is here.
public struct LibraryDescription: Sendable, Hashable {
    public var version: String
    /// What it was built for, in its own words: `CPU : SSE3 = 1 | AVX2 = 1 | …`.
    public var features: String

    public init(version: String, features: String) {
        self.version = version
        self.features = features
    }
}

extension Engine {
    /// Looks at the model and the machine as `load` would.
    public static func inspect(_ options: EngineOptions) async -> Inspection {
        await inspect(options, machine: Machine())
    }

    static func inspect(_ options: EngineOptions, machine: Machine) async -> Inspection {
        let budget = machine.budget()
        return await PinnedThread().run {
            do throws(EngineError) {
                let file = try machine.open(options.modelPath)
                Library.start(logsToStandardError: options.logsToStandardError)
                let threads = machine.threads(options, file: file)
                do throws(EngineError) {
                    let plan = try machine.plan(options, file: file, threads: threads, recorder: nil)
                    return Inspection(budget: budget, threads: threads, plan: .success(plan))
                } catch {
                    return Inspection(budget: budget, threads: threads, plan: .failure(error))
                }
            } catch {
                return Inspection(budget: budget, threads: nil, plan: .failure(error))
            }
        }
    }

    /// The library's own account of itself.
    public static func library() async -> LibraryDescription {
        await PinnedThread().run {
            Library.start(logsToStandardError: false)
            return LibraryDescription(
                version: String(cString: llama_version()), features: String(cString: llama_print_system_info()))
        }
    }
}
