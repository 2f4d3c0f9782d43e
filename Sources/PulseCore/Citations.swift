/// The numbers that stand behind a sentence, `… in May. [2]`: those of the stories it comes from.
public struct Citations: Sendable {
    private let numbers: [String: Int]

    /// - Parameters:
    ///   - stories: What the text tells of.
    ///   - first: The number of the first story; the others follow.
    public init(stories: [Story], numberedFrom first: Int) {
        var numbers: [String: Int] = [:]
        for (offset, story) in stories.enumerated() {
            for reading in story.readings { numbers[reading.article.id] = first + offset }
        }
        self.numbers = numbers
    }

    /// In ascending order, each once.
    public func numbers(of sentence: Sentence) -> [Int] { Set(sentence.sources.compactMap { numbers[$0] }).sorted() }

    /// The numbers in brackets; a question mark for what is not grounded; nothing where there is nothing to support.
    public func marks(of sentence: Sentence) -> String {
        guard sentence.isGrounded else { return "[?]" }
        return numbers(of: sentence).map { "[\($0)]" }.joined()
    }
}
