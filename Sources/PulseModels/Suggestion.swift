/// The name somebody probably meant.
enum Suggestion {
    /// The candidate nearest to `word`: one that contains it, or else the one with the fewest edits between them, at
    /// most a third of its length. nil when nothing is near.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased()
        if word.count >= 3, let containing = candidates.first(where: { $0.lowercased().contains(word) }) {
            return containing
        }
        let ranked = candidates.map { (name: $0, edits: edits(word, $0.lowercased())) }
        guard let best = ranked.min(by: { $0.edits < $1.edits }), best.edits <= max(2, best.name.count / 3) else {
            return nil
        }
        return best.name
    }

    /// Levenshtein distance: insertions, deletions and substitutions of characters.
    static func edits(_ first: String, _ second: String) -> Int {
        let second = Array(second)
        var row = Array(0...second.count)
        for (line, character) in first.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in second.enumerated() {
                let substitution = diagonal + (character == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substitution, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
