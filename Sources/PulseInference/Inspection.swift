import CLlama
public import PulseCore

/// The plan of an engine for a model on this machine. Made without reading weights.
public struct Inspection: Sendable {
    public var budget: MemoryBudget
    /// Nil if the model's file cannot be opened.
    public var threads: ThreadChoice?
    public var plan: Result<MachinePlan, PulseError>
}

/// The installed inference library.
public struct LlamaDescription: Sendable, Hashable {
    public var version: String
    /// Its build features in its own words: `CPU : SSE3 = 1 | AVX2 = 1 | …`.
    public var features: String
}

extension Engine {
    /// Inspects the model and the machine as `load` does.
    public static func inspect(_ options: EngineOptions) async -> Inspection {
        let machine = Machine()
        let budget = machine.budget()
        let servers = RemoteServers(options.servers)
        let inspect = { @Sendable () -> Inspection in
            var threads: ThreadChoice?
            let plan = Result { () throws(PulseError) in
                let file = try ModelFile(path: options.modelPath)
                LlamaLibrary.start(logsToStandardError: options.logsToStandardError)
                let choice = machine.threads(options, file: file)
                threads = choice
                let devices = try Devices(options, servers: servers)
                let plan = try machine.plan(options, file: file, devices: devices.all)
                threads = choice.beside(plan.footprint.placement)
                return plan
            }
            return Inspection(budget: budget, threads: threads, plan: plan)
        }
        let thread = PinnedThread()
        guard let servers else { return await thread.run(inspect) }
        let result = await servers.result { .success(await thread.run(inspect)) }
        do throws(PulseError) {
            return try result.get()
        } catch {
            return Inspection(budget: budget, threads: nil, plan: .failure(error))
        }
    }

    /// The library's description of itself.
    public static func library() async -> LlamaDescription {
        await PinnedThread().run {
            LlamaLibrary.start(logsToStandardError: false)
            return LlamaDescription(
                version: String(cString: llama_version()), features: String(cString: llama_print_system_info()))
        }
    }
}
