/// Somebody who reads the answers in their order while they are written, fast, and who is to wait for none of them.
final class ReadAlong {
    /// Words that a fast reader reads in a second.
    private static let pace = 8.0
    /// Words of a sentence of news.
    private static let sentence = 25

    /// Of each answer at work or ended early: its words so far.
    private var words: [Int: Int] = [:]
    private var ended: Set<Int> = []
    /// The answer that is being read.
    private var front = 0
    /// When all that is there in order will be read.
    private var end: Duration?
    /// What the answers that are whole had together.
    private var whole = (words: 0, tokens: 0)
    /// How long the last step of writing took, and for how many answers.
    private var step = (time: Duration.zero, answers: 1)
    /// Seconds that a token of a prompt took.
    private var reading = 0.0

    func note(_ event: GenerationEvent, of number: Int, at now: Duration) {
        switch event {
        case .reading, .thinking: break
        case .begunAgain: words[number] = nil
        case .text(let piece):
            add(Self.words(of: piece), to: number, at: now)
        case .finished(let completion):
            // Of an answer that was refused at its beginning, another sentence takes the place.
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

    /// Words that end in a text: a piece of it is a few bytes long, and often less than a word.
    private static func words(of text: String) -> Int { text.utf8.count { $0 == UInt8(ascii: " ") } }

    func noteStep(of answers: Int, in time: Duration) { step = (time, answers) }

    func noteReading(of tokens: Int, in time: Duration) { reading = time / .seconds(1) / Double(tokens) }

    /// Whether another answer may begin beside those that are being written: while its prompt is read they stand still,
    /// and then each step takes longer.
    func hasTime(forPrompt tokens: Int, at now: Duration) -> Bool {
        // The first answer is written alone.
        guard whole.words > 0, let end else { return false }
        let token = Double(whole.words) / Double(whole.tokens)
        let left = max(0, Double(whole.words) / Double(ended.count) - Double(words[front] ?? 0)) / token
        // No step grows by more than this.
        let slower = step.time / .seconds(1) * Double(step.answers + 1) / Double(step.answers) - token / Self.pace
        return (end - now) / .seconds(1) >= Double(tokens) * reading + left * max(0, slower)
    }

    /// Answers that are written at once in any case: a reader who has to wait for each of them waits less in all if
    /// there are more of them.
    var least: Int { max(1, ended.count / 4) }
}
