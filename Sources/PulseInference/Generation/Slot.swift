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
    private var sampler: Sampler
    private var answer = Answer()
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
        unread = prompt.tokens
        sampler = try Sampler(request.sampling, candidates: candidates)
        let canDraft = request.drafts && request.sampling.temperature <= 0
        index = canDraft && prompt.tokens.count + limit <= divisibleLength ? PromptIndex(prompt.tokens) : nil
    }

    /// The most tokens it will hold, prompt and answer together.
    var total: Int { prompt.tokens.count + limit }
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
        guard isWriting, let index else { return [] }
        return index.continuation(atMost: min(count, limit - answer.tokens - 1))
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
        over draft: [llama_token], deliver: (String) -> Void,
        choose: (Int, (UnsafeBufferPointer<Float>) -> llama_token?) throws(PulseError) -> llama_token
    ) throws(PulseError) -> (accepted: Int, finish: Completion.Finish?) {
        isWriting = true
        let match = match
        let written = answer.tokens
        var followed = 0
        var finish: Completion.Finish? = limit == 0 ? .length : nil
        while finish == nil, unread.isEmpty {
            let token = try choose(followed) { logits in pick(from: logits) }
            guard !vocabulary.endsText(token) else {
                finish = .endOfText
                break
            }
            index?.add(token)
            answer.add(vocabulary.piece(token)) { piece in
                deliver(piece)
                if request.isEnough?(piece) == true { finish = .enough }
            }
            if followed < draft.count, draft[followed] == token { followed += 1 } else { unread = [token] }
            if answer.tokens == limit { finish = finish ?? .length }
        }
        drafted += draft.count
        accepted += followed
        records[match, default: DraftRecord(for: match)].note(
            drafted: draft.count, accepted: followed, written: answer.tokens - written)
        return (followed, finish)
    }

    private func pick(from logits: UnsafeBufferPointer<Float>) -> llama_token? {
        guard let token = sampler.choose(from: logits) else { return nil }
        return request.chooser?(answer.tokens, token, logits) ?? token
    }

    /// The whole answer; the rest of its text is delivered.
    func completion(_ finish: Completion.Finish, deliver: (String) -> Void) -> Completion {
        answer.finish(deliver: deliver)
        return Completion(
            text: answer.text, promptTokens: prompt.tokens.count, outputTokens: answer.tokens, promptTime: promptTime,
            outputTime: outputTime, finish: finish, draftedTokens: drafted, acceptedTokens: accepted)
    }
}
