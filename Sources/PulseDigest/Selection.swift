public import PulseCore
import PulseText

import struct Foundation.Date

/// The stories of a digest: chosen, put under headings and ordered, up to a limit.
public struct Selection: Sendable {
    /// The stories under one heading: followed ones first, then those that most publications tell, then the newest.
    public struct Section: Sendable, Hashable {
        public let heading: Digest.Heading
        /// Shown in sentences.
        public let told: [Story]
        /// Shown by title only.
        public let titled: [Story]
        /// How many more articles were read.
        public let omitted: Int
    }

    /// Followed categories first, then by the weight of their largest story, then in the order of `Category`, then
    /// publications; `more` is last. None is empty.
    public let sections: [Section]
    /// How many articles of the wanted categories are muted.
    public let muted: Int
    /// The weights of the articles' words.
    let weights: Weights
    /// What is new in stories that were told before, by the id of their first article.
    private let updates: [String: Digest.Entry]

    /// Readers skip more sentences than this under one heading (docs/digest.md).
    public static let mostTold = 6
    /// More titles would be a list, which `history list` is for.
    public static let mostTitled = 6
    /// How many stories a publication without categories needs for a heading of its own, and how many a category that
    /// is not one of the known: a heading over a single line says nothing that the line does not.
    private static let smallSource = 3
    private static let smallCategory = 2
    /// How many headings there are beside `more`, and how many of them may have the stories of one feed only.
    private static let mostSections = 12
    private static let mostOwnSections = 3

    /// Leaves out sources that are muted or not asked for, merges what several sources tell into one story, and leaves
    /// out muted stories. Followed stories then get up to half of the places. For the rest the sections take turns,
    /// each giving its next story, until the limit is reached, so that neither a busy section nor a followed one can
    /// push out a quiet one. Nor can a busy feed: see `Places`. The result is always the same: readings of the same
    /// instant are ordered by their id.
    ///
    /// A story that was told before is told by what is new in it. Where that is nothing, it takes nobody's place: it
    /// comes last, by its title.
    ///
    /// - Parameters:
    ///   - limit: The largest number of stories told, over all sections; and of those shown by title.
    ///   - earlier: What the reader was told before, the oldest first.
    ///   - isWeek: The reports of one story may be days apart, and a story weighs as much as was read of it; no titles.
    public init(
        from readings: [Reading], interests: Interests = Interests(), limit: Int, earlier: [ToldStory] = [],
        isWeek: Bool = false
    ) {
        let wanted = readings.filter { interests.wantsSource(of: $0.article) }
        let heard = wanted.filter { !interests.mutesSource(of: $0.article) }.sorted(by: Selection.newestFirst)
        let articles = heard.map(\.article)
        let (weights, words) = Weights.reading(articles)
        self.weights = weights
        let merger = StoryMerger(articles, words: words, weights: weights)
        let groups = (isWeek ? merger.threads() : merger.groups()).filter { group in
            interests.wants(Story(group.map { heard[$0] }).category)
        }
        let left = groups.map { group in interests.unmuted(group.map { heard[$0] }).map { group[$0] } }
            .filter { !$0.isEmpty }
        let stories = left.map { group in Story(group.map { heard[$0] }) }
        let (updates, repeats) = Selection.updates(of: stories, left, articles, earlier, weights)
        self.updates = updates
        let silenced = wanted.filter { interests.mutesSource(of: $0.article) && interests.wants($0.article.category) }
        muted = silenced.count + groups.reduce(0) { $0 + $1.count } - Selection.articles(in: stories)

        let followed = Set(stories.filter(interests.follows).map(\.lead.id))
        // Swift's sort is stable: stories of the same weight stay in the order of their newest reading.
        func size(_ story: Story) -> Int { isWeek ? story.readings.count : story.weight }
        let weighed = stories.map { (story: $0, isFollowed: followed.contains($0.lead.id), weight: size($0)) }
        let ordered = weighed.sorted { left, right in
            left.isFollowed == right.isFollowed ? left.weight > right.weight : left.isFollowed
        }.map(\.story)
        let inTurn = ordered.filter { !repeats.contains($0.lead.id) } + ordered.filter { repeats.contains($0.lead.id) }
        let voices = Selection.voices(of: inTurn)
        let queues = Selection.headed(inTurn, interests, voices)
        let news = queues.mapValues { $0.filter { !repeats.contains($0.lead.id) } }
        var dealt = Places(voices: voices, mostOfSection: Selection.mostTold)
        dealt.deal(
            news.mapValues { $0.filter { followed.contains($0.lead.id) } }, in: Selection.order, upTo: (limit + 1) / 2)
        dealt.deal(news, in: Selection.order, upTo: limit)
        let places = dealt
        let rest = queues.mapValues { $0.filter { !places.holds($0) } }
        var titles = Places(voices: voices, mostOfSection: isWeek ? 0 : Selection.mostTitled)
        titles.deal(rest, in: Selection.order, upTo: limit)

        let headings = queues.keys.sorted { left, right in
            let (first, second) = (interests.follows(left), interests.follows(right))
            if first != second { return first }
            if (left == .more) != (right == .more) { return right == .more }
            let weights = (queues[left]?.map(size).max() ?? 0, queues[right]?.map(size).max() ?? 0)
            return weights.0 == weights.1 ? Selection.order(left, right) : weights.0 > weights.1
        }
        sections = headings.map { heading in
            let rest = rest[heading, default: []]
            return Section(
                heading: heading, told: queues[heading, default: []].filter(places.holds),
                titled: rest.filter(titles.holds), omitted: Selection.articles(in: rest.filter { !titles.holds($0) }))
        }
    }

    /// What is new in the stories that were told before, by the id of their first article, and those of all whose
    /// articles are new and tell nothing new. Of a story that has articles of an earlier digest, the reader asked
    /// again.
    private static func updates(
        of stories: [Story], _ groups: [[Int]], _ articles: [Article], _ earlier: [ToldStory], _ weights: Weights
    ) -> (updates: [String: Digest.Entry], repeats: Set<String>) {
        guard !earlier.isEmpty else { return ([:], []) }
        let all = articles + earlier.flatMap(\.articles)
        let (wider, words) = Weights.reading(all)
        let known = StoryUpdates(
            StoryMerger(all, words: words, weights: wider), groups: groups, earlier: earlier
        ).known
        let teller = StoryTeller(weights)
        var (updates, repeats): ([String: Digest.Entry], Set<String>) = ([:], [])
        for (story, known) in zip(stories, known) {
            guard let known else { continue }
            if let entry = teller.tell(story, after: known) {
                updates[story.lead.id] = entry
            } else if !story.articles.contains(where: { known.articles.contains($0.id) }) {
                repeats.insert(story.lead.id)
            }
        }
        return (updates, repeats)
    }

    /// Each story under its heading: its category, the publication where it has none, and what would stand alone
    /// together. So does what would be a heading too many: what one feed calls its entries, other feeds' stories must
    /// not be looked for below. Nor are they called like a publication, or like a heading of the program's own.
    private static func headed(
        _ stories: [Story], _ interests: Interests, _ voices: [String: Int64]
    ) -> [Digest.Heading: [Story]] {
        let taken = Set(stories.flatMap(\.articles).map { Words.name($0.source) })
            .union(Language.allCases.flatMap(\.phrases.headings).map(Words.name))
        func isOwn(_ category: Category) -> Bool { Category.known.contains(category) || interests.asks(for: category) }
        func heading(_ story: Story) -> Digest.Heading {
            let category = story.category
            if category != .general, isOwn(category) || !taken.contains(Words.name(category.name)) {
                return .category(category)
            }
            return story.lead.source.isEmpty ? .more : .source(story.lead.source)
        }
        let all = Dictionary(grouping: stories, by: heading)
        func isKnown(_ heading: Digest.Heading) -> Bool {
            guard case .category(let category) = heading else { return false }
            return isOwn(category)
        }
        // The known ones first, then those of several feeds, then the largest.
        let wanted = all.filter { heading, stories in
            if case .source = heading { return stories.count >= smallSource }
            return heading != .more && (isKnown(heading) || stories.count >= smallCategory)
        }.map { (heading: $0, tellers: Set($1.map { voices[$0.lead.id] }), size: $1.count) }.sorted { left, right in
            if isKnown(left.heading) != isKnown(right.heading) { return isKnown(left.heading) }
            let (first, second) = ((left.tellers.count, left.size), (right.tellers.count, right.size))
            return first == second ? order(left.heading, right.heading) : first > second
        }
        // Who follows one feed only has no others to look for.
        let isShared = Set(voices.values).count > 1 || voices.count < stories.count
        var own: [Int64: Int] = [:]
        let allowed = wanted.filter { heading in
            guard isShared, heading.tellers.count == 1, let teller = heading.tellers.first ?? nil else { return true }
            own[teller, default: 0] += 1
            return own[teller, default: 0] <= mostOwnSections
        }
        let headings = Set(allowed.prefix(mostSections).map(\.heading))
        return Dictionary(grouping: stories) { story in
            let heading = heading(story)
            return headings.contains(heading) ? heading : .more
        }
    }

    /// The feed that each story counts for, by the id of its first article: of several, the one that tells least, since
    /// a busy feed must not use up another's share by telling the same. None where the reader chose it.
    private static func voices(of stories: [Story]) -> [String: Int64] {
        let counts = stories.reduce(into: [Int64: Int]()) { counts, story in
            for feed in Set(story.readings.compactMap(\.feed)) { counts[feed, default: 0] += 1 }
        }
        return stories.reduce(into: [:]) { voices, story in
            guard story.readings.allSatisfy({ $0.feed != nil }) else { return }
            voices[story.lead.id] = story.readings.compactMap(\.feed).min {
                (counts[$0, default: 0], $0) < (counts[$1, default: 0], $1)
            }
        }
    }

    /// Categories in their order, then publications by name.
    private static func order(_ left: Digest.Heading, _ right: Digest.Heading) -> Bool {
        switch (left, right) {
        case (.category(let first), .category(let second)): first < second
        case (.source(let first), .source(let second)): first < second
        case (.category, _): true
        case (.source, .more): true
        default: false
        }
    }

    /// Which stories are shown. Nobody chose how much a feed brings, so each has a share: what all may have so that there
    /// is enough for all, and those that want less leave the rest to the others. What the reader chose has one together.
    private struct Places {
        /// As `Selection.voices`.
        let voices: [String: Int64]
        private let mostOfSection: Int
        private var taken: [Digest.Heading: [Story]] = [:]
        private var ids: Set<String> = []

        init(voices: [String: Int64], mostOfSection: Int) {
            self.voices = voices
            self.mostOfSection = mostOfSection
        }

        func holds(_ story: Story) -> Bool { ids.contains(story.lead.id) }

        /// Lets the sections take turns until `most` places are taken in all, or no section has more stories; first for
        /// those within their feed's share, then, where there is room, for all.
        mutating func deal(
            _ stories: [Digest.Heading: [Story]], in order: (Digest.Heading, Digest.Heading) -> Bool, upTo most: Int
        ) {
            let headings = stories.keys.sorted(by: order)
            let share = share(of: stories.values.joined(), in: most)
            let rooms = stories.reduce(into: [:]) { $0[$1.key] = room(under: $1.key, for: $1.value) }
            let shares = stories.reduce(into: [:]) { shares, section in
                shares[section.key] = self.share(of: section.value, in: rooms[section.key, default: 0])
            }
            for isFair in [true, false] {
                for round in 0..<(rooms.values.max() ?? 0) {
                    for heading in headings
                    where ids.count < most && round < rooms[heading, default: 0]
                        && taken[heading, default: []].count <= round
                    {
                        let next = stories[heading, default: []].first { story in
                            guard !holds(story) else { return false }
                            return !isFair
                                || count(of: story, in: taken.values.joined()) < share
                                    && count(of: story, in: taken[heading, default: []])
                                        < shares[heading, default: 0]
                        }
                        guard let next else { continue }
                        taken[heading, default: []].append(next)
                        ids.insert(next.lead.id)
                    }
                }
            }
        }

        /// Where everything stands together that has no heading of its own, each feed has a place.
        private func room(under heading: Digest.Heading, for stories: [Story]) -> Int {
            guard heading == .more, mostOfSection > 0 else { return mostOfSection }
            return max(mostOfSection, Set(stories.compactMap { voices[$0.lead.id] }).count)
        }

        private func count(of story: Story, in others: some Sequence<Story>) -> Int {
            let voice = voices[story.lead.id]
            return others.reduce(0) { $0 + (voices[$1.lead.id] == voice ? 1 : 0) }
        }

        /// How many of these each feed may take where there is room for so many; one at least.
        private func share(of stories: some Sequence<Story>, in room: Int) -> Int {
            let counts = stories.reduce(into: [Int64?: Int]()) { $0[voices[$1.lead.id], default: 0] += 1 }
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

    private static func articles(in stories: some Sequence<Story>) -> Int {
        stories.reduce(0) { $0 + $1.readings.count }
    }

    private static func newestFirst(_ left: Reading, _ right: Reading) -> Bool {
        (right.readAt, right.news, left.article.id) < (left.readAt, left.news, right.article.id)
    }
}

extension Reading {
    /// A whole refresh comes in at one moment, so what waits is ordered by its own dates.
    fileprivate var news: Date { basis == .read ? .distantPast : article.publishedAt ?? .distantPast }
}

extension Selection {
    /// The sections, with each story in its publications' own words.
    public func tell() -> [Digest.Section] {
        let teller = StoryTeller(weights)
        return sections.map { section in
            Digest.Section(
                heading: section.heading, entries: section.told.map { updates[$0.lead.id] ?? teller.tell($0) },
                titled: section.titled, omitted: section.omitted)
        }
    }
}
