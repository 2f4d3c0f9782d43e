import PulseTestSupport
import Testing

@testable import PulseInference

extension CellTable {
    fileprivate func placement(for prompt: [Int32], total: Int) -> Placement? {
        placement(for: prompt, total: total, maxRewindableLength: .max)
    }

    fileprivate func holds(_ tokens: [Int32], in sequence: Int) -> Bool {
        count(of: sequence) == tokens.count && sharedPrefix(of: tokens, with: sequence) == tokens.count
    }
}

/// Which tokens stand in which cells, and which requests are admitted.
@Suite(.timeLimit(.minutes(20))) struct CellTableTests {
    @Test func sharedCellsCountOnce() {
        var table = CellTable(cells: 100, sequences: 3)
        table.append([1, 2, 3, 4], to: 0)
        table.share(3, of: 0, with: 1)
        table.append([9], to: 1)
        table.share(4, of: 1, with: 2)
        #expect(table.used == 5)
        #expect(table.holds([1, 2, 3, 9], in: 2))
        table.truncate(0, to: 0)
        #expect(table.used == 4)
        table.truncate(1, to: 2)
        #expect(table.used == 4)
        table.truncate(2, to: 1)
        #expect(table.used == 2)
        table.truncate(2, to: 0)
        table.truncate(1, to: 0)
        #expect(table.used == 0)
    }

    @Test func lastTokenIsAlwaysReadAgain() throws {
        var table = CellTable(cells: 100, sequences: 1)
        table.append([1, 2, 3], to: 0)
        #expect(try #require(table.placement(for: [1, 2, 3], total: 5)).shared == 2)
        #expect(try #require(table.placement(for: [1, 2, 3, 4], total: 5)).shared == 3)
        #expect(try #require(table.placement(for: [7], total: 5)).shared == 0)
        #expect(try #require(table.placement(for: [1, 2, 3, 4], total: 5, maxRewindableLength: 5)).shared == 3)
        // Either of the two would outgrow it.
        #expect(try #require(table.placement(for: [1, 2, 3, 4], total: 5, maxRewindableLength: 4)).shared == 0)
        #expect(try #require(table.placement(for: [1, 2], total: 2, maxRewindableLength: 2)).shared == 0)
    }

    @Test func thePrefixComesFromTheSequenceThatHasMostOfIt() throws {
        var table = CellTable(cells: 100, sequences: 3)
        table.append([1, 2], to: 0)
        table.append([1, 2, 3, 4, 5], to: 1)
        table.occupy(1, total: 10)
        // Sequence 1 is at work, so its prefix is shared with the empty one, and sequence 0 keeps what it has.
        #expect(
            table.placement(for: [1, 2, 3, 4, 9], total: 8) == .init(sequence: 2, source: 1, shared: 4, evicted: []))
        // Sequence 0 has as much of it as any, and is free.
        #expect(table.placement(for: [1, 2, 8], total: 8) == .init(sequence: 0, source: 0, shared: 2, evicted: []))
    }

    @Test func noRequestIsAdmittedThatCouldNotBeFinished() {
        var table = CellTable(cells: 20, sequences: 3)
        table.occupy(0, total: 12)
        table.append([1, 2, 3], to: 0)
        #expect(table.placement(for: [5, 6], total: 9) == nil)
        #expect(table.placement(for: [5, 6], total: 8)?.sequence == 1)
        // Two tokens are there already.
        #expect(table.placement(for: [1, 2, 6], total: 10)?.shared == 2)
        table.occupy(1, total: 4)
        table.occupy(2, total: 4)
        #expect(table.placement(for: [5], total: 1) == nil)
    }

    @Test func freeSequencesAreEvictedOnlyAsFarAsCellsAreNeeded() {
        var table = CellTable(cells: 20, sequences: 4)
        for sequence in 0..<3 { table.append(Array(repeating: .init(sequence), count: 5), to: sequence) }
        #expect(table.placement(for: [9], total: 5)?.evicted == [])
        #expect(table.placement(for: [9], total: 8)?.evicted == [0])
        #expect(table.placement(for: [9], total: 20)?.evicted == [0, 1, 2])
        table.occupy(3, total: 10)
        #expect(table.placement(for: [9], total: 11) == nil)
    }

    /// Random requests come and go: none is admitted that could run out of cells, and all are admitted in the end.
    @Test(arguments: 1...20) func cellsAlwaysSuffice(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let cells = Int.random(in: 20...60, using: &random)
        var table = CellTable(cells: cells, sequences: Int.random(in: 1...5, using: &random))
        var waiting = (0..<30).map { _ -> (prompt: [Int32], total: Int) in
            let prompt = (0..<Int.random(in: 1...15, using: &random)).map { _ in Int32.random(in: 0...1, using: &random)
            }
            return (prompt, min(cells, prompt.count + Int.random(in: 0...20, using: &random)))
        }
        var running: [(sequence: Int, left: Int)] = []
        var finished = 0
        while !waiting.isEmpty || !running.isEmpty {
            if let next = waiting.first, let placement = table.placement(for: next.prompt, total: next.total) {
                waiting.removeFirst()
                let isFree = !running.contains { $0.sequence == placement.sequence }
                table.apply(placement, total: next.total)
                #expect(table.holds(Array(next.prompt.prefix(placement.shared)), in: placement.sequence))
                #expect(isFree)
                table.append(Array(next.prompt.dropFirst(placement.shared)), to: placement.sequence)
                running.append((placement.sequence, next.total - next.prompt.count))
            } else {
                let index = try #require(running.indices.randomElement(using: &random))
                if running[index].left > 0 {
                    table.append([7], to: running[index].sequence)
                    running[index].left -= 1
                } else {
                    table.release(running.remove(at: index).sequence)
                    finished += 1
                }
            }
            #expect(table.used <= cells)
        }
        #expect(finished == 30)
    }
}
