/// Answers many requests in common batches: what they share at the front is computed once, and a finished request's
/// place goes to the next.
///
/// The first prompt is read alone, so that its answer begins at once. The other prompts are read one after another
/// beside the answers that are being written, in chunks that those can wait for.
import CLlama

struct Scheduler: ~Copyable {
    private(set) var context: Context
    private let vocabulary: Vocabulary
    private let watch: Watch
    private let now: () -> Duration
    private var waiting: ArraySlice<Lane> = []
    private var running: [Lane] = []
    /// So many were at work when the next one found no place: until one of them leaves, none need be looked for.
    private var full: Int?

    init(context: consuming Context, vocabulary: Vocabulary, watch: Watch, now: @escaping () -> Duration) {
        self.context = context
        self.vocabulary = vocabulary
        self.watch = watch
        self.now = now
    }

    consuming func release() -> Context { context }

    /// The lanes' completions, in the order of the lanes.
    mutating func run(
        _ lanes: [Lane], deliver: (Int, GenerationEvent) -> Void
    ) throws(EngineError) -> [Completion] {
        waiting = lanes[...]
        var completions: [Int: Completion] = [:]
        func finish(_ lane: Lane, _ finish: Completion.Finish) {
            let completion = lane.completion(finish) { deliver(lane.number, .text($0)) }
            completions[lane.number] = completion
            deliver(lane.number, .finished(completion))
        }
        defer { leaveAll() }
        while !waiting.isEmpty || !running.isEmpty {
            try watch.check()
            let steps = nextBatch { lane in
                deliver(lane.number, .reading(tokens: lane.readTokens, of: lane.prompt.count))
            }
            guard !steps.isEmpty else { continue }
            try watch.check()
            let outcomes = try compute(steps)
            try watch.check()
            for outcome in outcomes {
                let lane = outcome.lane
                if !lane.isWriting {
                    deliver(lane.number, .reading(tokens: lane.readTokens, of: lane.prompt.count))
                }
                guard lane.unread.isEmpty else { continue }
                if let end = try advance(outcome, deliver: { deliver(lane.number, .text($0)) }) {
                    leave(lane)
                    finish(lane, end)
                }
            }
        }
        return lanes.compactMap { completions[$0.number] }
    }

    // MARK: - Places

    /// What nobody will read again goes at once: attention looks at every cell in use, whosever it is.
    private mutating func leave(_ lane: Lane) {
        running.removeAll { $0 === lane }
        guard let place = lane.place else { return }
        let wanted = waiting.map { context.table.sharedFront(of: $0.prompt, with: place) }.max() ?? 0
        context.truncate(place, to: max(lane.front, wanted))
        context.leave(place)
        lane.place = nil
    }

    private mutating func leaveAll() {
        for lane in running { leave(lane) }
        waiting = []
    }

    /// Gives the next request a place, if one can be had.
    private mutating func admit() -> Lane? {
        guard let lane = waiting.first, running.count != full else { return nil }
        guard let place = context.seat(lane.prompt, total: lane.total) else {
            full = running.count
            return nil
        }
        full = nil
        waiting = waiting.dropFirst()
        lane.place = place
        lane.skip(context.table.count(of: place))
        running.append(lane)
        return lane
    }

    // MARK: - A batch

    /// What one lane has in a batch.
    private struct Step {
        let lane: Lane
        /// How many of its unread tokens.
        var count: Int
        /// And, where those are all, what is guessed to follow.
        var guesses: [llama_token] = []

        var tokens: [llama_token] { lane.unread.prefix(count) + guesses }
        var size: Int { count + guesses.count }
        /// Whether the lane can go on afterwards.
        var isWhole: Bool { count == lane.unread.count }

        /// After so many of the tokens, the last ones, a choice is to be made.
        var rows: Int { isWhole ? 1 + guesses.count : 0 }
    }

    /// A step that was computed.
    private struct Outcome {
        let lane: Lane
        let guesses: [llama_token]
        /// The number in the batch of the last token that is certain.
        let row: Int
    }

    private mutating func nextBatch(report: (Lane) -> Void) -> [Step] {
        // Each of those that write has the one token it chose.
        var steps = running.filter(\.isWriting).prefix(context.chunk).map { Step(lane: $0, count: 1) }
        guess(&steps)
        var room = context.chunk - steps.reduce(0) { $0 + $1.size }
        let areOthersWriting = !steps.isEmpty
        var reader = running.first { !$0.isWriting }
        while room > 0 {
            if reader == nil {
                reader = admit()
                if let reader { report(reader) }
            }
            guard let lane = reader else { break }
            let count = min(lane.unread.count, room)
            steps.append(Step(lane: lane, count: count))
            room -= count
            // The first answer begins before another prompt is read.
            guard areOthersWriting else { break }
            reader = nil
        }
        return steps
    }

    /// Adds guesses where they are worth it.
    private func guess(_ steps: inout [Step]) {
        let most = min(context.chunk - steps.count, context.shape.outputs - context.shape.sequences)
        guard most > 0, context.isDivisible else { return }
        let guesses = steps.map { $0.lane.guesses(atMost: most) }
        let offers = zip(steps, guesses).map { step, guesses in
            GuessBudget.Offer(
                chance: step.lane.record.chance, count: guesses.count, isDue: step.lane.record.isDue)
        }
        let counts = GuessBudget.counts(for: offers, certain: steps.count, room: most)
        for index in steps.indices {
            steps[index].guesses = Array(guesses[index].prefix(counts[index]))
        }
    }

    // MARK: - Computing

    /// Computes one batch, within the deadlines.
    private mutating func compute(_ steps: [Step]) throws(EngineError) -> [Outcome] {
        let runs = steps.map { Run(place: $0.lane.place ?? 0, tokens: $0.tokens, rows: $0.rows) }
        let start = now()
        let starts: [Int]
        do throws(DecodingFailure) {
            starts = try context.decode(runs)
        } catch {
            try watch.check()
            throw EngineError(
                .computationFailed,
                "The model could not go on computing (\(error.status)). Try a shorter text or a smaller model.",
                cause: LogCollector.shared.takeErrors())
        }
        watch.noteProgress()
        let time = now() - start
        let size = steps.reduce(0) { $0 + $1.size }
        return zip(steps, starts).map { step, start in
            step.lane.wasRead(step.count, in: time * step.size / size)
            return Outcome(lane: step.lane, guesses: step.guesses, row: start + step.count - 1)
        }
    }

    /// Lets a lane choose, and forgets the guesses that did not come true.
    private mutating func advance(
        _ outcome: Outcome, deliver: (String) -> Void
    ) throws(EngineError) -> Completion.Finish? {
        let lane = outcome.lane
        let (accepted, finish) = try lane.advance(over: outcome.guesses, deliver: deliver) {
            followed, pick throws(EngineError) -> llama_token in
            try watch.check()
            let token = context.withLogits(row: outcome.row + followed, count: vocabulary.count, pick)
            guard let token, let token else {
                throw EngineError(
                    .computationFailed, "The model gave no usable result. Its file may be damaged: verify it.")
            }
            watch.noteProgress()
            return token
        }
        let wrong = outcome.guesses.count - accepted
        if wrong > 0, let place = lane.place {
            context.truncate(place, to: context.table.count(of: place) - wrong)
        }
        return finish
    }
}
