/// A sentence's vectors by an encoder model: one per token.
public struct TokenVectors: Sendable {
    /// The tokens' ids in the encoder's vocabulary.
    public var tokens: [Int32]
    /// The index of the piece that each token is part of.
    public var pieces: [Int]
    /// The vectors in a row, each normalised to length 1.
    public var values: [Float]

    public init(tokens: [Int32], pieces: [Int], values: [Float]) {
        self.tokens = tokens
        self.pieces = pieces
        self.values = values
    }
}

/// Encodes sentences. Each is given as its pieces: words and punctuation.
public typealias SentenceEncoder = @Sendable ([[String]]) throws(PulseError) -> [TokenVectors]
