import Foundation
import PulseCore

/// How much is told of a story.
public enum StoryLength: String, Sendable, CaseIterable {
    /// A publication's headline in place of a long sentence, and a model writes less.
    case short
    case normal
    /// Two sentences of a publication, and a model writes more.
    case long

    /// The most words that a model is asked for.
    var words: Int {
        switch self {
        case .short: 20
        case .normal: 30
        case .long: 50
        }
    }

    /// The same, spelled out: “thirty”.
    func words(in language: Language) -> String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .spellOut
        formatter.locale = Locale(identifier: language.locale)
        return formatter.string(from: words as NSNumber) ?? "\(words)"
    }
}
