/// A model of a fast reader, who reads the answers in order while they are written. It predicts whether the reader would
/// have to wait.
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
        case .text(let piece):
            add(Self.words(of: piece), to: number, at: now)
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

    /// Whether another answer may begin. During its prefill no other answer is written, and afterwards each step takes
    /// longer.
    func hasTime(forPrompt tokens: Int, at now: Duration) -> Bool {
        // The first answer is written alone.
        guard whole.words > 0, let end else { return false }
        let token = Double(whole.words) / Double(whole.tokens)
        let left = max(0, Double(whole.words) / Double(ended.count) - Double(words[front] ?? 0)) / token
        // The most by which a step becomes longer.
        let slower = step.time / .seconds(1) * Double(step.answers + 1) / Double(step.answers) - token / Self.pace
        return (end - now) / .seconds(1) >= Double(tokens) * reading + left * max(0, slower)
    }

    /// The number of concurrent answers that are always allowed. If the reader has to wait anyway, more of them make the
    /// sum of the waits shorter.
    var least: Int { max(1, ended.count / 4) }
}
