/// What a model answered to one prompt, as it came: before it was checked.
public struct KeptAnswer: Sendable, Hashable, Codable {
    public let text: String
    /// True where the limit of tokens ended it.
    public let isCut: Bool

    public init(text: String, isCut: Bool) {
        self.text = text
        self.isCut = isCut
    }
}
