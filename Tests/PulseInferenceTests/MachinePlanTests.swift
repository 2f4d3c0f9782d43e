import PulseCore
import PulseTestSupport
import Testing

@testable import PulseInference

/// The plan is a pure value of what a shape takes and what there is.
@Suite(.timeLimit(.minutes(20))) struct MachinePlanTests {
    /// 100 MiB of weights, 10 KiB a cell of 16-bit floats, 5 of the other kind, 20 MiB to compute with.
    private static func footprint(_ shape: ContextShape) -> Footprint {
        let cell: UInt64 = shape.cacheType == .f16 ? 10_240 : 5_120
        return Footprint(weights: 100 << 20, cache: UInt64(shape.cells) * cell, buffers: 20 << 20)
    }

    private static func request(
        _ asked: Int? = nil, trained: Int = 4096, sequences: Int = EngineOptions.defaultSequences, cells: Int? = nil,
        type: CacheType? = nil
    ) -> ContextRequest {
        ContextRequest(
            EngineOptions(
                modelPath: "", contextLength: asked, sequences: sequences, cells: cells, cacheType: type),
            trainedLength: trained)
    }

    private static func plan(_ request: ContextRequest, _ budget: MemoryBudget) throws -> MachinePlan {
        try MachinePlan(request, budget: budget, measure: footprint)
    }

    /// Without the cache: weights, buffers and the reserve.
    private static let fixed: UInt64 = (100 + 20 + 64) << 20

    private static func mebibytes(_ count: UInt64) -> MemoryBudget { MemoryBudget(machine: count << 20) }

    @Test func withoutAnyLimitEverythingIsHad() throws {
        let plan = try Self.plan(Self.request(), MemoryBudget())
        #expect(plan.shape == ContextShape(length: 4096, cells: 8192, sequences: 16, cacheType: .f16))
        #expect(plan.concessions.isEmpty)
        #expect(plan.footprint.memory == Self.fixed + 8192 * 10_240)
    }

    /// The order: sequences, then the cache's form (and sequences again), then the length.
    @Test(
        arguments: [
            (264, 4096, 8192, 16, CacheType.f16, []),
            (263, 4096, 4096, 8, .f16, [MachinePlan.Concession.sequences(of: 16)]),
            (224, 4096, 4096, 8, .f16, [.sequences(of: 16)]),
            (223, 4096, 4096, 8, .q8_0, [.cacheType, .sequences(of: 16)]),
            (204, 4096, 4096, 8, .q8_0, [.cacheType, .sequences(of: 16)]),
            (203, 2048, 2048, 4, .q8_0, [.length(of: 4096), .cacheType, .sequences(of: 16)]),
            (193, 1024, 1024, 2, .q8_0, [.length(of: 4096), .cacheType, .sequences(of: 16)]),
            (189, 1024, 1024, 2, .q8_0, [.length(of: 4096), .cacheType, .sequences(of: 16)]),
        ] as [(UInt64, Int, Int, Int, CacheType, [MachinePlan.Concession])])
    func whatIsGivenUp(
        mebibytes: UInt64, length: Int, cells: Int, sequences: Int, type: CacheType, given: [MachinePlan.Concession]
    ) throws {
        let plan = try Self.plan(Self.request(), Self.mebibytes(mebibytes))
        #expect(plan.shape == ContextShape(length: length, cells: cells, sequences: sequences, cacheType: type))
        #expect(plan.concessions == given)
    }

    /// 8192 cells of 8 bits are 40 MiB, as 4096 of 16 bits are: words go before articles, but time before words.
    @Test func eightBitsSaveTheLength() throws {
        let plan = try Self.plan(Self.request(trained: 8192), Self.mebibytes(230))
        #expect(plan.shape == ContextShape(length: 8192, sequences: 16, cacheType: .q8_0))
        #expect(plan.concessions == [.cacheType])
    }

    /// 30 MiB for the encoder: sequences, the cache's form and the length are given up for it, and it for the model.
    @Test(
        arguments: [
            (294, 4096, []), (254, 4096, [.sequences(of: 16)]),
            (219, 1024, [.length(of: 4096), .cacheType, .sequences(of: 16)]),
            (218, 4096, [.encoder, .cacheType, .sequences(of: 16)]),
            (189, 1024, [.encoder, .length(of: 4096), .cacheType, .sequences(of: 16)]),
        ] as [(UInt64, Int, [MachinePlan.Concession])])
    func theEncoderIsPlannedWithTheModel(mebibytes: UInt64, length: Int, given: [MachinePlan.Concession]) throws {
        let plan = try MachinePlan(
            Self.request(), budget: Self.mebibytes(mebibytes), encoder: 30 << 20, measure: Self.footprint)
        #expect(plan.contextLength == length && plan.concessions == given)
        #expect(plan.footprint.encoder == (given.contains(.encoder) ? 0 : 30 << 20))
        #expect(plan.footprint.memory <= mebibytes << 20)
        #expect(throws: PulseError.self) {
            try MachinePlan(Self.request(), budget: Self.mebibytes(188), encoder: 30 << 20, measure: Self.footprint)
        }
    }

    @Test(arguments: 0...300 as ClosedRange<UInt64>)
    func whatIsPlannedFitsAndMoreMemoryNeverGivesLess(mebibytes: UInt64) throws {
        let budget = Self.mebibytes(mebibytes)
        guard let plan = try? Self.plan(Self.request(), budget) else {
            #expect(mebibytes < 189)
            return
        }
        #expect(plan.footprint.memory <= mebibytes << 20)
        let next = try Self.plan(Self.request(), Self.mebibytes(mebibytes + 1))
        #expect(next.contextLength >= plan.contextLength)
    }

    @Test func aGroupSmallerThanTheMachine() throws {
        let budget = MemoryBudget(machine: 64 << 30, group: 223 << 20)
        #expect(try Self.plan(Self.request(), budget).cacheType == .q8_0)
        let error = try fails(.tryAgain) {
            try Self.plan(Self.request(), MemoryBudget(machine: 64 << 30, group: 180 << 20))
        }
        #expect(
            error.description
                == "There is too little memory for this model: it takes 189 MiB (the weights 100, a context of 1024 tokens 5, computing 20, the rest for the program), and the limit of the control group leaves 180 MiB. Raise the limit by 9 MiB, or choose a smaller model."
        )
    }

    @Test func tooLittleForAnything() throws {
        try fails(
            .tryAgain, "and the machine has 188 MiB. Close something that takes 1 MiB, or choose a smaller model."
        ) { try Self.plan(Self.request(), Self.mebibytes(188)) }
        #expect(throws: PulseError.self) { try Self.plan(Self.request(), Self.mebibytes(0)) }
    }

    @Test func aLengthThatWasAskedForIsThatOrNone() throws {
        #expect(try Self.plan(Self.request(4096), Self.mebibytes(204)).contextLength == 4096)
        let error = try fails(.tryAgain, "a context of 4096 tokens 20") {
            try Self.plan(Self.request(4096), Self.mebibytes(203))
        }
        #expect(error.hint == "A context of 2048 tokens would fit; or make room for 1 MiB more.")
        // Not more than the model was made for, whatever was asked.
        #expect(try Self.plan(Self.request(100_000), MemoryBudget()).contextLength == 4096)
        // A short one may be asked for; none is chosen.
        #expect(
            try Self.plan(Self.request(300, sequences: 1), MemoryBudget()).shape
                == ContextShape(length: 300, cells: 512))
    }

    @Test func aFormThatWasAskedForStays() throws {
        #expect(throws: PulseError.self) { try Self.plan(Self.request(4096, type: .f16), Self.mebibytes(223)) }
        #expect(try Self.plan(Self.request(type: .f16), Self.mebibytes(223)).contextLength == 2048)
    }

    @Test func shapesThatTheLibraryCannotOpenAreSkipped() throws {
        let plan = try MachinePlan(Self.request(), budget: Self.mebibytes(223)) { shape in
            shape.cacheType == .f16 ? Self.footprint(shape) : nil
        }
        #expect(plan.shape == ContextShape(length: 2048, cells: 2048, sequences: 4))
        try fails(.tryAgain, "cannot open a context of 4096 tokens") {
            try MachinePlan(Self.request(), budget: MemoryBudget()) { _ in nil }
        }
    }

    @Test func shapesToTry() {
        #expect(Self.request(trained: 0).length == EngineOptions.defaultContextLimit)
        #expect(Self.request(trained: 131_072).length == EngineOptions.defaultContextLimit)
        #expect(Self.request(trained: 512).shapes.map(\.length).allSatisfy { $0 == 512 })
        // A sequence that brings no cells with it costs nothing, so none is given up.
        #expect(Self.request(trained: 8192).shapes.allSatisfy { $0.length < 8192 || $0.sequences == 16 })
        #expect(Self.request(cells: 5000).shapes.first?.cells == 5000)
        #expect(Set(Self.request().shapes).count == Self.request().shapes.count)
    }
}
