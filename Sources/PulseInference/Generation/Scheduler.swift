import CLlama
import PulseCore

/// Answers many requests in common batches (continuous batching): a prefix that prompts share is computed once, and
/// when a request is finished its sequence goes to the next one.
///
/// The first prompt is read alone, because a reader may wait for it. The other prompts are read in chunks, and after
/// each chunk the answers that are being written get one step. With a reader, the first answer is written alone too,
/// and the others begin when the text is far enough ahead.
struct Scheduler: ~Copyable {
    private(set) var context: LlamaContext
    private let vocabulary: Vocabulary
    private let watch: Watch
    private let now: () -> Duration
    private var waiting: ArraySlice<Slot> = []
    private var running: [Slot] = []
    /// The number of running slots when the next one could not be admitted; that is tried again when the number
    /// changes.
    private var fullCount: Int?
    private var isPrefillTurn = false
    /// Nil: nobody reads the answers while they are written.
    private let reader: ReadAlong?

    init(
        context: consuming LlamaContext, vocabulary: Vocabulary, isReadAlong: Bool, watch: Watch,
        now: @escaping () -> Duration
    ) {
        reader = isReadAlong ? ReadAlong() : nil
        self.context = context
        self.vocabulary = vocabulary
        self.watch = watch
        self.now = now
    }

    consuming func takeContext() -> LlamaContext { context }

    /// The slots' completions, in the order of the slots.
    mutating func run(_ slots: [Slot], deliver: (Int, GenerationEvent) -> Void) throws -> [Completion] {
        waiting = slots[...]
        var completions: [Int: Completion] = [:]
        let (reader, now) = (reader, now)
        func tell(_ slot: Slot, _ event: GenerationEvent) {
            reader?.note(event, of: slot.number, at: now())
            deliver(slot.number, event)
        }
        func report(_ slot: Slot) {
            deliver(slot.number, .reading(tokens: slot.readTokens, of: slot.prompt.tokens.count))
        }
        defer {
            for slot in running { release(slot) }
            waiting = []
        }
        while !waiting.isEmpty || !running.isEmpty {
            try watch.check()
            let steps = nextBatch(report: report)
            guard !steps.isEmpty else { continue }
            try watch.check()
            let rows = try compute(steps)
            try watch.check()
            for (step, row) in zip(steps, rows) {
                let slot = step.slot
                if !slot.isWriting { report(slot) }
                guard slot.unread.isEmpty else { continue }
                if let end = try advance(slot, over: step.draft, row: row, deliver: { tell(slot, $0) }) {
                    completions[slot.number] = try finish(slot, end, deliver: { tell(slot, $0) })
                }
            }
        }
        return slots.compactMap { completions[$0.number] }
    }

    /// Ends an answer. Returns nil if the request is answered again.
    private mutating func finish(
        _ slot: Slot, _ end: Completion.Finish, deliver: (GenerationEvent) -> Void
    ) throws -> Completion? {
        let completion = slot.completion(end, deliver: deliver)
        let next = try slot.again(after: completion)
        // Queued before the sequence is released, so that the prompt stays in the cache.
        if let next { waiting.insert(next, at: waiting.startIndex) }
        release(slot)
        deliver(next == nil ? .finished(completion) : .begunAgain(completion))
        return next == nil ? completion : nil
    }

    // MARK: - Sequences

    /// Frees a slot's sequence. Only the prefix that waiting prompts share stays, because attention reads every used
    /// cell; and nothing of a sequence longer than `maxRewindableLength`, whose first cells may be lost.
    private mutating func release(_ slot: Slot) {
        running.removeAll { $0 === slot }
        guard let sequence = slot.sequence else { return }
        let wanted = waiting.map { context.table.sharedPrefix(of: $0.prompt.tokens, with: sequence) }.max() ?? 0
        let isWhole = context.table.count(of: sequence) <= context.maxRewindableLength
        context.truncate(sequence, to: isWhole ? max(slot.prompt.prefixCount, wanted) : 0)
        context.release(sequence)
        slot.sequence = nil
    }

    /// Gives the next request a sequence, if one is free.
    private mutating func admit() -> Slot? {
        guard let slot = waiting.first, running.count != fullCount, isTime(for: slot) else { return nil }
        guard let sequence = context.admit(slot.prompt.tokens, total: slot.total) else {
            fullCount = running.count
            return nil
        }
        fullCount = nil
        waiting = waiting.dropFirst()
        slot.sequence = sequence
        slot.skip(context.table.count(of: sequence))
        running.append(slot)
        return slot
    }

    /// Whether the next answer can begin without making a reader wait.
    private func isTime(for slot: Slot) -> Bool {
        guard let reader, running.count >= reader.least else { return true }
        return running.allSatisfy(\.isWriting)
            && reader.hasTime(forPrompt: slot.prompt.tokens.count - slot.prompt.prefixCount, at: now())
    }

    // MARK: - A batch

    /// A slot's part of a batch.
    private struct Step {
        let slot: Slot
        /// The number of its unread tokens.
        var count: Int
        /// If these are all its unread tokens: a draft of the next ones.
        var draft: [llama_token] = []

        var tokens: [llama_token] { slot.unread.prefix(count) + draft }
        var size: Int { count + draft.count }

        /// The number of last tokens whose logits are needed.
        var outputs: Int { count == slot.unread.count ? 1 + draft.count : 0 }
    }

    /// A step is either prefill or decode, never both. ggml computes the attention of 64 rows or more in tiles, each
    /// over all cells that one of its rows attends to; a tile with rows of sixteen answers would attend to all used
    /// cells. The two alternate, so that answers go on during prefill.
    private mutating func nextBatch(report: (Slot) -> Void) -> [Step] {
        let isWriting = running.contains(where: \.isWriting)
        isPrefillTurn.toggle()
        if isPrefillTurn || !isWriting {
            let reading = readingSteps(report: report)
            if !reading.isEmpty { return reading }
        }
        // Each writing slot has one token, which it chose in the last step.
        var steps = running.filter(\.isWriting).prefix(context.chunk).map { Step(slot: $0, count: 1) }
        addDrafts(to: &steps)
        return steps
    }

    private mutating func readingSteps(report: (Slot) -> Void) -> [Step] {
        var steps: [Step] = []
        var room = context.chunk
        // The first answer begins before another prompt is read.
        let isFirst = !running.contains(where: \.isWriting)
        var readers = running.filter { !$0.isWriting }[...]
        while room > 0 && !(isFirst && steps.count == 1) {
            let next = readers.popFirst()
            guard let slot = next ?? admit() else { break }
            if next == nil { report(slot) }
            let count = min(slot.unread.count, room)
            steps.append(Step(slot: slot, count: count))
            room -= count
        }
        return steps
    }

    private func addDrafts(to steps: inout [Step]) {
        let limit = min(context.chunk - steps.count, context.shape.outputs - context.shape.sequences)
        guard limit > 0 else { return }
        let drafts = steps.map { $0.slot.draft(atMost: limit) }
        let offers = zip(steps, drafts).map { step, draft in
            DraftBudget.Offer(
                chance: step.slot.record.chance, count: draft.count, isRetryDue: step.slot.record.isRetryDue)
        }
        let counts = DraftBudget.counts(for: offers, certain: steps.count, limit: limit)
        for index in steps.indices { steps[index].draft = Array(drafts[index].prefix(counts[index])) }
    }

    // MARK: - Computing

    /// Computes a batch. Returns, for each step, the index in the batch of the last token before the draft.
    private mutating func compute(_ steps: [Step]) throws -> [Int] {
        let runs = steps.map { Run(sequence: $0.slot.sequence ?? 0, tokens: $0.tokens, outputs: $0.outputs) }
        let start = now()
        let starts: [Int]
        do throws(DecodingFailure) {
            starts = try context.decode(runs)
        } catch {
            try watch.check()
            throw error.error
        }
        watch.noteProgress()
        let time = now() - start
        let size = steps.reduce(0) { $0 + $1.size }
        if steps.allSatisfy(\.slot.isWriting) {
            reader?.noteStep(of: steps.count, in: time)
        } else {
            reader?.noteReading(of: size, in: time)
        }
        return zip(steps, starts).map { step, start in
            step.slot.wasRead(step.count, in: time * step.size / size)
            return start + step.count - 1
        }
    }

    /// Lets a slot choose, and removes the rejected tokens of the draft from the cache.
    private mutating func advance(
        _ slot: Slot, over draft: [llama_token], row: Int, deliver: (GenerationEvent) -> Void
    ) throws -> Completion.Finish? {
        let (accepted, finish) = try slot.advance(over: draft, deliver: deliver) { followed, pick -> llama_token in
            try watch.check()
            let token = context.withLogits(row: row + followed, count: vocabulary.count, pick)
            guard let token, let token else {
                throw PulseError(
                    .unavailable, "The model gave no usable result.",
                    hint: "The model's file may be damaged. To check it: pulse-digest models verify MODEL")
            }
            watch.noteProgress()
            return token
        }
        let rejected = draft.count - accepted
        if rejected > 0, let sequence = slot.sequence {
            context.truncate(sequence, to: context.table.count(of: sequence) - rejected)
        }
        return finish
    }
}

/// Imitates a fast reader, who reads the answers in order while they are written, and predicts waits.
final class ReadAlong {
    /// In words per second.
    private static let pace = 8.0
    /// In words: the usual length of a sentence of news.
    private static let sentence = 25

    /// The words so far of each answer that the reader has not finished.
    private var words: [Int: Int] = [:]
    private var ended: Set<Int> = []
    /// The number of the answer that is being read.
    private var front = 0
    /// When the reader will have read all words that are available in order.
    private var end: Duration?
    /// The words and tokens of all finished answers.
    private var whole = (words: 0, tokens: 0)
    /// The duration of the last decode step, and its number of answers.
    private var step = (time: Duration.zero, answers: 1)
    /// Seconds per token of prefill.
    private var reading = 0.0

    func note(_ event: GenerationEvent, of number: Int, at now: Duration) {
        switch event {
        case .reading, .thinking: break
        case .begunAgain: words[number] = nil
        case .text(let piece): add(Self.words(of: piece), to: number, at: now)
        case .finished(let completion):
            // An answer that was stopped is replaced by a whole sentence.
            if completion.finish == .enough {
                add(max(0, Self.sentence - Self.words(of: completion.text)), to: number, at: now)
            }
            ended.insert(number)
            whole.words += Self.words(of: completion.text)
            whole.tokens += completion.outputTokens
            while ended.contains(front) {
                words[front] = nil
                front += 1
                read(words[front] ?? 0, at: now)
            }
        }
    }

    private func add(_ count: Int, to number: Int, at now: Duration) {
        words[number, default: 0] += count
        if number == front { read(count, at: now) }
    }

    private func read(_ count: Int, at now: Duration) {
        guard count > 0 else { return }
        end = max(end ?? now, now) + .seconds(Double(count) / Self.pace)
    }

    /// The number of words that end in a piece of text, which is often less than a word.
    private static func words(of text: String) -> Int { text.utf8.count { $0 == UInt8(ascii: " ") } }

    func noteStep(of answers: Int, in time: Duration) { step = (time, answers) }

    func noteReading(of tokens: Int, in time: Duration) { reading = time / .seconds(1) / Double(tokens) }

    /// Whether another answer may begin. Its prefill stops the others, and makes each later step longer.
    func hasTime(forPrompt tokens: Int, at now: Duration) -> Bool {
        // The first answer is written alone.
        guard whole.words > 0, let end else { return false }
        let token = Double(whole.words) / Double(whole.tokens)
        let left = max(0, Double(whole.words) / Double(ended.count) - Double(words[front] ?? 0)) / token
        // How many seconds longer a step takes than reading the words of its token.
        let slower = step.time / .seconds(1) * Double(step.answers + 1) / Double(step.answers) - token / Self.pace
        return (end - now) / .seconds(1) >= Double(tokens) * reading + left * max(0, slower)
    }

    /// How many answers may be written at once even if that makes the reader wait, because it shortens the total time.
    var least: Int { max(1, ended.count / 4) }
}
