import CLlama
import PulseCore

/// A request in the batch: its next tokens, and its results. First its prompt is computed, then each token it chooses.
final class Slot {
    let number: Int
    let prompt: TokenizedPrompt
    /// The most tokens of the answer.
    let limit: Int
    /// Its sequence in the context, once it has one.
    var sequence: Int?
    /// The tokens to compute next: the prompt's, or the last chosen one.
    private(set) var unread: [llama_token]
    /// Whether the prefill is complete.
    private(set) var isWriting = false

    private let request: GenerationRequest
    private let vocabulary: Vocabulary
    private let candidates: Sampler.Candidates
    private var sampler: Sampler
    private var assembler = TextAssembler()
    private var text = ""
    private var thought = ThoughtReader()
    /// The most tokens of a thought that do not count as the answer's.
    private let thoughtLimit: Int
    /// Generated tokens: those that were chosen, and those that closed a thought for the model.
    private var written = 0
    private var chosen = 0
    private var wasEnded = false
    /// The source of drafts; nil: none are made.
    private var index: PromptIndex?
    private var records: [DraftRecord.MatchClass: DraftRecord] = [:]
    private var (drafted, accepted) = (0, 0)
    private var (promptTime, outputTime) = (Duration.zero, Duration.zero)

    /// `room` is what the context has left for the answer, in tokens. Nothing is drafted for more than
    /// `maxRewindableLength`: rejected drafts could not leave the KV cache.
    init(
        _ number: Int, _ request: GenerationRequest, prompt: TokenizedPrompt, room: Int, maxRewindableLength: Int,
        vocabulary: Vocabulary, candidates: Sampler.Candidates
    ) throws {
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
            canDraft && prompt.tokens.count + limit + thoughtLimit <= maxRewindableLength
            ? PromptIndex(prompt.tokens) : nil
    }

    private init(_ other: Slot, _ sampling: Sampling) throws {
        number = other.number
        request = other.request
        prompt = other.prompt
        vocabulary = other.vocabulary
        (limit, thoughtLimit) = (other.limit, other.thoughtLimit)
        unread = prompt.tokens
        candidates = other.candidates
        sampler = try Sampler(sampling, candidates: candidates)
    }

    /// A slot that answers the request again, if that is wanted.
    func again(after completion: Completion) throws -> Slot? {
        guard let sampling = request.again?(completion) else { return nil }
        return try Slot(self, sampling)
    }

    /// The most tokens of a thought, for a model that thinks although it was told not to. Then the thought is closed
    /// for it. This many suffice for a sentence of news, and cost twenty-five stories at most a minute.
    private static let longestThought = 128

    /// In bytes. A hostile vocabulary may have tokens of any length.
    private static let longestAnswer = 1 << 18

    /// The most tokens of its sequence: prompt, thought and answer.
    var total: Int { prompt.tokens.count + limit + thoughtLimit }
    /// The tokens that count as the answer's.
    private var answerTokens: Int { written - min(thought.tokens, thoughtLimit) }
    /// The prompt's tokens in the KV cache.
    var readTokens: Int { isWriting ? prompt.tokens.count : prompt.tokens.count - unread.count }

    /// Skips tokens of the prompt that are in the KV cache already.
    func skip(_ count: Int) { unread.removeFirst(count) }

    /// The record of drafts after matches like the current one.
    var record: DraftRecord { records[match] ?? DraftRecord(for: match) }

    private var match: DraftRecord.MatchClass { .init(length: index?.matchLength ?? 0) }

    /// A draft of the tokens after `unread`, at most `count`.
    func draft(atMost count: Int) -> [llama_token] {
        guard isWriting, unread.count == 1, let index else { return [] }
        return index.continuation(atMost: min(count, limit - answerTokens - 1))
    }

    /// Records that the first tokens of `unread` were computed, in a share of the time.
    func wasRead(_ count: Int, in time: Duration) {
        unread.removeFirst(count)
        if isWriting { outputTime += time } else { promptTime += time }
    }

    /// Processes results until further tokens are to be computed.
    ///
    /// - Parameters:
    ///   - draft: the drafted tokens that were computed after `unread`.
    ///   - choose: chooses from the logits after `unread` and the given number of draft tokens.
    /// - Returns: the number of accepted draft tokens, and how the answer ended; nil: it has not.
    func advance(
        over draft: [llama_token], deliver: (GenerationEvent) -> Void,
        choose: (Int, (UnsafeBufferPointer<Float>) -> llama_token?) throws -> llama_token
    ) throws -> (accepted: Int, finish: Completion.Finish?) {
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
            send(assembler.add(answerBytes(of: token))) { piece in
                // First, because the receiver of the event uses the answer that `isEnough` collects.
                if request.isEnough?(piece) == true { finish = .enough }
                deliver(.text(piece))
            }
            if followed < draft.count, draft[followed] == token { followed += 1 } else { unread = [token] }
            if thought.marks != nil { deliver(.thinking(tokens: thought.tokens)) }
            endThought()
            if answerTokens >= limit || text.utf8.count > Self.longestAnswer { finish = finish ?? .length }
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

    /// The bytes of a token that belong to the answer.
    private func answerBytes(of token: llama_token) -> [UInt8] {
        let piece = vocabulary.piece(token)
        return thought.isOver ? piece : thought.add(piece, spelled: vocabulary.piece(token, spellsMarkers: true))
    }

    /// Closes a thought that is too long, once: the model continues as if it had written the end itself.
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

    /// Finishes the answer and delivers the rest of its text.
    func completion(_ finish: Completion.Finish, deliver: (GenerationEvent) -> Void) -> Completion {
        send(assembler.add(thought.finish()) + assembler.finish()) { deliver(.text($0)) }
        return Completion(
            text: text, promptTokens: prompt.tokens.count, outputTokens: written, thoughtTokens: thought.tokens,
            promptTime: promptTime, outputTime: outputTime,
            finish: text.isEmpty && thought.tokens > 0 ? .onlyThought : finish, draftedTokens: drafted,
            acceptedTokens: accepted)
    }

    private func send(_ piece: String, _ deliver: (String) -> Void) {
        guard !piece.isEmpty else { return }
        text += piece
        deliver(piece)
    }
}

/// Assembles whole characters from the bytes of tokens. An incomplete character waits for the next token.
struct TextAssembler {
    private var waiting: [UInt8] = []

    /// Adds bytes. Returns the complete characters; invalid UTF-8 becomes U+FFFD (Unicode Standard, 3.9).
    mutating func add(_ bytes: some Sequence<UInt8>) -> String {
        waiting += bytes
        let whole = waiting.count - Self.unfinished(waiting)
        defer { waiting.removeFirst(whole) }
        return String(decoding: waiting[..<whole], as: UTF8.self)
    }

    /// The rest, at the end of the answer.
    mutating func finish() -> String {
        defer { waiting = [] }
        return String(decoding: waiting, as: UTF8.self)
    }

    /// The number of bytes at the end that begin an incomplete character: 0...3 (RFC 3629, section 3).
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        for length in 1...3 where length <= bytes.count {
            let whole =
                switch bytes[bytes.count - length] {
                case 0x80...0xbf: 0
                case 0xc2...0xdf: 2
                case 0xe0...0xef: 3
                case 0xf0...0xf4: 4
                default: 1
                }
            if whole > 0 { return length < whole ? length : 0 }
        }
        return 0
    }
}
