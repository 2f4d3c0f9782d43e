public import PulseCore
import PulseText
import Synchronization

/// A model's sentences about one story, each cleaned and checked against the story's reports.
public struct CheckedAnswer: Sendable {
    /// The sentences to show.
    public private(set) var sentences: [Sentence] = []
    /// How many sentences did not pass the check.
    public private(set) var refused = 0

    private let mode: CheckMode
    /// Made when the first sentence needs them: a day's reports are long, and loading the model need not wait for them.
    private let check: Deferred<SupportCheck>
    private let standard: Deferred<NewsStandard?>
    /// Whether a sentence was not shown. What follows it is usually a detail of it, and is dropped.
    private var isBroken = false
    /// For an answer to a question; nil for a story.
    private let answering: AnswerStandard?
    private var saysNothing = false
    private let lexicon: LeadWords?
    /// Consecutive refused sentences.
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

    /// The most sentences of a digest entry, and of a summary, as in the prompts.
    public static let entry = 1
    public static let summary = 3
    /// The most sentences of an answer to a question, and how many refused ones in a row end it.
    public static let answer = 6
    private static let patience = 3

    /// - Parameters:
    ///   - most: The most sentences to show.
    ///   - writer: How far the model can be trusted.
    ///   - model: The encoder for sentences in the model's own words; nil: only copies pass. With an encoder, this must
    ///     be used on its thread.
    ///   - standard: What a sentence needs besides being true; nil for nothing.
    ///   - answering: The same for an answer to a question. The answer continues after a refused sentence, but not with
    ///     one that refers back to it.
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

    /// The model's sentences, or `own` where none of them can be shown.
    public func sentences(or own: [Sentence]) -> [Sentence] {
        guard sentences.isEmpty else { return sentences }
        return own.map { Sentence(text: $0.text, title: $0.title, sources: $0.sources, origin: .replaced) }
    }

    /// The unfinished sentence, not checked yet. Empty where there is none, or no more will be shown.
    public var unfinished: String { isSettled || isFinished ? "" : reader.unfinished }

    /// Adds a piece of output. Returns the sentences to show that it completes.
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

    /// Ends the output. Returns the remaining sentences to show.
    ///
    /// - Parameter isCut: Whether the model was stopped; its last sentence is then shown only if it is complete.
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

    /// Whether the model says that a question has no answer in the reports.
    public var isDenied: Bool { sentences.isEmpty && saysNothing }
    /// Whether the reports lack a name or a number of the question, so that no sentence is shown.
    public var lacksName: Bool { answering?.isAnswerable == false }

    /// Whether no further sentence can be shown, so that generation can stop.
    public var isSettled: Bool {
        sentences.count >= most || mode == .replace && (isBroken || isLost || refusedInRow >= Self.patience)
    }

    /// Whether no report has the beginning of the first sentence, so that it cannot be a copy.
    private var isLost: Bool {
        guard mode == .replace, answering == nil, let front = reader.front else { return false }
        return !check.value.mayPass(beginning: front)
    }

    /// Whether another generation may give an answer that can be shown.
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

    /// Checks a sentence; nil where it is not shown.
    private mutating func checked(_ text: String) -> Sentence? {
        guard mode != .off || answering != nil && text.wordCount <= 2 else {
            return Sentence(text: text, sources: sources, origin: .written)
        }
        if mode == .replace, Sentences.isClosed(text), standard.value?.isMet(by: text) == false {
            isBroken = true
            return nil
        }
        if let answering {
            // “Nothing.” means that the question has no answer.
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

    /// A text that does not end like a sentence is the title again, or a fragment. Where the encoder fails, only copies
    /// pass.
    private func judgement(on text: String) -> Judgement {
        let refused = Judgement(kind: .refused, refusal: .words)
        return Sentences.isClosed(text) ? (try? check.value.verdict(text)) ?? refused : refused
    }

    /// The sentence without a doubtful end, if the rest passes and is still news.
    private func withoutDoubtfulEnd(_ text: String, _ judgement: Judgement) -> Sentence? {
        guard let (front, judgement) = try? check.value.withoutDoubtfulEnd(text, judgement),
            standard.value?.isMet(by: front) != false
        else { return nil }
        return Sentence(
            text: front, sources: judgement.sources, origin: judgement.kind == .quoted ? .shortened : .written)
    }
}

/// What a model's sentence needs to replace a publication's: besides being true, it must be the story's news. The
/// measures are those by which the publication's sentence was chosen.
public struct NewsStandard: Sendable {
    private let weights: Weights
    private let titles: String
    /// The words of an earlier digest that the sentence must go beyond; empty for a new story.
    private let known: Set<String>
    private let lexicon: LeadWords?
    /// The most words, and the least share of the titles' weighted words.
    private let longest: Int
    private let leastOverlap: Double

    /// The prompts ask for thirty words; as many as a longer sentence of the publication are allowed.
    private static let words = 34
    private static let overlap = 0.3
    private static let newness = 0.3

    /// - Parameters:
    ///   - entry: The story in its publication's words.
    ///   - reports: The articles in the prompt.
    public init(_ entry: Digest.Entry, reports: [Article]) {
        weights = Weights(reports)
        titles = reports.map(\.title).joined(separator: " ")
        known = Terms.set(of: entry.update?.text ?? "")
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
        let terms = Terms.set(of: sentence)
        return weights.total(terms.subtracting(known)) >= NewsStandard.newness * weights.total(terms)
    }
}

/// A checked answer that the engine's thread extends while other threads read it.
public final class AnswerInProgress: Sendable {
    private let blank: CheckedAnswer
    /// With the number of bytes added, and of restarts.
    private let state: Mutex<(answer: CheckedAnswer, bytes: Int, tries: Int)>

    /// Further tries gain little (docs/digest.md).
    private static let mostTries = 2

    public init(_ answer: CheckedAnswer) {
        blank = answer
        state = Mutex((answer, 0, 0))
    }

    /// The answer so far.
    public var answer: CheckedAnswer { state.withLock { $0.answer } }

    /// Adds a piece of output.
    ///
    /// - Returns: Whether the answer is complete.
    public func add(_ piece: String) -> Bool {
        state.withLock { state in
            state.bytes += piece.utf8.count
            _ = state.answer.add(piece)
            return state.answer.isSettled
        }
    }

    /// Ends the output.
    ///
    /// - Parameters:
    ///   - text: The whole output, which begins with the pieces added.
    ///   - isCut: See `CheckedAnswer.finish`.
    public func finish(_ text: String, isCut: Bool) -> CheckedAnswer {
        state.withLock { state in
            _ = state.answer.add(String(decoding: text.utf8.dropFirst(state.bytes), as: UTF8.self))
            state.bytes = max(state.bytes, text.utf8.count)
            _ = state.answer.finish(isCut: isCut)
            return state.answer
        }
    }

    /// Restarts an answer without a sentence to show, if another try may help.
    ///
    /// - Returns: The number of the next try, from 1; nil to keep this answer.
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
