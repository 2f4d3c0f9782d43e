import PulseApp
import PulseCore
import PulseDigest
import PulseRendering
import PulseStore
import PulseText

import struct Foundation.TimeInterval

extension Command {
    static let related = Command(
        "related", operands: "<number|id|url>", arity: 1...1,
        summary: "list what else you read about the same thing",
        details: """
            Articles that you read within 90 days before or after it: those of the same story, and those that share
            its rarer words. The most alike come first; then those that are near by their meaning only, as far as what
            you read was made ready to be asked about (see pulse-digest ask).
            """, options: [.limit, .format([.text, .json])], resolving: \.list
    ) { context throws(PulseError) in
        let reading = try context.articleFinder.find(context.operands[0])
        context.noteOnTerminal("Related to: \(PlainText.line(reading.article.title))")
        let days: TimeInterval = 90 * 86_400
        let period = Period(
            from: reading.readAt.addingTimeInterval(-days), to: reading.readAt.addingTimeInterval(days))
        let readings = try context.reading { store throws(PulseError) in try store.readings(in: period) }
        let near = try await context.articleSearch.near(reading.article, in: period, limit: context.arguments.limit)
        var compared = nearest(readings, to: reading)
        let known = Set(compared.map(\.article.id))
        compared += near.map(\.reading).filter { !known.contains($0.article.id) }
        let related = Related.readings(
            to: reading.article, among: compared,
            near: Dictionary(near.map { ($0.reading.article.id, $0.nearness ?? 0) }) { first, _ in first }
        ).prefix(context.arguments.limit)
        try await context.page(
            context.arguments.isJSON
                ? HistoryJSON.related(related.map { ($0.reading, $0.likeness, $0.isSameStory, $0.nearness) })
                : HistoryText.list(related.map(\.reading), style: context.style),
            isJSON: context.arguments.isJSON)
        if related.isEmpty { context.note("Nothing else in the history is about it.") }
    }

    /// Who reads more than this is answered from what was read at about the same time, within a second or two.
    private static let mostCompared = 5000

    private static func nearest(_ readings: [Reading], to reading: Reading) -> [Reading] {
        guard readings.count > mostCompared else { return readings }
        func distance(_ other: Reading) -> TimeInterval { abs(other.readAt.timeIntervalSince(reading.readAt)) }
        return Array(readings.sorted { distance($0) < distance($1) }.prefix(mostCompared))
    }
}
