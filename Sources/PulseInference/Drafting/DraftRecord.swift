/// How well the drafts of one request have done after matches of one length, and so how likely the next one is to be
/// accepted.
struct DraftRecord: Hashable {
    /// How much of the answer's end stands in the prompt too. Drafts after a long match are nearly always right; two
    /// tokens in common with the prompt say little.
    enum Match: Hashable {
        /// Two or three tokens, up to seven, more.
        case short, medium, long

        /// - Parameter length: Tokens at the end of the answer that stand in the prompt too.
        init(length: Int) {
            switch length {
            case ..<4: self = .short
            case 4..<8: self = .medium
            default: self = .long
            }
        }
    }

    /// The chance that a drafted token is accepted, 0...1, as far as is known.
    private(set) var chance: Double
    private var tokensSinceDraft = 0
    /// After this many tokens without a draft, one is tried whatever the chance.
    private var retryInterval = Self.shortestInterval

    /// The weight of one more result.
    private static let weight = 0.2
    private static let shortestInterval = 16
    private static let longestInterval = 128

    init(for match: Match) {
        // Enough for a first try.
        chance =
            switch match {
            case .short: 0.5
            case .medium: 0.6
            case .long: 0.8
            }
    }

    /// Whether it is time for another try although drafts have been failing.
    var isRetryDue: Bool { tokensSinceDraft >= retryInterval }

    /// Takes note of a step.
    ///
    /// - Parameters:
    ///   - drafted: Tokens of the draft; 0: there was none.
    ///   - accepted: Those of them before the first wrong one.
    ///   - written: Tokens that the answer grew by.
    mutating func note(drafted: Int, accepted: Int, written: Int) {
        guard drafted > 0 else {
            tokensSinceDraft += written
            return
        }
        for _ in 0..<accepted { chance += Self.weight * (1 - chance) }
        if accepted < drafted { chance -= Self.weight * chance }
        if accepted > 0 {
            retryInterval = Self.shortestInterval
        } else if isRetryDue {
            retryInterval = min(Self.longestInterval, 2 * retryInterval)
        }
        tokensSinceDraft = 0
    }
}
