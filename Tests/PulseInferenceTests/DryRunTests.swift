import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseInference

/// The library's own figures, before any weights are read.
@Suite(.timeLimit(.minutes(20))) struct DryRunTests {
    @Test func linesOfTheLog() {
        let lines = BufferLines([
            "llama_context:        CPU  output buffer size =     0.25 MiB\n",
            "llama_kv_cache:        CPU KV buffer size =     0.00 MiB\n",
            "llama_kv_cache: size =   32.00 MiB (  2048 cells,  16 layers,  1/1 seqs), K (f16):   16.00 MiB\n",
            "llama_kv_cache: size =    0.50 MiB (   512 cells,   4 layers,  1/1 seqs), K (f16):    0.25 MiB\n",
            "sched_reserve:        CPU compute buffer size =    34.00 MiB\n",
        ])
        #expect(lines.cache == 32 << 20 | 1 << 19)
        #expect(lines.buffers == 34 << 20 | 1 << 18)
    }

    @Test(arguments: [[], ["llama_kv_cache: size = lots MiB ("], ["x: size = 3 KiB"], ["compute buffer size = "]])
    func linesThatSayNothing(lines: [String]) {
        #expect(BufferLines(lines).cache == nil && BufferLines(lines).buffers == nil)
    }

    /// The figures are those of the library, and they are those of the model's dimensions.
    @Test(arguments: CacheType.allCases) func theEmbeddedModel(type: CacheType) async throws {
        let path = Repository.nanoModel
        let machine = Machine(budget: { MemoryBudget() })
        let thread = PinnedThread()
        let options = EngineOptions(modelPath: path, contextLength: 512, cells: 2048, cacheType: type, threads: 1)
        let (plan, size, estimate) = try await thread.run { () throws -> (MachinePlan, UInt64, UInt64) in
            LlamaLibrary.start(logsToStandardError: false)
            let file = try ModelFile(path: path)
            let plan = try machine.plan(options, file: file, adapter: nil)
            let model = try Model(path: path, reading: .simulated)
            return (plan, file.size, model.cacheSize(plan.shape))
        }
        #expect(plan.footprint.isSimulated)
        #expect(plan.cells == 2048 && plan.cacheType == type)
        // The log rounds to a hundredth of a MiB.
        #expect(abs(Double(plan.footprint.cache) - Double(estimate)) < 11_000)
        #expect(plan.footprint.weights > 0 && plan.footprint.weights <= size)
        #expect(plan.footprint.buffers > 0)
    }

    /// Of its layers' sizes one file says too little, so the processor keeps them, and the reader is told.
    @Test func aModelInSeveralFilesKeepsItsLayersHere() async throws {
        let folder = try TemporaryFolder()
        func part(_ number: Int) -> Data {
            FixtureModel().data { writer in
                let all = writer.tensors.count
                writer.tensors = Array(number == 0 ? writer.tensors.prefix(3) : writer.tensors.dropFirst(3))
                writer.metadata += [
                    ("split.no", .uint16(UInt16(number))), ("split.count", .uint16(2)),
                    ("split.tensors.count", .int32(Int32(all))),
                ]
            }
        }
        let path = try folder.write(part(0), to: "x-00001-of-00002.gguf")
        try folder.write(part(1), to: "x-00002-of-00002.gguf")
        #expect(try await Engine.load(EngineOptions(modelPath: path, threads: 1)).model.plan?.deviceFault == nil)
        let device = ComputeDevice(name: "a", description: "", free: 1 << 40, server: nil, sharesMemory: false)
        let plan = try await PinnedThread().run {
            let options = EngineOptions(modelPath: path, threads: 1)
            return try Machine().plan(options, file: try ModelFile(path: path), adapter: nil, devices: [device])
        }
        #expect(plan.footprint.placement == nil && plan.deviceFault?.contains("in one file") == true)
    }

    /// Its heads are narrower than a block of eight-bit values.
    @Test func aFormThatTheModelCannotHaveIsNotChosen() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fixture.gguf")
        try FixtureModel.write(to: path)
        try await fails(.tryAgain, "cannot open a context") {
            try await Engine.load(EngineOptions(modelPath: path, cacheType: .q8_0, threads: 1))
        }
    }

    @Test func aMachineTooSmallIsToldBeforeTheWeightsAreRead() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fixture.gguf")
        try FixtureModel.write(to: path)
        try await fails(.tryAgain, "and the machine has 1 MiB") {
            try await Engine.load(
                EngineOptions(modelPath: path, threads: 1), progress: { _ in Issue.record("weights are read") },
                machine: Machine(budget: { MemoryBudget(machine: 1 << 20) }), now: Fixture.clock)
        }
    }

    /// Where memory is plentiful, nobody waits for a dry run, and what could be needed is not underestimated.
    @Test(arguments: FixtureModel.Architecture.allCases)
    func muchMemoryNeedsNoDryRun(kind: FixtureModel.Architecture) async throws {
        func plan(_ memory: UInt64?) async throws -> MachinePlan {
            let machine = Machine(budget: { MemoryBudget(machine: memory) })
            return try #require(
                try await Fixture.engine(machine: machine) {
                    $0.architecture = kind
                    $0.layers = 4
                }.model.plan)
        }
        let (roomy, exact) = (try await plan(64 << 30), try await plan(nil))
        #expect(!roomy.footprint.isSimulated && exact.footprint.isSimulated)
        #expect(roomy.shape == exact.shape && roomy.concessions.isEmpty)
        #expect(roomy.footprint.cache * 10 >= exact.footprint.cache * 9)
        #expect(roomy.footprint.weights >= exact.footprint.weights)
        #expect(2 * roomy.footprint.memory > exact.footprint.memory)
        let tight = try await plan(exact.footprint.memory + 1)
        #expect(tight.footprint.isSimulated && tight.concessions.isEmpty)
    }

    /// A cache of 2^63 bytes, by the file's own numbers.
    @Test func impossibleDimensionsArePlannedByADryRun() throws {
        let sizes: [String: UInt32] = [
            "llama.block_count": 4096, "llama.embedding_length": 1 << 20, "llama.attention.head_count": 1,
            "llama.attention.head_count_kv": 65_536,
        ]
        let data = FixtureModel().data { writer in
            for (key, size) in sizes { writer.set(key, .uint32(size)) }
        }
        let folder = try TemporaryFolder()
        let path = try folder.write(data, to: "model.gguf")
        let file = try ModelFile(path: path)
        let machine = Machine(budget: { MemoryBudget(machine: 1 << 40) })
        #expect(machine.roomyPlan(EngineOptions(modelPath: path), file: file, adapter: nil) == nil)
    }

    @Test func theContextIsThePlans() async throws {
        let roomy = try await Fixture.engine(machine: Machine(budget: { MemoryBudget() }))
        let plan = try #require(roomy.model.plan)
        #expect(plan.concessions.isEmpty && roomy.model.contextLength == plan.contextLength)
        let budget = MemoryBudget(machine: plan.footprint.memory - 1)
        let tight = try await Fixture.engine(machine: Machine(budget: { budget }))
        #expect(tight.model.plan?.concessions.isEmpty == false)
    }
}
