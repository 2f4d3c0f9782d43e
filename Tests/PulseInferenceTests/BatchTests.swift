import PulseCore
import PulseInference
import PulseTestSupport
import Testing

/// Many requests in one batch: the texts are those of one at a time.
@Suite(.timeLimit(.minutes(20))) struct BatchTests {
    /// Texts of very different lengths that share a prefix.
    private static let requests: [GenerationRequest] = [3, 400, 40, 0, 900, 12, 150, 7, 60, 300].enumerated().map {
        number, words in
        let text = String(repeating: "word\(number) and more; ", count: words / 5)
        return Fixture.request("Tell of this: \(text)", tokens: 10 + number * 7 % 40)
    }

    private func alone(_ request: GenerationRequest) async throws -> Completion {
        try await Fixture.engine(sequences: 1).answer(to: request)
    }

    private func together(
        _ requests: [GenerationRequest], sequences: Int, cells: Int? = nil, seed: UInt64 = 7, window: Int? = nil
    ) async throws -> (completions: [Completion], log: EventLog) {
        let engine = try await Fixture.engine(sequences: sequences, cells: cells) {
            ($0.seed, $0.window) = (seed, window)
        }
        let log = EventLog()
        let completions = try await engine.generate(requests) { log.add($0, $1) }
        return (completions, log)
    }

    /// How many requests were at work at each event.
    private func working(_ log: EventLog) -> [Int] {
        var working: Set<Int> = []
        return log.all.map { entry in
            if entry.event.isFinished { working.remove(entry.request) } else { working.insert(entry.request) }
            return working.count
        }
    }

    /// Holds texts to those of one at a time. ggml computes a batch of another size, or cells in another order, in
    /// other steps, and a random model's favourites are often close: so each choice that was made in the batch is made
    /// again alone, where the model must like it best, or as well to within the arithmetic's last bits.
    private func expectSame(
        _ requests: [GenerationRequest], sequences: Int, cells: Int? = nil, seed: UInt64 = 7, window: Int? = nil
    ) async throws -> [Completion] {
        let choices = requests.map { _ in ChoiceLog() }
        let logged = zip(requests, choices).map { $0.choosing($1) }
        let (completions, log) = try await together(
            logged, sequences: sequences, cells: cells, seed: seed, window: window)
        #expect(completions.count == requests.count)
        expectOrder(log, completions)
        for (number, completion) in completions.enumerated() {
            let alone = try await Fixture.engine(sequences: 1) { ($0.seed, $0.window) = (seed, window) }
            let gaps = try await alone.gaps(of: completion, to: requests[number], by: choices[number])
            #expect(gaps.allSatisfy { $0 < Self.tie })
        }
        return completions
    }

    /// Measured: two computations of the same logits differ by 0.08 at most in a thousand choices; what stands in the
    /// wrong place changes them by several.
    private static let tie: Float = 0.3

    /// Each request's events are in order and make up its completion.
    private func expectOrder(_ log: EventLog, _ completions: [Completion]) {
        for (number, completion) in completions.enumerated() {
            let events = log.events(of: number)
            #expect(log.text(of: number) == completion.text)
            #expect(events.last == .finished(completion) && events.count { $0.isFinished } == 1)
            let firstText = events.firstIndex { $0.isText } ?? events.count
            #expect(!events[firstText...].contains { $0.isReading })
            #expect(log.readings(of: number).last == completion.promptTokens)
        }
    }

    // MARK: - The same texts

    @Test(arguments: [2, 3, 8, 16]) func textsAreThoseOfOneAtATime(sequences: Int) async throws {
        _ = try await expectSame(Self.requests, sequences: sequences)
    }

    @Test func greedyAndSampledMix() async throws {
        let requests = [
            Fixture.request("Hello", tokens: 40),
            Fixture.request("Good morning", tokens: 70),
            Fixture.request("Hello", tokens: 40, sampling: Sampling(temperature: 1, seed: 3)),
            Fixture.request("", tokens: 0),
        ]
        let (completions, log) = try await together(requests, sequences: 3)
        expectOrder(log, completions)
        #expect(completions.map(\.outputTokens).suffix(1) == [0])
        #expect(completions[2].draftedTokens == 0)
        _ = try await expectSame([requests[0], requests[1], requests[3]], sequences: 3)
    }

    // MARK: - Sequences

    @Test func sequencesPassOnAndNothingIsLost() async throws {
        let requests = (0..<12).map { Fixture.request("Number \($0)", tokens: 5 + $0 % 4) }
        let (completions, log) = try await together(requests, sequences: 2)
        #expect(completions.count == 12)
        expectOrder(log, completions)
        #expect(working(log).allSatisfy { $0 <= 2 })
    }

    /// Cells for one of these at a time, although there are eight sequences; and for more of them.
    @Test(arguments: [(512, true), (2048, false)])
    func requestsWaitWhereCellsAreFew(cells: Int, areApart: Bool) async throws {
        let long = String(repeating: "abcdefghij", count: 30)
        let requests = (0..<3).map { Fixture.request("\($0) \(long)", tokens: 60) }
        let engine = try await Fixture.engine(contextLength: 512, sequences: 8, cells: cells)
        let log = EventLog()
        let completions = try await engine.generate(requests) { log.add($0, $1) }
        expectOrder(log, completions)
        let order = log.all.map(\.request)
        #expect((order == order.sorted()) == areApart)
    }

    @Test func promptThatCanNeverFitIsToldBeforeAnythingIsWritten() async throws {
        let engine = try await Fixture.engine(contextLength: 256)
        let long = Fixture.request(String(repeating: "q", count: 400))
        let log = EventLog()
        try await fails(.usage, "The prompt has") {
            try await engine.generate([Fixture.request("a"), Fixture.request("b"), long]) { log.add($0, $1) }
        }
        #expect(log.all.isEmpty)
        _ = try await engine.answer(to: Fixture.request("a"))
    }

    @Test func firstAnswerBeginsBeforeTheSecondPromptIsRead() async throws {
        let long = String(repeating: "abcdefghij", count: 60)
        // A second of the first's length, so that reading it takes several batches.
        let tokens = try await answerTokens(String(repeating: "word ", count: 100))
        let requests = (1...2).map { number in
            var request = Fixture.request("\(number) \(long)", tokens: 90)
            // A token a step, and as many as are wanted.
            request.drafts = false
            request.chooser = { count, _, _ in tokens[count] }
            return request
        }
        let (_, log) = try await together(requests, sequences: 2)
        let second = try #require(log.all.firstIndex { $0.request == 1 })
        let first = try #require(log.all.firstIndex { $0.event.isText })
        #expect(first < second)
        let begun = try #require(log.all.firstIndex { $0.request == 1 && $0.event.isText })
        // While the second prompt is read, the first answer goes on: at least one piece for every two chunks.
        let meanwhile = log.all[second..<begun]
        let pieces = meanwhile.count { $0.request == 0 && $0.event.isText }
        let chunks = meanwhile.count { $0.request == 1 && $0.event.isReading }
        #expect(chunks >= 2 && pieces * 2 >= chunks)
    }

    /// The first is written alone, and of the others ever more at once; the texts stay the same.
    @Test func whoReadsAlongGetsTheAnswersInTheirOrder() async throws {
        let requests = (0..<20).map { Fixture.request("Number \($0)", tokens: 5 + $0 % 4) }
        let (plain, _) = try await together(requests, sequences: 16)
        let log = EventLog()
        let engine = try await Fixture.engine(sequences: 16)
        let completions = try await engine.generate(requests, isReadAlong: true) { log.add($0, $1) }
        expectOrder(log, completions)
        #expect(completions.map(\.outputTokens) == plain.map(\.outputTokens))
        let end = try #require(log.all.firstIndex { $0.event.isFinished })
        #expect(log.all[...end].allSatisfy { $0.request == 0 })
        #expect(working(log).max() ?? 0 > 1)
    }

    @Test func anAnswerEndsWhereNoMoreIsNeeded() async throws {
        let whole = try await together([Self.requests[0], Self.requests[5]], sequences: 2).completions
        let first = whole[0].text.prefix(whole[0].text.count / 2)
        var requests = [Self.requests[0], Self.requests[5]]
        let seen = EventLog()
        requests[0].isEnough = { piece in
            seen.add(0, .text(piece))
            return seen.text().hasPrefix(first)
        }
        let (completions, log) = try await together(requests, sequences: 2)
        expectOrder(log, completions)
        #expect(completions[0].finish == .enough)
        #expect(completions[0].outputTokens < whole[0].outputTokens)
        #expect(whole[0].text.hasPrefix(completions[0].text))
        #expect(completions[1].outputTokens == whole[1].outputTokens)
    }

    /// Also by a model that looks no further back than its window: what is shorter is shared all the same.
    @Test(arguments: [(20, nil, 300), (12, 512, 100)] as [(Int, Int?, Int)])
    func sharedPrefixesAreComputedOnce(length: Int, window: Int?, atLeast: Int) async throws {
        let prefix = String(repeating: "The same words again. ", count: length)
        let requests = (0..<4).map { Fixture.request(prefix + "Number \($0).", tokens: 8) }
        let (_, log) = try await together(requests, sequences: 4, window: window)
        #expect(log.readings(of: 0).first == 0)
        for number in 1..<4 { #expect(try #require(log.readings(of: number).first) > atLeast) }
        _ = try await expectSame(requests, sequences: 4, window: window)
    }

    /// Beside them some that outgrow the window: these share nothing, and nothing of theirs is taken for a prefix.
    @Test(arguments: [2, 3, 5]) func textsLongerThanASlidingWindowAreThoseOfOneAtATime(sequences: Int) async throws {
        let prefix = String(repeating: "The same words again. ", count: 4)
        let requests = [0, 30, 1, 30, 0, 2, 12, 0].enumerated().map { number, more in
            Fixture.request(
                prefix + String(repeating: "And \(number) more. ", count: more), tokens: number % 3 == 0 ? 200 : 20)
        }
        let completions = try await expectSame(requests, sequences: sequences, cells: 1024, window: 256)
        #expect(completions.contains { $0.promptTokens > 300 } && completions.contains { $0.promptTokens < 200 })
    }

    @Test func contextsOfAnySize() async throws {
        for length in [1, 2, 16, 33, 100] {
            let engine = try await Fixture.engine(contextLength: length, sequences: 8)
            try await fails(.usage, "prompt and answer together can have \(length)") {
                try await engine.answer(to: Fixture.request(String(repeating: "q", count: 100)))
            }
        }
    }

    // MARK: - Ending

    @Test func cancellingTheTaskEndsAllOfThem() async throws {
        let engine = try await Fixture.engine(sequences: 4)
        let log = EventLog()
        let requests = (0..<6).map { Fixture.request("Say \($0)", tokens: 200) }
        let task = Task {
            try await engine.generate(requests) { number, event in
                log.add(number, event)
                if number == 2, case .text = event { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        try await fails(.interrupted) { try await task.value }
        if case .text = log.all.last?.event {} else { Issue.record("something came after the cancellation") }
        #expect(log.all.last?.request == 2)
        // All sequences are free again, and nothing harmful is left in them.
        let (expected, _) = try await together(requests, sequences: 4)
        let after = try await engine.answers(to: requests)
        #expect(after.map(\.text) == expected.map(\.text))
    }

    // MARK: - Drafts

    /// Prompts with much to repeat.
    private static let repetitive = (0..<8).map { number in
        let words = ["the river rose", "a bridge fell", "nobody was hurt", "the mayor spoke", "aaaa", "ab ab ab ab"]
        let text = (0..<30).map { words[($0 * (number + 1) + $0 / 3) % words.count] }.joined(separator: ", ")
        return Fixture.request(text, tokens: 80)
    }

    /// The tokens of an answer, in the vocabulary of all fixtures.
    private func answerTokens(_ text: String) async throws -> [Int32] {
        await (try Fixture.engine(vocabularyOnly: true)).answerTokens(text)
    }

    /// A text that follows its prompt here and leaves it there: drafts are accepted and rejected. What the model would
    /// have liked is the same with and without them, so rejected tokens left nothing behind.
    @Test(arguments: 1...5, [nil, 1024]) func rejectedDraftsLeaveNothingBehind(seed: Int, window: Int?) async throws {
        let tokens = try await answerTokens(
            "the river rose, a bridge walked, nobody was there, the mayor spoke, a bridge fell, nobody was hurt, a")
        func run(_ drafts: Bool, sequences: Int) async throws -> (completions: [Completion], gaps: [[Float]]) {
            let choices = Self.repetitive.map { _ in ChoiceLog() }
            let requests = Self.repetitive.enumerated().map { number, request in
                var request = request.choosing(choices[number], writing: tokens, drafts: drafts)
                request.maximumTokens = 40 + 10 * number
                return request
            }
            let (completions, log) = try await together(
                requests, sequences: sequences, seed: UInt64(seed), window: window)
            expectOrder(log, completions)
            return (completions, choices.map(\.gaps))
        }
        let plain = try await run(false, sequences: 1)
        for sequences in [1, 4] {
            let drafted = try await run(true, sequences: sequences)
            #expect(drafted.completions.map(\.text) == plain.completions.map(\.text))
            #expect(drafted.completions.map(\.finish) == plain.completions.map(\.finish))
            for (one, other) in zip(drafted.gaps, plain.gaps) {
                #expect(one.count == other.count)
                #expect(zip(one, other).allSatisfy { abs($0 - $1) < Self.tie })
            }
            for completion in drafted.completions {
                #expect(completion.acceptedTokens > 0 && completion.acceptedTokens < completion.draftedTokens)
            }
        }
        #expect(plain.completions.allSatisfy { $0.draftedTokens == 0 })
    }

    @Test func limitsHoldWithDrafts() async throws {
        let tokens = try await answerTokens("the river rose, a bridge fell, nobody was hurt")
        for limit in 0...12 {
            var request = Self.repetitive[4].choosing(ChoiceLog(), writing: tokens)
            request.maximumTokens = limit
            let whole = try await alone(request)
            #expect(whole.outputTokens <= limit)
            request.drafts = false
            #expect(whole.text == (try await alone(request)).text)
        }
    }

    @Test(arguments: [true, false]) func aChosenTextIsWritten(drafts: Bool) async throws {
        let text = "the river rose, nobody was hurt, the mayor spoke, a bridge fell, the river rose"
        let tokens = try await answerTokens(text)
        var request = Self.repetitive[0].choosing(ChoiceLog(), writing: tokens, drafts: drafts)
        request.maximumTokens = 300
        let completion = try await alone(request)
        #expect(completion.text == text && completion.finish == .endOfText)
        #expect((completion.acceptedTokens > 20) == drafts)
    }
}
