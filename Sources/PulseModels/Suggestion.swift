import PulseText

/// The name of a model that somebody probably meant.
enum Suggestion {
    /// The candidate that contains `word`, since models' names are long and people know a part of them, or else the
    /// one with the nearest spelling. nil when nothing is near.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased()
        if word.count >= 3, let containing = candidates.first(where: { $0.lowercased().contains(word) }) {
            return containing
        }
        return EditDistance.nearest(to: word, among: candidates)
    }
}
