/// The machine as the engine asks about it. The tests hand in one of their own.
struct Machine: Sendable {
    var budget: @Sendable () -> MemoryBudget = { MemoryBudget.current() }
    var processors: @Sendable () -> Processors = { Processors.current() }
    var pressure: @Sendable () -> PressureSample = { PressureSample.current() }

    /// What is loaded of the model, and how.
    func plan(
        _ options: EngineOptions, file: ModelFile, threads: ThreadChoice, recorder: CallRecorder?
    ) throws(EngineError) -> MachinePlan {
        let run = try DryRun(file, threads: threads.most, recorder: recorder)
        let wish = ContextWish(options, trainedLength: run.trainedLength)
        return try MachinePlan(wish, budget: budget()) { run.footprint($0) }
    }

    func threads(_ options: EngineOptions, file: ModelFile) -> ThreadChoice {
        ThreadChoice(asked: options.threads, modelSize: file.size, processors: processors())
    }

    /// Opens a model's file, where the address space has room to map it.
    func open(_ path: String) throws(EngineError) -> ModelFile {
        if let size = ModelFile.size(path), let left = budget().addressSpace,
            size + Footprint.reserve > left
        {
            throw TooLittleMemory.toMap(size, left: left)
        }
        return try ModelFile(path: path)
    }
}
