public import PulseCore
import PulseText
import Synchronization

/// A model's sentences about one story, each cleaned and checked against the story's articles.
public struct CheckedAnswer: Sendable {
    /// The sentences to show.
    public private(set) var sentences: [Sentence] = []
    /// How many sentences did not pass the check.
    public private(set) var refused = 0

    private let mode: CheckMode
    /// Created when the first sentence needs them, because splitting a day's articles takes time, and the model is
    /// still being loaded meanwhile.
    private let check: Deferred<SentenceCheck>
    private let story: Deferred<StoryCriteria?>
    /// Only for a summary.
    private let summary: Deferred<SummaryCriteria>?
    /// Whether a story's or summary's sentence was not shown. Later ones usually depend on it: they are not shown.
    private var isBroken = false
    /// Nil for a story or a summary.
    private let question: QuestionCriteria?
    /// Whether the model wrote that the question has no answer.
    private var saysNothing = false
    private let lexicon: LeadLexicon?
    private var refusedInRow = 0
    /// The ids of the articles.
    private let sources: [String]
    private let most: Int
    private var reader = AnswerCleaner()
    private var isFinished = false
    /// How many words the unfinished sentence had when evidence for it was last encoded.
    private var wordsAhead = 0
    /// After this many more words, the next sentence of evidence is encoded. A sentence of news has thirty words, and
    /// is compared with up to five sentences.
    private static let wordsBetween = 4

    /// The most sentences of a digest entry, and of a summary, as in the prompts.
    public static let entry = 1
    public static let summary = 3
    /// The most sentences of an answer to a question, and how many refused ones in a row end it.
    public static let answer = 6
    private static let mostRefusedInRow = 3

    /// - Parameters:
    ///   - most: The most sentences to show.
    ///   - writer: The class of the model that writes.
    ///   - model: Judges paraphrases, each time waiting for its encoder's thread; nil: only quotations pass.
    ///   - story: What a sentence needs besides passing the check; nil: nothing.
    ///   - question: The same for an answer to a question. The sentence after a refused one is only shown if it does
    ///     not begin with a pronoun or connective.
    public init(
        _ reports: [Article], most: Int, mode: CheckMode = .replace, writer: ModelReliability = .small,
        model: ParaphraseModel? = nil, story: @autoclosure @escaping @Sendable () -> StoryCriteria? = nil,
        question: QuestionCriteria? = nil
    ) {
        self.question = question
        lexicon = question == nil ? nil : reports.first?.supportedLanguage?.leadLexicon
        check = Deferred { SentenceCheck(reports, writer: writer, model: model) }
        self.mode = mode
        self.story = Deferred(story)
        summary = most == Self.summary && question == nil ? Deferred { SummaryCriteria(reports) } : nil
        sources = reports.map(\.id)
        self.most = most
    }

    /// The unfinished sentence, not yet checked; empty if none will be shown, or if the model may only quote: then it
    /// picks a sentence and writes none.
    public var unfinished: String {
        isSettled || isFinished || mode == .replace && !check.value.readsOwnWords ? "" : reader.unfinished
    }

    /// Adds a piece of output. Returns the completed sentences to show.
    public mutating func add(_ piece: String) -> [Sentence] {
        let taken = take(reader.add(piece))
        if mode != .off { encodeAhead() }
        return taken
    }

    private mutating func encodeAhead() {
        let front = unfinished
        let words = front.wordCount
        // Another sentence has begun.
        if words < wordsAhead { wordsAhead = 0 }
        guard words >= wordsAhead + Self.wordsBetween else { return }
        wordsAhead = words
        check.value.encodeAhead(for: front)
    }

    /// Ends the output. Returns the remaining sentences to show.
    ///
    /// - Parameter isCut: Whether the model was stopped. Then an incomplete last sentence is dropped, or, with `.off`,
    ///   shown with an “…”.
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

    /// Whether the model says that the articles do not answer the question.
    public var saysNoAnswer: Bool { sentences.isEmpty && saysNothing }
    /// Whether the articles lack a name or a number of the question, so that no sentence is shown.
    public var isUnanswerable: Bool { question?.isAnswerable == false }

    /// Whether no further sentence can be shown, so that generation can stop.
    public var isSettled: Bool {
        sentences.count >= most || isBroken
            || mode == .replace && (isLost || reader.isEndless || refusedInRow >= Self.mostRefusedInRow)
    }

    /// Whether the first sentence's beginning cannot pass.
    private var isLost: Bool {
        guard mode == .replace, question == nil, let front = reader.front else { return false }
        return !check.value.mayPass(beginning: front)
    }

    /// Whether another try may give a sentence that can be shown.
    var isWorthAnotherTry: Bool {
        mode == .replace && sentences.isEmpty && (isBroken || refused > 0) && check.value.readsOwnWords
    }

    private mutating func take(_ texts: [String]) -> [Sentence] {
        var taken: [Sentence] = []
        for text in texts where sentences.count + taken.count < most {
            guard !isBroken else { break }
            guard let sentence = checked(withoutOwnMarks(text)) else {
                refusedInRow += 1
                continue
            }
            refusedInRow = 0
            taken.append(question?.sources(of: sentence) ?? sentence)
        }
        sentences += taken
        return taken
    }

    /// The sentence without quotation marks around it, if the articles have its words outside of quotations.
    private func withoutOwnMarks(_ text: String) -> String {
        guard mode != .off, text.isSpeech else { return text }
        let bare = text.last == "." ? text.dropFirst().dropLast(2) + "." : String(text.dropFirst().dropLast())
        return judgement(on: bare).kind == .refused ? text : bare
    }

    /// Checks a sentence; nil if it is not shown.
    private mutating func checked(_ text: String) -> Sentence? {
        guard mode != .off || question != nil && text.wordCount <= 2 else {
            return Sentence(text: text, sources: sources, origin: .written)
        }
        guard !AssistantOrders.isOrder(text) else {
            refused += 1
            isBroken = question == nil
            return nil
        }
        let isNews = !Sentences.isClosed(text) || isNews(text)
        if mode == .replace, !isNews {
            isBroken = true
            return nil
        }
        if let question {
            // “Nothing.” means that the question has no answer.
            if text.wordCount <= 2 { saysNothing = true }
            guard text.wordCount > 2, question.areMet(by: text),
                refusedInRow == 0 || mode == .mark || lexicon?.pointsBack(text) != true
            else {
                if mode == .replace { refused += 1 }
                return nil
            }
        }
        let judgement = judgement(on: text)
        switch judgement.kind {
        case .quoted where !isNews, .supported where !isNews:
            isBroken = true
            return nil
        case .quoted, .supported: return shown(text, judgement)
        case .refused:
            if mode == .replace, let front = withoutDoubtfulEnd(text, judgement) { return front }
            // An echo of the prompt or a badly cut sentence is no unsupported claim, so it is not marked.
            guard mode == .mark, judgement.refusal == nil || judgement.refusal == .words else {
                if mode == .replace { refused += 1 }
                isBroken = question == nil
                return nil
            }
            refused += 1
            let doubtful = judgement.doubtful.isEmpty ? [text.startIndex..<text.endIndex] : judgement.doubtful
            return Sentence(
                text: text, sources: sources, origin: .written,
                doubtful: doubtful.map {
                    let start = text.distance(from: text.startIndex, to: $0.lowerBound)
                    return start..<(start + text.distance(from: $0.lowerBound, to: $0.upperBound))
                })
        }
    }

    /// Refuses a text that does not end like a sentence: it is the title, or a fragment. If the encoder fails, only
    /// quotations pass.
    private func judgement(on text: String) -> SentenceVerdict {
        guard Sentences.isClosed(text) else { return SentenceVerdict(kind: .refused, refusal: .cut) }
        return (try? check.value.verdict(text)) ?? SentenceVerdict(kind: .refused, refusal: .words)
    }

    /// The sentence without a doubtful end, if the rest passes and is still news.
    private func withoutDoubtfulEnd(_ text: String, _ judgement: SentenceVerdict) -> Sentence? {
        guard let (front, judgement) = try? check.value.withoutDoubtfulEnd(text, judgement), isNews(front) else {
            return nil
        }
        return shown(front, judgement)
    }

    private func isNews(_ text: String) -> Bool {
        story.value?.areMet(by: text) != false && summary?.value.areMet(by: text) != false
    }

    /// - Parameter judgement: The verdict with which it passed.
    private func shown(_ text: String, _ judgement: SentenceVerdict) -> Sentence {
        guard judgement.kind == .quoted else {
            return Sentence(text: text, sources: judgement.sources, origin: .written)
        }
        return Sentence(
            text: judgement.isCut ? text.cutShort : text, sources: judgement.sources,
            origin: judgement.isPart ? .shortened : .copied)
    }
}

extension [Sentence] {
    /// A model's sentences; if there are none, the publication's own, marked as replacements.
    public func orReplacements(_ own: [Sentence]) -> [Sentence] {
        guard isEmpty else { return self }
        return own.map { Sentence(text: $0.text, title: $0.title, sources: $0.sources, origin: .replaced) }
    }
}

/// A checked answer that the engine's thread extends while other threads read it.
public final class AnswerInProgress: Sendable {
    /// For restarts.
    private let blank: CheckedAnswer
    /// `bytes` counts what was added, `tries` the restarts.
    private let state: Mutex<(answer: CheckedAnswer, bytes: Int, tries: Int)>

    /// More tries gain little (docs/digest.md).
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

    /// Ends the output; see `CheckedAnswer.finish`.
    ///
    /// - Parameter text: The whole output, which begins with the pieces added.
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

/// A value that is created once, at its first use.
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
