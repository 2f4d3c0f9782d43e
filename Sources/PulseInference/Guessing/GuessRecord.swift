/// How well the guesses of one request that stood on one ground have come true, and so how likely the next one is.
struct GuessRecord: Hashable {
    /// The chance that a guess comes true, 0...1, as far as is known.
    private(set) var chance: Double
    /// Tokens written since the last guess.
    private var silence = 0
    /// After so many, one guess is made whatever the chance.
    private var patience = Self.shortestPatience

    /// The weight of one more result.
    private static let weight = 0.2
    private static let shortestPatience = 16
    private static let longestPatience = 128

    init(on ground: GuessGround) { chance = ground.firstChance }

    /// Whether it is time for another try although guesses have been failing.
    var isDue: Bool { silence >= patience }

    /// So many guesses were made, and so many of them came true before the first that did not.
    mutating func note(made: Int, accepted: Int) {
        guard made > 0 else { return }
        for _ in 0..<accepted { chance += Self.weight * (1 - chance) }
        if accepted < made { chance -= Self.weight * chance }
        patience = accepted > 0 ? Self.shortestPatience : min(Self.longestPatience, patience * (isDue ? 2 : 1))
        silence = 0
    }

    /// So many tokens were written without a guess.
    mutating func noteSilence(_ tokens: Int) {
        silence += tokens
    }
}
