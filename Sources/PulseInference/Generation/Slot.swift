import CLlama
import PulseCore

/// One request at work: what of it is to be read next, and what is made of the results. It reads its prompt, and then
/// writes: it chooses a token, has it read, and chooses again.
final class Slot {
    /// The number of the request.
    let number: Int
    let prompt: Prompt
    /// Tokens of the answer at most.
    let limit: Int
    /// Its sequence in the context, once it has one.
    var sequence: Int?
    /// What is to be read next, in order: the prompt, or the token chosen last.
    private(set) var unread: [llama_token]
    /// Whether the prompt has been read.
    private(set) var isWriting = false

    private let request: GenerationRequest
    private let vocabulary: Vocabulary
    private let candidates: Sampler.Candidates
    private var sampler: Sampler
    private var answer = Answer()
    private var thought = ThoughtReader()
    /// The most tokens of a thought that are not counted as the answer's.
    private let thoughtLimit: Int
    /// Tokens written: those that were chosen, and those that ended a thought for the model.
    private var written = 0
    private var chosen = 0
    private var wasEnded = false
    /// What drafts are taken from; nil: none are made.
    private var index: PromptIndex?
    private var records: [DraftRecord.Match: DraftRecord] = [:]
    private var drafted = 0
    private var accepted = 0
    private var promptTime = Duration.zero
    private var outputTime = Duration.zero

    /// - Parameters:
    ///   - room: Tokens that the context has left for the answer.
    ///   - divisibleLength: Where prompt and answer may become longer, no wrong draft could be taken back.
    init(
        _ number: Int, _ request: GenerationRequest, prompt: Prompt, room: Int, divisibleLength: Int,
        vocabulary: Vocabulary, candidates: Sampler.Candidates
    ) throws(PulseError) {
        self.number = number
        self.request = request
        self.prompt = prompt
        self.vocabulary = vocabulary
        limit = max(0, min(request.maximumTokens, room))
        thoughtLimit = prompt.mayThink ? min(Self.longestThought, room - limit) : 0
        unread = prompt.tokens
        self.candidates = candidates
        sampler = try Sampler(request.sampling, candidates: candidates)
        let canDraft = request.drafts && request.sampling.temperature <= 0
        index =
            canDraft && prompt.tokens.count + limit + thoughtLimit <= divisibleLength ? PromptIndex(prompt.tokens) : nil
    }

    /// The same request from its beginning.
    private init(_ other: Slot, _ sampling: Sampling) throws(PulseError) {
        number = other.number
        request = other.request
        prompt = other.prompt
        vocabulary = other.vocabulary
        (limit, thoughtLimit) = (other.limit, other.thoughtLimit)
        unread = prompt.tokens
        candidates = other.candidates
        sampler = try Sampler(sampling, candidates: candidates)
    }

    /// What answers the request again, if that is wanted.
    func again(after completion: Completion) throws(PulseError) -> Slot? {
        guard let sampling = request.again?(completion) else { return nil }
        return try Slot(self, sampling)
    }

    /// A model that thinks although it was asked not to gets so many tokens for it; then the thought is ended for it.
    /// What a sentence of news takes is thought of by then, and twenty-five stories wait for no more than a minute.
    private static let longestThought = 128

    /// The most tokens it will hold, prompt, thought and answer together.
    var total: Int { prompt.tokens.count + limit + thoughtLimit }
    /// Tokens that count as the answer's.
    private var answerTokens: Int { written - min(thought.tokens, thoughtLimit) }
    /// Prompt tokens that are in the KV cache.
    var readTokens: Int { isWriting ? prompt.tokens.count : prompt.tokens.count - unread.count }

    /// The next tokens of the prompt are in the KV cache already.
    func skip(_ count: Int) {
        unread.removeFirst(count)
    }

    /// How well drafts like the next one have done.
    var record: DraftRecord { records[match] ?? DraftRecord(for: match) }

    private var match: DraftRecord.Match { .init(length: index?.matchLength ?? 0) }

    /// What may well be written after `unread`, `count` tokens at most.
    func draft(atMost count: Int) -> [llama_token] {
        guard isWriting, unread.count == 1, let index else { return [] }
        return index.continuation(atMost: min(count, limit - answerTokens - 1))
    }

    // MARK: - Results

    /// Takes note that the first tokens of `unread` were read, in a share of the time.
    func wasRead(_ count: Int, in time: Duration) {
        unread.removeFirst(count)
        if isWriting { outputTime += time } else { promptTime += time }
    }

    /// Goes on with what was computed, until more is to be read.
    ///
    /// - Parameters:
    ///   - draft: What was read after `unread`, all of which was read.
    ///   - choose: Chooses from the logits that follow the last of `unread` and that many tokens of the draft.
    /// - Returns: How many tokens of the draft were accepted; and how the answer ended, if it did.
    func advance(
        over draft: [llama_token], deliver: (GenerationEvent) -> Void,
        choose: (Int, (UnsafeBufferPointer<Float>) -> llama_token?) throws(PulseError) -> llama_token
    ) throws(PulseError) -> (accepted: Int, finish: Completion.Finish?) {
        isWriting = true
        let match = match
        let before = written
        var followed = 0
        var finish: Completion.Finish? = limit == 0 ? .length : nil
        while finish == nil, unread.isEmpty {
            let token = try choose(followed) { logits in pick(from: logits) }
            guard !vocabulary.endsText(token) else {
                finish = .endOfText
                break
            }
            chosen += 1
            take(token)
            answer.add(read(token)) { piece in
                deliver(.text(piece))
                if request.isEnough?(piece) == true { finish = .enough }
            }
            if followed < draft.count, draft[followed] == token { followed += 1 } else { unread = [token] }
            if thought.marks != nil { deliver(.thinking(tokens: thought.tokens)) }
            endThought()
            if answerTokens >= limit { finish = finish ?? .length }
        }
        drafted += draft.count
        accepted += followed
        records[match, default: DraftRecord(for: match)].note(
            drafted: draft.count, accepted: followed, written: written - before)
        return (followed, finish)
    }

    private func take(_ token: llama_token) {
        index?.add(token)
        written += 1
    }

    /// What a token says of the answer.
    private func read(_ token: llama_token) -> [UInt8] {
        let piece = vocabulary.piece(token)
        return thought.isOver ? piece : thought.add(piece, spelled: vocabulary.piece(token, spellsMarkers: true))
    }

    /// Ends a thought that has become too long, once: the model reads the end as if it had written it, and answers.
    private func endThought() {
        guard let marks = thought.marks, thought.tokens >= thoughtLimit, !wasEnded else { return }
        wasEnded = true
        let end = vocabulary.tokens(following: marks.ending + "\n\n", as: .markup)
        guard answerTokens + end.count < limit else { return }
        for token in end { take(token) }
        unread += end
        thought.close(with: end.count)
    }

    private func pick(from logits: UnsafeBufferPointer<Float>) -> llama_token? {
        guard let token = sampler.choose(from: logits) else { return nil }
        return request.chooser?(chosen, token, logits) ?? token
    }

    /// The whole answer; the rest of its text is delivered.
    func completion(_ finish: Completion.Finish, deliver: (GenerationEvent) -> Void) -> Completion {
        answer.add(thought.finish()) { deliver(.text($0)) }
        answer.finish { deliver(.text($0)) }
        return Completion(
            text: answer.text, promptTokens: prompt.tokens.count, outputTokens: written, thoughtTokens: thought.tokens,
            promptTime: promptTime, outputTime: outputTime,
            finish: answer.text.isEmpty && thought.tokens > 0 ? .onlyThought : finish, draftedTokens: drafted,
            acceptedTokens: accepted)
    }
}
