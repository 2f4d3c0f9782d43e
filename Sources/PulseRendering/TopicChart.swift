/// The topics of a digest as bars, one line each, for a terminal: how much of the day each had.
enum TopicChart {
    /// Topics beyond this would push the text off the screen.
    private static let mostRows = 12
    private static let longestBar = 30
    /// A bar shorter than this compares nothing.
    private static let shortestBar = 8

    /// - Returns: Lines, each with its end; nothing where there is nothing to compare, or no room for it.
    static func render(_ topics: [DigestOutline.Topic], style: TextStyle) -> String {
        guard let width = style.width, topics.count > 1 else { return "" }
        // The largest, in the order in which the digest tells them.
        let largest = topics.indices.sorted { (-topics[$0].articles, $0) < (-topics[$1].articles, $1) }.prefix(mostRows)
        let rows = largest.sorted().map { index in
            (name: DisplayWidth.clip(topics[index].name, to: 20), articles: topics[index].articles)
        }
        let most = rows.map(\.articles).max() ?? 0
        let names = rows.map { DisplayWidth.of($0.name) }.max() ?? 0
        let bar = min(longestBar, width - names - 2 - 1 - "\(most)".count)
        guard bar >= shortestBar, most > 0 else { return "" }
        return rows.map { row in
            style.dim(row.name.padding(to: names)) + "  " + cells(row.articles, of: most, in: bar)
                + style.dim(" \(row.articles)") + "\n"
        }.joined()
    }

    /// Whole and half cells, which every terminal font has; at least half a one, because what is there is seen.
    private static func cells(_ count: Int, of most: Int, in columns: Int) -> String {
        let halves = max(1, (count * columns * 2 + most / 2) / most)
        return String(repeating: "█", count: halves / 2) + (halves % 2 == 1 ? "▌" : "")
    }
}
