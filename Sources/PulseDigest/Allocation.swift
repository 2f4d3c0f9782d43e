import PulseCore

/// Selects the stories to show. The reader does not choose how much a feed brings, so each feed gets a fair share
/// (max-min fairness): feeds with less leave the rest to the others. Stories that the reader chose count as one feed.
struct Allocation {
    /// The feed whose share each story uses, by the id of its first article.
    private let feeds: [String: Int64]
    private let mostOfSection: Int
    /// For `more`; nil: `room` works it out.
    private let mostOfMore: Int?
    private var ids: Set<String> = []
    /// The numbers of selected stories: by feed, by heading and feed, and by heading.
    private var counts: [Int64?: Int] = [:]
    private var countsOfHeading: [Digest.Heading: [Int64?: Int]] = [:]
    private var taken: [Digest.Heading: Int] = [:]

    init(feeds: [String: Int64], mostOfSection: Int, mostOfMore: Int? = nil) {
        self.feeds = feeds
        self.mostOfSection = mostOfSection
        self.mostOfMore = mostOfMore
    }

    func holds(_ story: Story) -> Bool { ids.contains(story.lead.id) }

    var count: Int { ids.count }

    /// Deals stories round-robin over the sections until `most` are selected or none is left: first only stories within
    /// their feed's share, then any.
    ///
    /// - Parameter headings: All of them, in order.
    mutating func deal(_ stories: [Digest.Heading: [Story]], in headings: [Digest.Heading], upTo most: Int) {
        let share = share(of: stories.values.joined(), in: most)
        let rooms = stories.reduce(into: [:]) { $0[$1.key] = room(under: $1.key, for: $1.value) }
        let shares = stories.reduce(into: [:]) { $0[$1.key] = self.share(of: $1.value, in: rooms[$1.key, default: 0]) }
        for isFair in [true, false] {
            // A story rejected now would be rejected later, too, so each is looked at once.
            var queues = stories.mapValues { $0[...] }
            for round in 0..<(rooms.values.max() ?? 0) where ids.count < most {
                for heading in headings
                where ids.count < most && round < rooms[heading, default: 0] && taken[heading, default: 0] <= round {
                    while let next = queues[heading]?.popFirst() {
                        let feed = feeds[next.lead.id]
                        guard !holds(next),
                            !isFair
                                || counts[feed, default: 0] < share
                                    && countsOfHeading[heading, default: [:]][feed, default: 0]
                                        < shares[heading, default: 0]
                        else { continue }
                        counts[feed, default: 0] += 1
                        countsOfHeading[heading, default: [:]][feed, default: 0] += 1
                        taken[heading, default: 0] += 1
                        ids.insert(next.lead.id)
                        break
                    }
                }
            }
        }
    }

    /// `more` collects the stories of many small sections, so each of its feeds and each story that the reader chose has
    /// a slot.
    private func room(under heading: Digest.Heading, for stories: [Story]) -> Int {
        guard heading == .more, mostOfSection > 0 else { return mostOfSection }
        let used = stories.map { feeds[$0.lead.id] }
        return mostOfMore ?? max(mostOfSection, Set(used.compactMap(\.self)).count + used.count { $0 == nil })
    }

    /// How many of `room` stories each feed may have: at least one, and any number if all stories fit.
    private func share(of stories: some Sequence<Story>, in room: Int) -> Int {
        let counts = stories.reduce(into: [Int64?: Int]()) { $0[feeds[$1.lead.id], default: 0] += 1 }
        var (room, wanted) = (room, counts.values.sorted()[...])
        while let least = wanted.first {
            let share = room / wanted.count
            if least > share { return max(1, share) }
            room -= least
            wanted = wanted.dropFirst()
        }
        return .max
    }
}
