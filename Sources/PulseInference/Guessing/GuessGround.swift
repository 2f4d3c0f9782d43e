/// What a guess stands on: the end of the answer stands in the prompt too, by so many tokens. What goes on with a long
/// repetition comes true nearly always, what two words have in common with the prompt now and then.
enum GuessGround: Hashable, CaseIterable {
    /// Two or three tokens, up to seven, more.
    case short, medium, long

    /// - Parameter match: Tokens at the end of the answer that stand in the prompt too.
    init(match: Int) {
        switch match {
        case ..<4: self = .short
        case 4..<8: self = .medium
        default: self = .long
        }
    }

    /// The chance that is assumed at first: enough for a try.
    var firstChance: Double {
        switch self {
        case .short: 0.5
        case .medium: 0.6
        case .long: 0.8
        }
    }
}
