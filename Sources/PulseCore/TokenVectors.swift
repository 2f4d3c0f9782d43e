/// What an encoder makes of a sentence: a vector for each of its tokens.
public struct TokenVectors: Sendable {
    /// The tokens' numbers in the encoder's vocabulary.
    public var tokens: [Int32]
    /// Which of the given pieces each token is a part of.
    public var pieces: [Int]
    /// One vector after the other, each of the length 1.
    public var values: [Float]

    public init(tokens: [Int32], pieces: [Int], values: [Float]) {
        self.tokens = tokens
        self.pieces = pieces
        self.values = values
    }
}

/// Encodes sentences, each given as its words and signs.
public typealias SentenceEncoder = @Sendable ([[String]]) throws(PulseError) -> [TokenVectors]
