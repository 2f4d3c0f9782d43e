import PulseInference
import Testing

@testable import PulseCommands

/// Sections are shown in order, whatever order they are written in.
struct OrderedEventsTests {
    private static func end(_ text: String) -> GenerationEvent {
        .finished(
            Completion(
                text: text, promptTokens: 1, outputTokens: 1, promptTime: .zero, outputTime: .zero, finish: .endOfText))
    }

    private static func lines(_ events: [(index: Int, event: GenerationEvent)]) -> [String] {
        events.map { index, event in
            switch event {
            case .reading(let tokens, let all): "\(index) reads \(tokens) of \(all)"
            case .text(let text): "\(index) writes \(text)"
            case .finished(let completion): "\(index) ends \(completion.text)"
            }
        }
    }

    @Test func theFirstPassesLiveAndTheOthersWait() {
        var ordered = OrderedEvents()
        #expect(Self.lines(ordered.add(.reading(tokens: 1, of: 2), of: 0)) == ["0 reads 1 of 2"])
        #expect(Self.lines(ordered.add(.text("a"), of: 0)) == ["0 writes a"])
        #expect(ordered.add(.reading(tokens: 2, of: 2), of: 1).isEmpty)
        #expect(ordered.add(.text("x"), of: 1).isEmpty)
        #expect(ordered.add(.text("y"), of: 1).isEmpty)
        #expect(Self.lines(ordered.add(.text("b"), of: 0)) == ["0 writes b"])
        #expect(Self.lines(ordered.add(Self.end("ab"), of: 0)) == ["0 ends ab", "1 writes xy"])
        // From here on it is live.
        #expect(Self.lines(ordered.add(.text("z"), of: 1)) == ["1 writes z"])
        #expect(Self.lines(ordered.add(Self.end("xyz"), of: 1)) == ["1 ends xyz"])
    }

    @Test func severalThatFinishedEarlyFollowAtOnce() {
        var ordered = OrderedEvents()
        for index in [2, 1] {
            #expect(ordered.add(.text("t"), of: index).isEmpty)
            #expect(ordered.add(Self.end("t"), of: index).isEmpty)
        }
        #expect(ordered.add(.reading(tokens: 3, of: 9), of: 3).isEmpty)
        #expect(ordered.add(.reading(tokens: 4, of: 9), of: 3).isEmpty)
        #expect(
            Self.lines(ordered.add(Self.end("e"), of: 0)) == [
                "0 ends e", "1 writes t", "1 ends t", "2 writes t", "2 ends t", "3 reads 4 of 9",
            ])
        #expect(ordered.finishedAhead().isEmpty)
    }

    @Test func anEmptyTextStillEnds() {
        var ordered = OrderedEvents()
        #expect(ordered.add(Self.end(""), of: 1).isEmpty)
        #expect(Self.lines(ordered.add(Self.end("e"), of: 0)) == ["0 ends e", "1 ends "])
    }

    @Test func whatIsFinishedAheadCanBeSavedWhereTheWorkEndsEarly() {
        var ordered = OrderedEvents()
        _ = ordered.add(.text("begun"), of: 0)
        _ = ordered.add(.text("half"), of: 1)
        for index in [3, 2] {
            _ = ordered.add(.text("whole"), of: index)
            _ = ordered.add(Self.end("whole"), of: index)
        }
        #expect(
            Self.lines(ordered.finishedAhead()) == ["2 writes whole", "2 ends whole", "3 writes whole", "3 ends whole"])
        #expect(ordered.finishedAhead().isEmpty)
    }

    @Test func everyOrderOfThreeGivesTheSameText() {
        // All interleavings of three requests of three events each.
        let events: [[GenerationEvent]] = (0..<3).map { [.text("\($0)a"), .text("\($0)b"), Self.end("\($0)ab")] }
        var seen = 0
        func walk(_ next: [Int], _ ordered: OrderedEvents, _ shown: String) {
            if next == [3, 3, 3] {
                seen += 1
                #expect(shown == "0a0b.1a1b.2a2b.")
            }
            for index in next.indices where next[index] < 3 {
                var ordered = ordered
                let passed = ordered.add(events[index][next[index]], of: index)
                let text = passed.map { entry in
                    switch entry.event {
                    case .text(let text): text
                    case .finished: "."
                    case .reading: ""
                    }
                }
                var after = next
                after[index] += 1
                walk(after, ordered, shown + text.joined())
            }
        }
        walk([0, 0, 0], OrderedEvents(), "")
        #expect(seen == 1680)
    }
}
