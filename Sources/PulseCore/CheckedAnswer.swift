import PulseText

/// What a model writes, sentence by sentence: each whole, cleaned, and compared with its articles before anybody sees
/// it. The sentences that come out are those that every format shows; however the text is cut into pieces, they are the
/// same.
///
/// A sentence that the articles do not support, or that holds a number, a date or a name that they do not hold, is not
/// shown. In its place comes the publisher's own sentence that is nearest to it, cited; where there is none, or it was
/// told already, nothing does.
public struct CheckedAnswer: Sendable {
    /// How the model wrote.
    public enum Writing: Sendable {
        /// As it liked.
        case free
        /// By taking sentences from its articles, whole or joined.
        case grounded
    }

    public private(set) var sentences: [Sentence] = []
    public private(set) var corrections = Corrections()

    private let attribution: Attribution
    private let writing: Writing
    private var reader = AnswerReader()
    private var stream = SentenceStream()
    private var told: Set<String> = []
    /// How much more may be said, in characters.
    private var room: Int

    /// - Parameter articles: What the model writes about. What it says of them is never longer than they are.
    public init(_ articles: [Article], writing: Writing) {
        attribution = Attribution(articles)
        self.writing = writing
        room = articles.reduce(0) { $0 + CheckedAnswer.length(of: $1.text) }
    }

    /// The sentences that are whole now that this has come.
    public mutating func add(_ piece: String) -> [Sentence] {
        switch writing {
        case .free: check(reader.add(piece))
        case .grounded: check(CheckedAnswer.ends(stream.add(piece)))
        }
    }

    /// The rest.
    ///
    /// - Parameter isCut: Whether the model was stopped: then its last sentence is shown only if it ends as one.
    public mutating func finish(isCut: Bool = false) -> [Sentence] {
        let rest: [String] =
            switch writing {
            case .free: reader.finish()
            case .grounded: CheckedAnswer.ends(stream.finish())
            }
        return check(rest.filter { !isCut || Attribution.isWhole($0) })
    }

    /// All sentences in one text.
    public var text: String { sentences.joinedText }

    private static func ends(_ elements: [SentenceStream.Element]) -> [String] {
        elements.compactMap { if case .end(let sentence) = $0 { PlainText.line(sentence) } else { nil } }
            .filter { !$0.isEmpty }
    }

    private mutating func check(_ texts: [String]) -> [Sentence] {
        let checked = texts.compactMap { fitting(check($0)) }
        sentences += checked
        return checked
    }

    /// Nil for what would make the text longer than what it tells of.
    private mutating func fitting(_ sentence: Sentence?) -> Sentence? {
        guard let sentence else { return nil }
        let length = CheckedAnswer.length(of: sentence.text)
        let isReplacement = sentence.origin == .publisher
        guard length <= room else {
            if isReplacement { corrections.dropped += 1 }
            return nil
        }
        if isReplacement { corrections.replaced += 1 }
        room -= length
        return sentence
    }

    private static func length(of text: String) -> Int { text.reduce(0) { $1.isWhitespace ? $0 : $0 + 1 } }

    private mutating func check(_ written: String) -> Sentence? {
        let text = Citations.removed(from: written)
        let verdict = attribution.verdict(on: text)
        if verdict.isGrounded, writing == .free || verdict.isQuoted || verdict.isEmpty || attribution.isSoundJoin(text)
        {
            // The model may come to what was put in its place already.
            guard !verdict.isQuoted || told.insert(Evidence.plain(text)).inserted else { return nil }
            return Sentence(
                text: text, sources: verdict.sources, isGrounded: true, origin: verdict.isQuoted ? .copied : .model)
        }
        let own = writing == .grounded ? attribution.beginning(of: text) : attribution.nearest(to: text)
        guard let own, told.insert(Evidence.plain(own.text)).inserted else {
            corrections.dropped += 1
            return nil
        }
        let sources = attribution.verdict(on: own.text).sources
        return Sentence(
            text: Citations.removed(from: own.text), sources: sources.isEmpty ? [own.source] : sources,
            isGrounded: true, origin: .publisher)
    }
}

/// What became of the sentences that the articles did not support.
public struct Corrections: Sendable, Hashable, Codable {
    /// Those that the publisher's own stand for.
    public var replaced: Int
    /// Those that nothing stands for.
    public var dropped: Int

    public init(replaced: Int = 0, dropped: Int = 0) {
        self.replaced = replaced
        self.dropped = dropped
    }

    public var all: Int { replaced + dropped }

    public static func + (left: Corrections, right: Corrections) -> Corrections {
        Corrections(replaced: left.replaced + right.replaced, dropped: left.dropped + right.dropped)
    }
}

extension Sequence<Sentence> {
    /// The sentences one behind the other: with a space between, where the script has any.
    public var joinedText: String { reduce("") { $0 + Sentence.gap(after: $0) + $1.text } }
}

extension Sentence {
    /// What belongs between a text and the sentence that follows it.
    public static func gap(after text: String) -> String {
        text.isEmpty || text.last.map("。！？｡".contains) == true ? "" : " "
    }
}
