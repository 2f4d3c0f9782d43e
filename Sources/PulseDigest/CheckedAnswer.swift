import PulseCheck
public import PulseCore
import PulseText

/// The sentences that a model writes about one story, each cleaned and checked against the story's reports before it is
/// shown. One that they do not support is not shown, nor any that follows it.
public struct CheckedAnswer: Sendable {
    public private(set) var sentences: [Sentence] = []
    /// How many sentences the reports do not support.
    public private(set) var refused = 0

    private let check: StoryCheck
    private let most: Int
    private var reader = AnswerReader()

    /// Sentences of a digest's entry, and of a summary, as the prompts ask.
    public static let entry = 2
    public static let summary = 3

    /// - Parameter most: The largest number of sentences shown.
    public init(_ reports: [Article], most: Int) {
        check = StoryCheck(reports)
        self.most = most
    }

    /// What to show: the model's sentences, or the publications' own where none of them can be shown.
    public func sentences(or own: [Sentence]) -> [Sentence] {
        guard sentences.isEmpty else { return sentences }
        return own.map { Sentence(text: $0.text, sources: $0.sources, origin: .replaced) }
    }

    /// The sentences that are complete now.
    public mutating func add(_ piece: String) -> [Sentence] { take(reader.add(piece)) }

    /// The rest.
    ///
    /// - Parameter isCut: Whether the model was stopped: then its last sentence is shown only if it ends as one.
    public mutating func finish(isCut: Bool = false) -> [Sentence] {
        let isLost = isLost
        let taken = take(reader.finish().filter { !isCut || Sentence.isWhole($0) })
        if isLost, sentences.isEmpty { refused = max(1, refused) }
        return taken
    }

    /// Whether nothing that may follow can be shown: then the model need not write it.
    public var isSettled: Bool { refused > 0 || sentences.count >= most || isLost }

    /// Whether the first sentence begins with words that no report has in a row.
    private var isLost: Bool {
        guard let front = reader.front else { return false }
        return !check.mayPass(beginning: front)
    }

    private mutating func take(_ texts: [String]) -> [Sentence] {
        var taken: [Sentence] = []
        for text in texts where sentences.count + taken.count < most {
            // What follows a refused sentence is mostly a detail of it.
            guard refused == 0 else { break }
            // The title again, or a piece of something.
            guard Sentences.isClosed(text) else {
                refused += 1
                continue
            }
            switch check.verdict(on: text) {
            case .quoted(let sources): taken.append(Sentence(text: text, sources: sources, origin: .copied))
            case .supported(let sources): taken.append(Sentence(text: text, sources: sources, origin: .written))
            case .refused: refused += 1
            }
        }
        sentences += taken
        return taken
    }
}
