/// The success rate of a request's drafts after matches of one class of lengths, which predicts the next one.
struct DraftRecord: Hashable {
    /// The length of the match between the answer's end and the prompt. Drafts after a long match are nearly always
    /// right; a match of two tokens means little.
    enum Match: Hashable {
        /// Two or three tokens, four to seven, and more.
        case short, medium, long

        /// - Parameter length: tokens at the end of the answer that are in the prompt too.
        init(length: Int) {
            switch length {
            case ..<4: self = .short
            case 4..<8: self = .medium
            default: self = .long
            }
        }
    }

    /// The estimated probability that a drafted token is accepted, 0...1.
    private(set) var chance: Double
    private var tokensSinceDraft = 0
    /// After this many tokens without a draft, one is tried regardless of the probability.
    private var retryInterval = Self.shortestInterval

    /// The weight of a new result.
    private static let weight = 0.2
    private static let shortestInterval = 16
    private static let longestInterval = 128

    init(for match: Match) {
        // High enough for a first try.
        chance =
            switch match {
            case .short: 0.5
            case .medium: 0.6
            case .long: 0.8
            }
    }

    /// Whether to try a draft although drafts have been failing.
    var isRetryDue: Bool { tokensSinceDraft >= retryInterval }

    /// Records a step.
    ///
    /// - Parameters:
    ///   - drafted: tokens of the draft; 0: none.
    ///   - accepted: accepted tokens of the draft.
    ///   - written: tokens that the answer grew by.
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
