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

    /// A text without what looks like one of these marks: an article that says “[2]”, or a model that writes it, does
    /// not speak for the program.
    static func removed(from text: String) -> String {
        guard text.contains("[") else { return text }
        let clean = text.replacing(#/ ?\[(?:\?|\d{1,4}(?: ?[,;–-] ?\d{1,4})*)\]/#, with: "")
        return clean.isEmpty ? text.filter { $0 != "[" && $0 != "]" } : clean
    }

    /// The numbers in brackets; a question mark for what is not grounded; nothing where there is nothing to support.
    public func marks(of sentence: Sentence) -> String {
        guard sentence.isGrounded else { return "[?]" }
        return numbers(of: sentence).map { "[\($0)]" }.joined()
    }
}
