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
    /// What is to be read next, in order: the prompt, or what was chosen.
    private(set) var unread: [llama_token]
    /// Whether the prompt has been read.
    private(set) var isWriting = false
    private var records: [GuessGround: GuessRecord] = [:]

    private let request: GenerationRequest
    private let vocabulary: Vocabulary
    private var sampler: Sampler
    private var answer = Answer()
    private let replay: Replay
    /// What guesses are taken from; nil: none are made.
    private var index: PromptIndex?
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
        let canGuess = mayGuess && request.guesses && request.sampling.temperature <= 0
        index = canGuess ? PromptIndex(prompt.tokens) : nil
        replay = Replay(of: request, vocabulary: vocabulary)
    }

    /// Tokens it holds at most.
    var total: Int { prompt.count + limit }
    /// Prompt tokens that are in the model's memory.
    var readTokens: Int { isWriting ? prompt.count : prompt.count - unread.count }

    /// The next tokens of the prompt are there already.
    func skip(_ count: Int) {
        unread.removeFirst(count)
    }

    /// How such guesses as it would make now have come true.
    var record: GuessRecord { records[ground] ?? GuessRecord(on: ground) }

    private var ground: GuessGround { GuessGround(match: index?.match ?? 0) }

    /// What may well be written behind what is to be read next, with `count` tokens at most.
    func guesses(atMost count: Int) -> [llama_token] {
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
    ///   - guesses: What was read behind `unread`, all of which was read.
    ///   - choose: Chooses by the logits that follow the last of `unread` and so many of the guesses.
    /// - Returns: How many of the guesses came true; and how the answer ended, where it did.
    func advance(
        over guesses: [llama_token], deliver: (String) -> Void,
        choose: (Int, (UnsafeBufferPointer<Float>) -> llama_token?) throws(EngineError) -> llama_token
    ) throws(EngineError) -> (accepted: Int, finish: Completion.Finish?) {
        isWriting = true
        let ground = ground
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
            answer.add(vocabulary.piece(token), deliver: deliver)
            if followed < guesses.count, guesses[followed] == token { followed += 1 } else { unread = [token] }
            if answer.tokens == limit { finish = .length }
        }
        note(made: guesses.count, accepted: followed, on: ground, written: answer.tokens - written)
        return (followed, finish)
    }

    private func pick(from logits: UnsafeBufferPointer<Float>) -> llama_token? {
        let favourite = sampler.choose(from: logits)
        let token = replay.token(after: answer.tokens) ?? favourite
        if let token { request.choiceLog?.note(token, at: answer.tokens, logits: logits) }
        return token
    }

    private func note(made: Int, accepted: Int, on ground: GuessGround, written: Int) {
        guessed += made
        self.accepted += accepted
        var record = records[ground] ?? GuessRecord(on: ground)
        if made == 0 { record.noteSilence(written) } else { record.note(made: made, accepted: accepted) }
        records[ground] = record
    }

    /// The whole answer; what was waiting for more is delivered.
    func completion(_ finish: Completion.Finish, deliver: (String) -> Void) -> Completion {
        answer.finish(deliver: deliver)
        return Completion(
            text: answer.text, promptTokens: prompt.count, outputTokens: answer.tokens, promptTime: promptTime,
            outputTime: outputTime, finish: finish, guessedTokens: guessed, acceptedTokens: accepted)
    }
}
