/// What a guess stands on. Each comes true as often as it does: what goes on with a long repetition nearly always, what
/// two words have in common with the prompt now and then.
enum GuessGround: Hashable, CaseIterable {
    /// The way on in the source of a grounded answer.
    case source
    /// The end of the answer stands in the prompt, by so many tokens: two or three, up to seven, more.
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
        case .source, .medium: 0.6
        case .short: 0.5
        case .long: 0.8
        }
    }
}
