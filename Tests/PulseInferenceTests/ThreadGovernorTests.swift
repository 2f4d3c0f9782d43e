import Testing

@testable import PulseInference

/// How many threads compute, by made-up measurements.
@Suite(.timeLimit(.minutes(20))) struct ThreadGovernorTests {
    /// A machine of some cores, of which others take some; a computation of one thread takes so long.
    private struct Bench {
        var governor: ThreadGovernor
        let cores: Double
        var time = Duration.zero
        var work = 0.0
        /// The number of threads of each computation.
        var threads: [Int] = []

        init(most: Int, first: Int? = nil, cores: Int) {
            governor = ThreadGovernor(most: most, first: first)
            self.cores = Double(cores)
        }

        /// Computes for some time while others take so many cores. Starved threads are ten times slower.
        mutating func compute(for duration: Duration, others: Double, step: Duration = .milliseconds(20)) {
            let end = time + duration
            while time < end {
                let count = Double(governor.threads)
                let running = min(count, max(1, cores - others))
                let isStarved = running < count - 0.1
                let wall = step / count * (isStarved ? 10 : 1)
                threads.append(governor.threads)
                governor.note(wall: wall, processor: wall * running)
                time += wall
                work += 1
            }
        }
    }

    @Test func aQuietMachineKeepsAll() {
        var bench = Bench(most: 2, cores: 2)
        bench.compute(for: .seconds(60), others: 0.1)
        #expect(bench.threads.allSatisfy { $0 == 2 })
    }

    @Test func aBusyCoreIsLeftToOthersAtOnce() {
        var bench = Bench(most: 2, cores: 2)
        bench.compute(for: .seconds(1), others: 0)
        bench.compute(for: .milliseconds(200), others: 1)
        #expect(bench.governor.threads == 1)
    }

    /// Half of the quiet speed is what one of two cores gives; trying for the other costs less than a tenth of it.
    @Test func besideABusyProcessHalfIsKept() {
        var quiet = Bench(most: 2, cores: 2)
        var busy = quiet
        quiet.compute(for: .seconds(60), others: 0)
        busy.compute(for: .seconds(60), others: 1)
        #expect(busy.work > 0.45 * quiet.work)
    }

    @Test func itIsTakenBackWhenThereIsRoomAgain() {
        var bench = Bench(most: 2, cores: 2)
        bench.compute(for: .seconds(60), others: 1)
        #expect(bench.governor.threads == 1)
        bench.compute(for: .seconds(20), others: 0)
        #expect(bench.governor.threads == 2)
    }

    @Test func oneOfEightIsGivenUpNotSeven() {
        var bench = Bench(most: 8, cores: 8)
        bench.compute(for: .seconds(1), others: 1)
        #expect(bench.governor.threads == 7)
        bench.compute(for: .seconds(1), others: 5)
        #expect(bench.governor.threads == 3)
        bench.compute(for: .seconds(60), others: 0)
        #expect(bench.governor.threads == 8)
    }

    @Test func neverLessThanOneNorMoreThanAllowed() {
        var bench = Bench(most: 2, first: 5, cores: 1)
        #expect(bench.governor.threads == 2)
        bench.compute(for: .seconds(30), others: 3)
        #expect(bench.threads.allSatisfy { (1...2).contains($0) })
        var alone = Bench(most: 0, cores: 1)
        alone.compute(for: .seconds(30), others: 3)
        #expect(alone.threads.allSatisfy { $0 == 1 })
    }

    @Test func aStartBelowTheMostGrowsOnAQuietMachine() {
        var bench = Bench(most: 4, first: 1, cores: 4)
        bench.compute(for: .seconds(3), others: 0)
        #expect(bench.governor.threads == 4)
    }

    /// One computation may take seconds: a try that failed is not repeated before twenty times as long.
    @Test func triesOfSlowModelsAreRare() {
        var bench = Bench(most: 2, cores: 2)
        bench.compute(for: .seconds(600), others: 1, step: .seconds(1))
        let tries = bench.threads.count { $0 == 2 }
        #expect(tries <= 8, "\(tries)")
    }

    // MARK: - The start

    @Test func choices() {
        let large = ThreadChoice.smallModel
        func choice(_ processors: Processors, asked: Int? = nil, size: UInt64 = large) -> ThreadChoice {
            ThreadChoice(asked: asked, modelSize: size, processors: processors)
        }
        let four = Processors(cores: 4)
        #expect(choice(four) == ThreadChoice(most: 4, first: 4, isFixed: false, reason: .cores(busy: 0)))
        #expect(
            choice(Processors(cores: 4, busy: 1))
                == ThreadChoice(most: 4, first: 3, isFixed: false, reason: .cores(busy: 1)))
        #expect(choice(Processors(cores: 4, busy: 9)).first == 1)
        #expect(
            choice(Processors(cores: 4, quota: 2.5, busy: 1))
                == ThreadChoice(most: 2, first: 2, isFixed: false, reason: .quota))
        #expect(choice(Processors(cores: 4, quota: 0.5)).most == 1)
        #expect(choice(four, size: large - 1).most == 1 && choice(four, size: large - 1).reason == .smallModel)
        #expect(choice(four, asked: 9) == .fixed(9) && ThreadChoice.fixed(9).isFixed)
    }

    /// Waiting for another device looks like being kept from running: then the number stays that of the start.
    @Test func withLayersElsewhereTheNumberStays() {
        let choice = ThreadChoice(most: 4, first: 3, isFixed: false, reason: .cores(busy: 1))
        let device = ComputeDevice(name: "a", description: "", free: 1 << 30, server: nil, sharesMemory: false)
        func placement(layers: Int) -> Placement {
            Placement(LayerSizes(blocks: [8, 8], output: 8), cache: 0, buffers: 0, on: [device], asked: layers)
        }
        let stays = ThreadChoice(most: 3, first: 3, isFixed: true, reason: .cores(busy: 1))
        #expect(choice.beside(placement(layers: 1)) == stays)
        #expect(choice.beside(placement(layers: 0)) == choice && choice.beside(nil) == choice)
    }
}
