import PulseCheck
public import PulseCore

/// What a model writes of one story, sentence by sentence: each whole, cleaned, and checked against the story's reports
/// before anybody sees it. What they do not bear out is not shown, nor what follows it. However the text is cut into
/// pieces, the sentences are the same.
public struct CheckedAnswer: Sendable {
    public private(set) var sentences: [Sentence] = []
    /// How many sentences the reports do not bear out.
    public private(set) var refused = 0

    private let check: StoryCheck
    private let most: Int
    private var reader = AnswerReader()

    /// Sentences of a digest's entry, and of a summary, as the prompts ask.
    public static let entry = 2
    public static let summary = 3

    /// - Parameter most: So many sentences are shown.
    public init(_ reports: [Article], most: Int) {
        check = StoryCheck(reports)
        self.most = most
    }

    /// A whole answer.
    ///
    /// - Parameter isCut: Whether the model was stopped.
    public init(_ text: String, isCut: Bool, about reports: [Article], most: Int) {
        self.init(reports, most: most)
        _ = add(text)
        _ = finish(isCut: isCut)
    }

    /// What is told: where nothing can be shown, the publications' own sentences stand in its place.
    public func sentences(or own: [Sentence]) -> [Sentence] {
        guard sentences.isEmpty else { return sentences }
        return own.map { Sentence(text: $0.text, sources: $0.sources, origin: .replaced) }
    }

    /// The sentences that are whole now that this has come.
    public mutating func add(_ piece: String) -> [Sentence] { take(reader.add(piece)) }

    /// The rest.
    ///
    /// - Parameter isCut: Whether the model was stopped: then its last sentence is shown only if it ends as one.
    public mutating func finish(isCut: Bool = false) -> [Sentence] {
        take(reader.finish().filter { !isCut || Sentence.isWhole($0) })
    }

    private mutating func take(_ texts: [String]) -> [Sentence] {
        var taken: [Sentence] = []
        for text in texts where sentences.count + taken.count < most {
            // What follows a sentence that is not shown may lean on it, and is a detail of it more often than not.
            guard refused == 0 else { break }
            // The title again, or a piece of something.
            guard Sentence.isClosed(text) else {
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
