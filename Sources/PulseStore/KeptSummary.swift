public import PulseCore

/// A text as it was written, and what stands behind each of its sentences.
public struct KeptSummary: Sendable, Hashable, Codable {
    public let text: String
    public let sentences: [Sentence]
    /// True where the model saw the front of the article only.
    public let isShortened: Bool
    public let corrections: Corrections
    public let model: ModelIdentity
    public let timing: Timing

    public init(
        text: String, sentences: [Sentence], isShortened: Bool = false, corrections: Corrections = Corrections(),
        model: ModelIdentity, timing: Timing = Timing()
    ) {
        self.text = text
        self.sentences = sentences
        self.isShortened = isShortened
        self.corrections = corrections
        self.model = model
        self.timing = timing
    }
}
