public import PulseCore
import PulseText
import Synchronization

/// The sentences that a model writes about one story, each cleaned and checked against the story's reports.
public struct CheckedAnswer: Sendable {
    /// What is to be shown of it.
    public private(set) var sentences: [Sentence] = []
    /// How many sentences the reports do not bear out.
    public private(set) var refused = 0

    private let mode: CheckMode
    /// Made when the first sentence asks for them: the reports of a day are long, and the model need not wait for them.
    private let check: Deferred<SupportCheck>
    private let standard: Deferred<NewsStandard?>
    /// Whether a sentence came that is not shown: what follows it is mostly a detail of it.
    private var isBroken = false
    /// Of an answer to a question; nil: of a story.
    private let answering: AnswerStandard?
    private var saysNothing = false
    private let lexicon: LeadWords?
    /// How many sentences were refused since the last that was not.
    private var refusedInRow = 0
    /// The ids of the reports.
    private let sources: [String]
    private let most: Int
    private var reader = AnswerReader()
    private var isFinished = false
    /// The words of the sentence being written when the check last read ahead.
    private var wordsAhead = 0
    /// A sentence of news has thirty words, and what it is compared with five sentences.
    private static let wordsBetween = 4

    /// Sentences of a digest's entry, and of a summary, as the prompts ask.
    public static let entry = 1
    public static let summary = 3
    /// And of an answer, which ends when so many sentences were refused in a row.
    public static let answer = 6
    private static let patience = 3

    /// - Parameters:
    ///   - most: The largest number of sentences shown.
    ///   - writer: How far the model is to be believed.
    ///   - model: What understands its words; nil: only copies pass. The answer is then to be read on its thread.
    ///   - standard: What a sentence must have beside being true; nil: nothing.
    ///   - answering: The same of an answer to a question. It goes on behind a sentence that is refused, but not with
    ///     one that points back at that.
    public init(
        _ reports: [Article], most: Int, mode: CheckMode = .replace, writer: WriterClass = .small,
        model: CheckModel? = nil, standard: @autoclosure @escaping @Sendable () -> NewsStandard? = nil,
        answering: AnswerStandard? = nil
    ) {
        self.answering = answering
        lexicon = reports.first?.writtenLanguage.flatMap(Language.init)?.lead
        check = Deferred { SupportCheck(reports, writer: writer, model: model) }
        self.mode = mode
        self.standard = Deferred(standard)
        sources = reports.map(\.id)
        self.most = most
    }

    /// What to show: the model's sentences, or the publications' own where none of them can be shown.
    public func sentences(or own: [Sentence]) -> [Sentence] {
        guard sentences.isEmpty else { return sentences }
        return own.map { Sentence(text: $0.text, title: $0.title, sources: $0.sources, origin: .replaced) }
    }

    /// The sentence that is being written, as far as it is there: nothing of it was checked. Empty where none is, or
    /// none will be shown.
    public var unfinished: String { isSettled || isFinished ? "" : reader.unfinished }

    /// The sentences that are complete now.
    public mutating func add(_ piece: String) -> [Sentence] {
        let taken = take(reader.add(piece))
        if mode != .off { readAhead() }
        return taken
    }

    private mutating func readAhead() {
        let front = unfinished
        let words = front.wordCount
        // Another sentence has begun.
        if words < wordsAhead { wordsAhead = 0 }
        guard words >= wordsAhead + Self.wordsBetween else { return }
        wordsAhead = words
        check.value.readAhead(of: front)
    }

    /// The rest.
    ///
    /// - Parameter isCut: Whether the model was stopped: then its last sentence is shown only if it ends as one.
    public mutating func finish(isCut: Bool = false) -> [Sentence] {
        let isLost = isLost
        let rest = reader.finish()
        let taken = take(
            mode == .off && isCut
                ? rest.map { Sentence.isWhole($0) ? $0 : $0 + "…" } : rest.filter { !isCut || Sentence.isWhole($0) })
        if isLost, sentences.isEmpty { refused = max(1, refused) }
        isFinished = true
        return taken
    }

    /// Of an answer to a question, whether there is none in the reports: the model says so, or they do not have what the
    /// question names.
    public var isDenied: Bool { sentences.isEmpty && (saysNothing || answering?.isAnswerable == false) }

    /// Whether nothing that may follow can be shown: then the model need not write it.
    public var isSettled: Bool {
        sentences.count >= most || mode == .replace && (isBroken || isLost || refusedInRow >= Self.patience)
    }

    /// Whether the first sentence begins with words that no report has in a row.
    private var isLost: Bool {
        guard mode == .replace, answering == nil, let front = reader.front else { return false }
        return !check.value.mayPass(beginning: front)
    }

    /// Whether another answer may be shown where this one is not.
    var isWorthAnotherTry: Bool {
        mode == .replace && sentences.isEmpty && (isBroken || refused > 0) && check.value.readsOwnWords
    }

    private mutating func take(_ texts: [String]) -> [Sentence] {
        var taken: [Sentence] = []
        for text in texts where sentences.count + taken.count < most {
            guard mode != .replace || !isBroken else { break }
            guard let sentence = checked(text) else {
                refusedInRow += 1
                continue
            }
            refusedInRow = 0
            taken.append(answering?.sources(of: sentence) ?? sentence)
        }
        sentences += taken
        return taken
    }

    /// The sentence as it is to be shown; nil where it is not.
    private mutating func checked(_ text: String) -> Sentence? {
        guard mode != .off || answering != nil && text.wordCount <= 2 else {
            return Sentence(text: text, sources: sources, origin: .written)
        }
        if mode == .replace, Sentences.isClosed(text), standard.value?.isMet(by: text) == false {
            isBroken = true
            return nil
        }
        if let answering {
            // “Nothing.”: that the question is not answered.
            if text.wordCount <= 2 { saysNothing = true }
            guard text.wordCount > 2, answering.isMet(by: text),
                refusedInRow == 0 || mode == .mark || lexicon?.pointsBack(text) != true
            else {
                refused += 1
                return nil
            }
        }
        let judgement = judgement(on: text)
        switch judgement.kind {
        case .quoted:
            return Sentence(text: text, sources: judgement.sources, origin: judgement.isPart ? .shortened : .copied)
        case .supported: return Sentence(text: text, sources: judgement.sources, origin: .written)
        case .refused:
            if mode == .replace, let front = withoutDoubtfulEnd(text, judgement) { return front }
            refused += 1
            isBroken = answering == nil
            guard mode == .mark else { return nil }
            let doubtful = judgement.doubtful.isEmpty ? [text.startIndex..<text.endIndex] : judgement.doubtful
            return Sentence(
                text: text, sources: sources, origin: .written,
                doubtful: doubtful.map {
                    let start = text.distance(from: text.startIndex, to: $0.lowerBound)
                    return start..<(start + text.distance(from: $0.lowerBound, to: $0.upperBound))
                })
        }
    }

    /// What does not end as a sentence is the title again, or a piece of something. Where the encoder fails, only copies
    /// pass.
    private func judgement(on text: String) -> Judgement {
        let refused = Judgement(kind: .refused, refusal: .words)
        return Sentences.isClosed(text) ? (try? check.value.verdict(text)) ?? refused : refused
    }

    /// The sentence without a doubtful end, where what is left is borne out and still the news.
    private func withoutDoubtfulEnd(_ text: String, _ judgement: Judgement) -> Sentence? {
        guard let (front, judgement) = try? check.value.withoutDoubtfulEnd(text, judgement),
            standard.value?.isMet(by: front) != false
        else { return nil }
        return Sentence(
            text: front, sources: judgement.sources, origin: judgement.kind == .quoted ? .shortened : .written)
    }
}

/// What a model's sentence about a story must have to be shown in place of a publication's: being true is not enough, it
/// must be the story's news. The measures are those by which the publication's own sentence was chosen.
public struct NewsStandard: Sendable {
    private let weights: Weights
    private let titles: String
    /// What of an earlier digest the sentence has to go beyond; empty: nothing was told.
    private let known: Set<String>
    private let lexicon: LeadWords?
    /// Words at most, and share of the titles' weighted words at least.
    private let longest: Int
    private let leastOverlap: Double

    /// The prompts ask for thirty words; a publication's sentence that is longer may be matched.
    private static let words = 34
    private static let overlap = 0.3
    private static let newness = 0.3

    /// - Parameters:
    ///   - entry: The story in its publication's words.
    ///   - reports: What the model is given.
    public init(_ entry: Digest.Entry, reports: [Article]) {
        weights = Weights(reports)
        titles = reports.map(\.title).joined(separator: " ")
        known = Terms.set(of: entry.update?.told ?? "")
        lexicon = reports.first?.writtenLanguage.flatMap(Language.init)?.lead
        let own = entry.sentences.joinedText
        longest = max(NewsStandard.words, own.wordCount)
        leastOverlap = min(NewsStandard.overlap, weights.overlap(own, titles))
    }

    func isMet(by sentence: String) -> Bool {
        guard sentence.wordCount <= longest, sentence.hasNameOrNumber, lexicon?.pointsBack(sentence) != true,
            lexicon?.hasVerb(sentence) != false, weights.overlap(sentence, titles) >= leastOverlap
        else { return false }
        guard !known.isEmpty else { return true }
        let said = Terms.set(of: sentence)
        return weights.total(said.subtracting(known)) >= NewsStandard.newness * weights.total(said)
    }
}

/// A checked answer that the engine's thread adds to while others look at it.
public final class AnswerInProgress: Sendable {
    private let blank: CheckedAnswer
    /// With how much of the text was added, and how many times it was begun again.
    private let state: Mutex<(answer: CheckedAnswer, bytes: Int, tries: Int)>

    /// Each further one brings less (docs/digest.md).
    private static let mostTries = 2

    public init(_ answer: CheckedAnswer) {
        blank = answer
        state = Mutex((answer, 0, 0))
    }

    /// As it is now.
    public var answer: CheckedAnswer { state.withLock { $0.answer } }

    /// Adds a piece.
    ///
    /// - Returns: Whether nothing more is needed.
    public func add(_ piece: String) -> Bool {
        state.withLock { state in
            state.bytes += piece.utf8.count
            _ = state.answer.add(piece)
            return state.answer.isSettled
        }
    }

    /// The answer when it is whole.
    ///
    /// - Parameters:
    ///   - text: All of it; what was added is its beginning.
    ///   - isCut: See `CheckedAnswer.finish`.
    public func finish(_ text: String, isCut: Bool) -> CheckedAnswer {
        state.withLock { state in
            _ = state.answer.add(String(decoding: text.utf8.dropFirst(state.bytes), as: UTF8.self))
            state.bytes = max(state.bytes, text.utf8.count)
            _ = state.answer.finish(isCut: isCut)
            return state.answer
        }
    }

    /// Forgets a whole answer of which nothing is to be shown, where another may be.
    ///
    /// - Returns: The number of the next, from 1; nil: this one stands.
    public func beginAgain() -> Int? {
        state.withLock { state in
            guard state.tries < Self.mostTries, state.answer.isWorthAnotherTry else { return nil }
            state = (blank, 0, state.tries + 1)
            return state.tries
        }
    }
}

/// A value that is made when it is first asked for, once.
private final class Deferred<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    var value: Value {
        made.withLock { made in
            if let made { return made }
            let value = make()
            made = value
            return value
        }
    }
}
