/// One request at work: what of it is to be read next, and what is made of the results. It reads its prompt, and then
/// writes: it chooses, is fed what it chose, and chooses again.
import CLlama

final class Lane {
    /// The number of the request.
    let number: Int
    let prompt: [llama_token]
    /// The front of the prompt that other requests are likely to share, in tokens.
    let front: Int
    /// Tokens of the answer at most.
    let limit: Int
    /// Its sequence, once it has one.
    var place: Int?
    /// What is to be read next, in order: the prompt, or what was chosen and what had to follow.
    private(set) var unread: [llama_token]
    /// Whether the prompt has been read.
    private(set) var isWriting = false
    private var records: [GuessGround: GuessRecord] = [:]

    private let request: GenerationRequest
    private let vocabulary: Vocabulary
    private var sampler: Sampler
    private var writing: any Writing
    private var answer: Answer
    private let replay: Replay
    private let canGuess: Bool
    private var guessed = 0
    private var accepted = 0
    private var promptTime = Duration.zero
    private var outputTime = Duration.zero

    init(
        _ number: Int, _ request: GenerationRequest, prompt: Prompt, room: Int, mayGuess: Bool,
        vocabulary: Vocabulary, candidates: Sampler.Candidates, recorder: CallRecorder?
    ) throws(EngineError) {
        self.number = number
        self.request = request
        self.prompt = prompt.tokens
        front = prompt.front
        self.vocabulary = vocabulary
        limit = max(0, min(request.maximumTokens, room))
        unread = prompt.tokens
        sampler = try Sampler(request.sampling, candidates: candidates, recorder: recorder)
        canGuess = mayGuess && request.guesses && request.sampling.temperature <= 0
        switch request.grounding {
        case .free:
            writing = FreeWriting(limit: limit, vocabulary: vocabulary, prompt: canGuess ? prompt.tokens : nil)
            answer = Answer(stops: request.stops)
        case .strict:
            writing = GroundedWriting(request, limit: limit, vocabulary: vocabulary)
            answer = Answer(stops: [])
        }
        replay = Replay(of: request, vocabulary: vocabulary)
    }

    /// Tokens it holds at most.
    var total: Int { prompt.count + limit }
    /// Prompt tokens that are in the model's memory.
    var readTokens: Int { isWriting ? prompt.count : prompt.count - unread.count }
    var isCancelled: Bool { request.cancellation?.isCancelled == true }

    /// Tokens to be read before the end of the front; nil where that is behind.
    var untilFront: Int? { front > readTokens ? front - readTokens : nil }

    /// The next tokens of the prompt are there already.
    func skip(_ count: Int) {
        unread.removeFirst(count)
    }

    /// Nothing of the prompt is there any more.
    func startOver() {
        unread = prompt
    }

    /// How such guesses as it would make now have come true.
    var record: GuessRecord { record(on: writing.ground) }

    private func record(on ground: GuessGround) -> GuessRecord { records[ground] ?? GuessRecord(on: ground) }

    /// What it would guess behind what is to be read next, with `count` tokens at most.
    func guesses(atMost count: Int) -> [[llama_token]] {
        guard canGuess, isWriting, count > 0 else { return [] }
        return writing.guess(after: answer, atMost: count)
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
    ///   - guesses: What was read behind `unread`, all of which was read.
    ///   - choose: Chooses by the logits that follow the last of `unread` and so many of the guesses' tokens.
    /// - Returns: How many of the guessed tokens came true; and how the answer ended, where it did.
    func advance(
        over guesses: [[llama_token]], deliver: (String) -> Void,
        choose: (Int, (UnsafeBufferPointer<Float>) -> llama_token?) throws(EngineError) -> llama_token
    ) throws(EngineError) -> (accepted: Int, finish: Completion.Finish?) {
        isWriting = true
        let ground = writing.ground
        let written = answer.tokens
        let read = guesses.flatMap(\.self)
        var followed = 0
        var finish: Completion.Finish?
        var next = writing.next(after: answer)
        while finish == nil {
            let token: llama_token
            switch next {
            case .end(let end):
                finish = end
                continue
            case .forced(let only):
                token = only
            case .choice(let allowed):
                token = try choose(followed) { logits in pick(from: logits, among: allowed) }
                if vocabulary.endsText(token) {
                    finish = .endOfText
                    continue
                }
            }
            let bytes = writing.take(token, after: answer)
            if unread.isEmpty, followed < read.count, read[followed] == token {
                followed += 1
            } else {
                unread.append(token)
            }
            answer.add(bytes, deliver: deliver)
            next = writing.next(after: answer)
            if mustRead(before: next) { break }
        }
        note(guesses, on: ground, followed: followed, written: answer.tokens - written)
        return (followed, finish)
    }

    /// Whether what was written must be read before the answer can go on.
    private func mustRead(before next: NextStep) -> Bool {
        guard !unread.isEmpty else { return false }
        if case .choice = next { return true }
        return !request.readsForcedRunsTogether
    }

    private func pick(from logits: UnsafeBufferPointer<Float>, among allowed: [llama_token]?) -> llama_token? {
        let favourite =
            allowed.map { sampler.choose(from: logits, among: $0) } ?? sampler.choose(from: logits)
        let token = replay.token(after: answer.tokens, among: allowed) ?? favourite
        if let token { request.choiceLog?.note(token, at: answer.tokens, logits: logits, among: allowed) }
        return token
    }

    private func note(_ guesses: [[llama_token]], on ground: GuessGround, followed: Int, written: Int) {
        var record = record(on: ground)
        defer { records[ground] = record }
        let lengths = guesses.map(\.count)
        guessed += lengths.reduce(0, +)
        accepted += followed
        if lengths.isEmpty {
            record.noteSilence(written)
        } else {
            var (left, whole) = (followed, 0)
            for length in lengths {
                // A guess came true if its choice did.
                guard left > 0 else { break }
                left -= length
                whole += 1
            }
            record.note(made: lengths.count, accepted: whole)
        }
    }

    /// The whole answer; what was waiting for more is delivered.
    func completion(_ finish: Completion.Finish, deliver: (String) -> Void) -> Completion {
        answer.finish(deliver: deliver)
        return Completion(
            text: answer.text, promptTokens: prompt.count, outputTokens: answer.tokens, promptTime: promptTime,
            outputTime: outputTime, finish: finish, guessedTokens: guessed, acceptedTokens: accepted)
    }
}
