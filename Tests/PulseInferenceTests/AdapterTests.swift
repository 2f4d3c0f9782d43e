import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseInference

/// A LoRA adapter beside a model: it changes what is written, counts in the plan, and is refused where it is none.
@Suite(.timeLimit(.minutes(10))) struct AdapterTests {
    private let folder: TemporaryFolder
    private var options: EngineOptions

    init() throws {
        folder = try TemporaryFolder()
        options = EngineOptions(modelPath: try folder.write(FixtureModel().data(), to: "model.gguf"), threads: 1)
    }

    private func engine(_ adapter: Data?, on machine: Machine = Machine()) async throws -> Engine {
        var options = options
        options.adapterPath = try adapter.map { try folder.write($0, to: "adapter.gguf") }
        return try await Engine.load(options, machine: machine, now: Fixture.clock)
    }

    private func adapter(_ adjust: (inout FixtureAdapter) -> Void) -> Data {
        var adapter = FixtureAdapter()
        adjust(&adapter)
        return adapter.data()
    }

    private func text(_ adapter: Data?) async throws -> String {
        try await engine(adapter).answer(to: Fixture.request("Say something.")).text
    }

    @Test func itChangesWhatIsWritten() async throws {
        let plain = try await text(nil)
        #expect(try await text(adapter { $0.strength = 0 }) == plain)
        #expect(try await text(adapter { $0.strength = 1 }) != plain)
    }

    @Test func thePlanCountsIt() async throws {
        let data = adapter { $0.strength = 1 }
        let budgets: [MemoryBudget] = [.current(), MemoryBudget()]
        for budget in budgets {
            var machine = Machine()
            machine.budget = { budget }
            let plain = try #require(try await engine(nil, on: machine).model.plan?.footprint)
            let adapted = try #require(try await engine(data, on: machine).model.plan?.footprint)
            #expect(adapted.weights == plain.weights + UInt64(data.count))
        }
    }

    @Test(arguments: ["cut", "foreign", "a model", "another architecture", "another shape", "half a pair", "no alpha"])
    func whatIsNoneIsRefused(damage: String) async throws {
        let whole = FixtureAdapter()
        let data =
            switch damage {
            case "cut": whole.data().dropLast(1000)
            case "foreign": Data("neither of the two".utf8)
            case "a model": FixtureModel().data()
            case "another architecture": whole.data { $0.set("general.architecture", .string("gemma3")) }
            case "another shape": adapter { $0.model.width = 128 }
            case "half a pair": whole.data { $0.tensors.removeLast() }
            default: whole.data { $0.set("adapter.lora.alpha", .string("2")) }
            }
        let error = await #expect(throws: PulseError.self) { try await engine(data) }
        #expect(error?.code == .unavailable && error?.hint != nil, "\(String(describing: error))")
    }
}
