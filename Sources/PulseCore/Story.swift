/// One event, and every article that was read about it.
public struct Story: Sendable, Hashable {
    /// The one that tells most first, then the others, newest reading first.
    public let readings: [Reading]

    /// - Parameter readings: At least one, newest first.
    public init(_ readings: [Reading]) {
        // Of the longest texts alike, the one that was read last.
        let lead = readings.indices.max {
            (readings[$0].article.text.count, $1) < (readings[$1].article.text.count, $0)
        }
        guard let lead, lead > 0 else {
            self.readings = readings
            return
        }
        self.readings = [readings[lead]] + readings[..<lead] + readings[(lead + 1)...]
    }

    /// The article that speaks for the story.
    public var lead: Article { readings[0].article }
    public var others: ArraySlice<Reading> { readings.dropFirst() }
    public var category: Category { lead.category }
}
