import PulseText

/// Text with the numbers of its sources behind each sentence, `… in May. [2]`, put in as the text comes.
public struct CitedText: Sendable {
    private let attribution: Attribution
    private let numbers: [String: Int]
    private var sentences = SentenceStream()

    /// - Parameters:
    ///   - stories: What the text tells of.
    ///   - first: The number of the first story; the others follow.
    public init(stories: [Story], numberedFrom first: Int) {
        attribution = Attribution(stories.flatMap(\.readings).map(\.article))
        var numbers: [String: Int] = [:]
        for (offset, story) in stories.enumerated() {
            for reading in story.readings { numbers[reading.article.id] = first + offset }
        }
        self.numbers = numbers
    }

    /// What can be shown now that this has come.
    public mutating func add(_ piece: String) -> String { text(of: sentences.add(piece)) }

    /// The rest, with the last sentence's sources.
    public mutating func finish() -> String { text(of: sentences.finish()) }

    private func text(of elements: [SentenceStream.Element]) -> String {
        elements.map { element in
            switch element {
            case .text(let text): text
            case .end(let sentence): citation(of: sentence)
            }
        }.joined()
    }

    /// The numbers of the stories that support a sentence; a question mark where none does, or where none holds one of
    /// its numbers or names; nothing where there is nothing to support.
    private func citation(of text: String) -> String {
        let sentence = attribution.attribute(text)
        guard sentence.isGrounded else { return " [?]" }
        let cited = Set(sentence.sources.compactMap { numbers[$0] }).sorted()
        return cited.isEmpty ? "" : " " + cited.map { "[\($0)]" }.joined()
    }
}
