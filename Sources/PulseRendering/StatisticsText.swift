public import PulseCore

/// The history in numbers, as lines, with a bar for each category.
public enum StatisticsText {
    public static func render(_ statistics: HistoryStatistics, style: TextStyle) -> String {
        var rows = [
            ("articles", "\(statistics.articles)"), ("sources", "\(statistics.sources)"),
            ("days with reading", "\(statistics.daysRead)"),
        ]
        if let first = statistics.firstReadAt, let last = statistics.lastReadAt {
            rows.append(("first read", DateText.compact(first, in: style.timeZone)))
            rows.append(("last read", DateText.compact(last, in: style.timeZone)))
        }
        if statistics.digests > 0 { rows.append(("digests kept", "\(statistics.digests)")) }
        if statistics.approximate > 0 { rows.append(("reading time unknown", "\(statistics.approximate)")) }
        var text = rows.map { style.dim($0.padding(to: 22)) + $1 + "\n" }.joined()
        guard let most = statistics.categories.map(\.articles).max(), most > 0 else { return text }
        text += "\n"
        for count in statistics.categories {
            let name = DisplayWidth.clip(count.category.name, to: 20)
            // At least one cell: what is there is seen.
            let bar = String(repeating: "█", count: max(1, count.articles * 30 / most))
            text += name.padding(to: 22) + bar + " \(count.articles)\n"
        }
        return text
    }
}
