import PulseInference
import PulseModels
import PulseRendering

/// What the machine has, and what will be made of it: memory, context, threads.
struct MachineCheck: Check {
    let context: Context
    let files: Result<ModelFiles, Failure>
    let inspect: @Sendable (EngineOptions) async -> Inspection

    func findings() async -> [Finding] {
        // Without a model there is nothing to plan; that it is missing is said elsewhere.
        guard let model = try? files.get().resolve() else { return [] }
        let inspection = await inspect(
            EngineOptions(
                modelPath: model.path, contextLength: context.settings.contextLength,
                threads: context.settings.threads))
        return [memory(inspection.budget)] + plan(inspection.plan) + threads(inspection.threads)
    }

    private func memory(_ budget: MemoryBudget) -> Finding {
        let parts = [
            budget.machine.map { "\($0 >> 20) MiB of the machine" },
            budget.group.map { "\($0 >> 20) MiB of the control group’s limit" },
            budget.addressSpace.map { "\($0 >> 20) MiB of the address space (ulimit -v)" },
        ].compactMap { $0 }
        guard !parts.isEmpty else { return .warning("memory", "how much there is cannot be told") }
        return .ok("memory", "to be had: " + parts.joined(separator: ", "))
    }

    private func plan(_ plan: Result<MachinePlan, EngineError>) -> [Finding] {
        switch plan {
        case .failure(let error): return [.problem("plan", Failure(error))]
        case .success(let plan):
            let footprint = plan.footprint
            let figures =
                "\(mebibytes(footprint.memory)) MiB: the weights \(mebibytes(footprint.weights)), the cache "
                + "\(mebibytes(footprint.cache)), computing \(mebibytes(footprint.buffers)), the program "
                + "\(mebibytes(Footprint.reserve)); \(footprint.isSimulated ? "libllama’s figures" : "reckoned")"
            let shape =
                "a context of \(plan.contextLength) tokens; \(plan.sequences) requests at once, \(plan.cells) tokens together, in \(plan.cacheType.rawValue)"
            let given = plan.sacrifices.map(\.text)
            return [
                given.isEmpty
                    ? .ok("plan", shape)
                    : .warning("plan", "\(shape); for want of memory \(given.joined(separator: ", "))"),
                .ok("takes", figures),
            ]
        }
    }

    private func threads(_ choice: ThreadChoice?) -> [Finding] {
        guard let choice else { return [] }
        let count = choice.most == 1 ? "1" : "\(choice.most)"
        let reason =
            switch choice.reason {
            case .asked: "as asked"
            case .smallModel: "the model is too small for more to pay"
            case .quota: "the control group grants no more"
            case .cores(let busy):
                busy == 0
                    ? "one for each core; fewer while others need them"
                    : "one for each core, \(choice.first) to begin with: \(busy) of the cores others have now"
            }
        return [.ok("threads", "\(count): \(reason)")]
    }

    private func mebibytes(_ bytes: UInt64) -> UInt64 { (bytes + (1 << 20) - 1) >> 20 }
}

extension MachinePlan.Sacrifice {
    /// What was done for want of memory, as in "for want of memory …".
    var text: String {
        switch self {
        case .length(let wanted): "the context is shorter than \(wanted) tokens"
        case .cacheType: "the cache has eight bits a value"
        case .sequences(let wanted): "fewer than \(wanted) requests are answered at once"
        }
    }
}
