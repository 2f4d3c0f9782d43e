/// How far apart two spellings are: for “did you mean”.
public enum EditDistance {
    /// The number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment).
    public static func between(_ left: String, _ right: String) -> Int {
        let a = Array(left.lowercased())
        let b = Array(right.lowercased())
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }

    /// The nearest name, if it is at most two edits away, or a third of its letters; of a short word, one edit.
    public static func nearest(to word: String, among names: some Sequence<String>) -> String? {
        names.map { (name: $0, distance: between(word, $0)) }
            .filter { $0.distance <= (word.count < 4 ? 1 : max(2, $0.name.count / 3)) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }
}
