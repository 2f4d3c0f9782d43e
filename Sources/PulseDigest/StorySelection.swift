public import Foundation
public import PulseCore
import PulseText

/// The stories of a digest: selected, put under headings, ordered and limited.
public struct StorySelection {
    /// First the day's stories that most publications tell. Then the sections that the reader named, then those that
    /// are followed or have a followed story, then by the weight of the largest story, then in the order of `Category`,
    /// then publications; `more` is last, or before publications where there are no categories. None is empty. In each,
    /// the stories in most publications come first, then followed ones, then those that are liked, then news before
    /// features, then the newest. Their sentences are still to be selected.
    public let sections: [Digest.Section]
    /// How many articles of wanted categories were muted.
    public let muted: Int
    /// The stories of earlier digests that have new reports and nothing new, in the order in which they would have been
    /// told.
    public let toldBefore: [Digest.Repeat]
    /// How many stories have nothing new, including those without a new report.
    public let repeated: Int
    /// How many articles are left out as told before.
    public let toldArticles: Int
    let selector: SentenceSelector
    /// The updates of stories from earlier digests, by the id of their first article.
    private let updates: [String: Digest.Entry]
    /// By the id of each story's first article.
    private let reasons: [String: [Digest.Reason]]

    /// The most stories with sentences per section; readers skip more (docs/digest.md).
    public static let mostSummarized = 6
    /// The most titles per section; for more there is `history list`.
    public static let mostTitled = 6
    /// How many stories a publication without categories needs for its own heading, and how many an unknown category: a
    /// heading over a single line adds nothing.
    private static let smallSource = 3
    private static let smallCategory = 2
    /// The most stories in the top section, and the fewest other sections.
    private static let (mostTop, fewestOpened) = (3, 3)
    /// On a page of more headings, each needs more than `smallCategory` stories.
    private static let longPage = 6
    /// One in `shareOfLiked` stories with sentences is chosen by taste, after those in `large` publications or more.
    private static let (shareOfLiked, large) = (2, 3)
    /// The most headings beside `more`, and how many of them may belong to a single feed.
    private static let mostSections = 12
    private static let mostOwnSections = 3

    /// Leaves out muted and unwanted sources, merges reports into stories, and leaves out muted stories. Followed
    /// stories get up to half of the limit; then come stories of several publications, one story of each section, news
    /// (without `taste`), and the rest. All is dealt round-robin, one story per section, so that neither a busy section
    /// nor a followed one displaces a quiet one. A busy feed cannot either: see `Allocation`. The result is
    /// deterministic: readings of the same time are ordered by id.
    ///
    /// Of a story from an earlier digest, only the news is shown. A story without news is in no section.
    ///
    /// - Parameters:
    ///   - limit: The most stories with sentences, over all sections, and the most shown by title.
    ///   - mostOfSection: The most stories with sentences of a section.
    ///   - isAskedAgain: Whether the reader asks again for articles of earlier digests. A story with one of them is
    ///     told even without news.
    ///   - day: “Today” stays in articles of this day; nil: in none.
    ///   - taste: Orders unread stories of equal weight. It gets up to half of the limit before sections take turns,
    ///     after what several publications tell.
    ///   - language: The reader's, in which a report is quoted if there is one.
    ///   - isWeek: Whether it is the digest of a week: articles of one story may be days apart, a story's weight is its
    ///     number of articles, and none is shown by title only.
    public init(
        from candidates: StoryCandidates, limit: Int, mostOfSection: Int = mostSummarized, isAskedAgain: Bool = true,
        day: DateInterval? = nil, isWeek: Bool = false, meanings: Meanings = .none, taste: Taste? = nil,
        language: Language? = nil, length: StoryLength = .normal
    ) {
        let (interests, kept) = (candidates.interests, candidates.kept)
        selector = SentenceSelector(candidates.weights, day: isWeek ? nil : day, language: language, length: length)
        var merger = candidates.merger.knowing(meanings)
        let groups = (isWeek ? merger.threads() : merger.groups()).filter { group in
            interests.wants(Story(group.map { kept[$0] }))
        }
        let left = groups.map { group in interests.unmuted(group.map { kept[$0] }).map { group[$0] } }
            .filter { !$0.isEmpty }
        let reported = left.map { group in Story(group.map { kept[$0] }) }
        let known = StoryUpdates(merger, groups: left, earlier: candidates.earlier).known
        let (stories, updates, repeats) = StorySelection.updates(of: reported, known, by: selector, isAskedAgain)
        self.updates = updates
        let silenced = candidates.wanted.filter {
            interests.mutesSource(of: $0.article) && interests.wants($0.article.category)
        }
        muted = silenced.count + groups.reduce(0) { $0 + $1.count } - StorySelection.articles(in: reported)

        let followed = Set(stories.filter(interests.follows).map(\.lead.id))
        func size(_ story: Story) -> Int { isWeek ? story.readings.count : story.weight }
        let totals = Dictionary(zip(stories, reported).map { ($0.lead.id, $1.weight) }) { first, _ in first }
        /// Compared first by the new reports, then by all. A column is no large story.
        func weight(_ story: Story) -> (Int, Int) {
            (size(story), updates[story.lead.id]?.isComment == true ? 1 : totals[story.lead.id] ?? 1)
        }
        // Swift's sort is stable, so stories of equal weight stay in the order of their newest reading.
        let weighed = stories.map { story in
            // What the reader chose needs no guess.
            let liking = story.isWaiting ? taste.flatMap { taste in story.articles.map(taste.liking).max() } : nil
            return (
                story: story, isFollowed: followed.contains(story.lead.id), weight: size(story), liking: liking ?? 0,
                isNews: candidates.isNews(story)
            )
        }
        let ordered = weighed.sorted { left, right in
            let (first, second) = (weight(left.story), weight(right.story))
            if first != second { return first > second }
            if left.isFollowed != right.isFollowed { return left.isFollowed }
            return left.liking == right.liking ? left.isNews && !right.isNews : left.liking > right.liking
        }.map(\.story)
        // Several groups may continue one story, which is then either told here or named once.
        var named = Set(updates.values.compactMap(\.update))
        let again = ordered.compactMap { story in repeats[story.lead.id].map { (story: story, known: $0) } }
            .filter { named.insert($0.known.last).inserted }
        repeated = again.count
        // Named by its new report, whose title tells more if that has news after all.
        toldBefore = again.compactMap { story, known in
            story.articles.first { !known.articles.contains($0.id) }
                .map { Digest.Repeat(title: $0.title, update: known.last) }
        }
        let new = StorySelection.together(ordered.filter { repeats[$0.lead.id] == nil }, updates)
        toldArticles = StorySelection.articles(in: reported) - StorySelection.articles(in: new)
        let feeds = StorySelection.feeds(of: new)
        let queues = StorySelection.headed(new, interests, feeds, updates)
        let hasCategories = queues.keys.contains { if case .category = $0 { true } else { false } }
        let headings = StorySelection.inOrder(queues, interests, followed, hasCategories: hasCategories, by: weight)
        var allocation = Allocation(
            feeds: feeds, mostOfSection: mostOfSection,
            // A number that the user gave counts for `more`, too.
            mostOfMore: !hasCategories ? limit : mostOfSection == Self.mostSummarized ? nil : mostOfSection)
        func deal(upTo most: Int, _ isDealt: (Story) -> Bool) {
            allocation.deal(queues.mapValues { $0.filter(isDealt) }, in: headings, upTo: most)
        }
        deal(upTo: (limit + 1) / 2) { followed.contains($0.lead.id) }
        let largest = Set(new.lazy.filter { size($0) > 1 }.prefix(StorySelection.mostTop).map(\.lead.id))
        deal(upTo: limit) { largest.contains($0.lead.id) }
        var reasons = Dictionary(
            weighed.map { ($0.story.lead.id, StorySelection.reasons(isFollowed: $0.isFollowed, weight: $0.weight)) }
        ) { first, _ in first }
        if let taste {
            let share = limit / StorySelection.shareOfLiked
            let liked = Set(
                weighed.filter { $0.liking > 0 && repeats[$0.story.lead.id] == nil }
                    .sorted { $0.liking > $1.liking }.prefix(share).map(\.story.lead.id))
            deal(upTo: limit - share) { size($0) >= StorySelection.large }
            deal(upTo: limit) { liked.contains($0.lead.id) }
            for story in new where liked.contains(story.lead.id) {
                reasons[story.lead.id, default: []].append(.liked(taste.reasons(for: story.lead)))
            }
        }
        self.reasons = reasons
        deal(upTo: limit) { size($0) > 1 }
        let heads = Set(queues.values.compactMap(\.first?.lead.id))
        deal(upTo: limit) { heads.contains($0.lead.id) }
        if taste == nil {
            let news = Set(weighed.filter(\.isNews).map(\.story.lead.id))
            deal(upTo: limit) { news.contains($0.lead.id) }
        }
        deal(upTo: limit) { _ in true }
        let rest = queues.mapValues { $0.filter { !allocation.holds($0) } }
        var titles = Allocation(feeds: feeds, mostOfSection: isWeek ? 0 : StorySelection.mostTitled)
        titles.deal(rest, in: headings, upTo: max(0, limit - allocation.count))

        let all = headings.map { heading in
            let rest = rest[heading, default: []]
            return Digest.Section(
                heading: heading,
                entries: queues[heading, default: []].filter(allocation.holds).map {
                    updates[$0.lead.id] ?? Digest.Entry(story: $0, sentences: [])
                },
                titled: rest.filter(titles.holds),
                omitted: StorySelection.articles(in: rest.filter { !titles.holds($0) }))
        }
        sections = StorySelection.gathered(isWeek ? all : StorySelection.opened(all, by: size))
    }

    private static func reasons(isFollowed: Bool, weight: Int) -> [Digest.Reason] {
        (weight > 1 ? [.publications(weight)] : []) + (isFollowed ? [.followed] : [])
    }

    /// Moves the largest stories, those in several publications, to the front if the page has several sections. Two
    /// sections stay as they are if the page begins with the largest story anyway.
    private static func opened(_ sections: [Digest.Section], by size: (Story) -> Int) -> [Digest.Section] {
        let entries = sections.flatMap(\.entries)
        // Swift's sort is stable.
        let largest = entries.filter { size($0.story) > 1 }.sorted { size($0.story) > size($1.story) }.prefix(mostTop)
        guard let first = largest.first, sections.count > 1,
            sections.count >= fewestOpened || size(entries[0].story) < size(first.story)
        else { return sections }
        var ids: Set<String> = []
        // Each with the other updates of its story.
        let top = largest.flatMap { first in
            entries.filter {
                ($0.story == first.story || $0.update != nil && $0.update == first.update && !$0.isComment)
                    && ids.insert($0.story.lead.id).inserted
            }
        }
        let rest = sections.map { section in
            var section = section
            section.entries.removeAll { ids.contains($0.story.lead.id) }
            return section
        }
        return [Digest.Section(heading: .top, entries: top)] + rest
    }

    /// The stories in their order, except that updates of one story are together, at the place of the first.
    private static func together(_ stories: [Story], _ updates: [String: Digest.Entry]) -> [Story] {
        var places: [Digest.Update: Int] = [:]
        return stories.enumerated().map { place, story in
            guard let entry = updates[story.lead.id], let update = entry.update, !entry.isComment
            else { return (story: story, place: place) }
            let first = places[update] ?? place
            places[update] = first
            return (story: story, place: first)
        }.sorted { $0.place < $1.place }.map(\.story)
    }

    /// What is left out under headings without a story is counted once, under `more`.
    private static func gathered(_ sections: [Digest.Section]) -> [Digest.Section] {
        var shown = sections.filter { !$0.stories.isEmpty }
        let omitted = sections.filter(\.stories.isEmpty).reduce(0) { $0 + $1.omitted }
        guard !shown.isEmpty else { return sections }
        guard omitted > 0 else { return shown }
        if let more = shown.firstIndex(where: { $0.heading == .more }) {
            shown[more].omitted += omitted
        } else {
            shown.append(Digest.Section(heading: .more, entries: [], omitted: omitted))
        }
        return shown
    }

    /// The stories, those of earlier digests with their new reports only; the updates of these, and what is known of
    /// stories without news (`repeats`), both by their first article. A story that has an article of an earlier digest
    /// is no repeat if `isAskedAgain`.
    private static func updates(
        of reported: [Story], _ known: [PreviousCoverage?], by selector: SentenceSelector, _ isAskedAgain: Bool
    ) -> (stories: [Story], updates: [String: Digest.Entry], repeats: [String: PreviousCoverage]) {
        var (updates, repeats): ([String: Digest.Entry], [String: PreviousCoverage]) = ([:], [:])
        var stories = reported
        for (place, (story, known)) in zip(reported, known).enumerated() {
            guard let known else { continue }
            if let entry = selector.entry(for: story, after: known) {
                stories[place] = entry.story
                updates[entry.story.lead.id] = entry
            } else if !isAskedAgain || !story.articles.contains(where: { known.articles.contains($0.id) }) {
                repeats[story.lead.id] = known
            }
        }
        return (stories, updates, repeats)
    }

    /// Puts each story under a heading: its category, or its only publication if it has none. Headings with too few
    /// stories, and those above the limit, become `more`. So do most categories that only one feed uses, and categories
    /// with the name of a publication or of a heading of the program.
    private static func headed(
        _ stories: [Story], _ interests: Interests, _ feeds: [String: Int64], _ updates: [String: Digest.Entry]
    ) -> [Digest.Heading: [Story]] {
        // Updates of one story share a heading: the first known category.
        let filed = stories.filter { $0.categories.contains(where: Category.known.contains) }
        let firsts = Dictionary(filed.compactMap { story in updates[story.lead.id]?.update.map { ($0, story) } }) {
            first, _ in first
        }
        let taken = Set(stories.flatMap(\.articles).map { Words.name($0.source) })
            .union(Language.allCases.flatMap(\.phrases.headings).map(Words.name))
        func isOwn(_ category: Category) -> Bool { Category.known.contains(category) || interests.asks(for: category) }
        func heading(_ story: Story) -> Digest.Heading {
            let story = updates[story.lead.id]?.update.flatMap { firsts[$0] } ?? story
            let category = story.categories.first(where: interests.wants) ?? .general
            if category != .general, isOwn(category) || !taken.contains(Words.name(category.name)) {
                return .category(category)
            }
            let sources = Set(story.articles.map(\.source))
            return sources.count == 1 && sources != [""] ? .source(story.lead.source) : .more
        }
        let all = Dictionary(grouping: stories, by: heading)
        func isKnown(_ heading: Digest.Heading) -> Bool {
            guard case .category(let category) = heading else { return false }
            return isOwn(category)
        }
        // Known categories first, then those of several feeds, then the largest.
        let wanted = all.filter { heading, stories in
            if case .source = heading { return stories.count >= smallSource }
            return heading != .more && (isKnown(heading) || stories.count >= smallCategory)
        }.map { (heading: $0, feeds: Set($1.map { feeds[$0.lead.id] }), size: $1.count) }.sorted { left, right in
            if isKnown(left.heading) != isKnown(right.heading) { return isKnown(left.heading) }
            let (first, second) = ((left.feeds.count, left.size), (right.feeds.count, right.size))
            return first == second ? order(left.heading, right.heading) : first > second
        }
        // A single feed displaces no other.
        let isShared = Set(feeds.values).count > 1 || feeds.count < stories.count
        var own: [Int64: Int] = [:]
        let allowed = wanted.filter { heading in
            guard isShared, heading.feeds.count == 1, let feed = heading.feeds.first ?? nil else { return true }
            own[feed, default: 0] += 1
            return own[feed, default: 0] <= mostOwnSections
        }
        // Among many headings, small ones are overlooked.
        let isLong = allowed.count > longPage
        let kept = allowed.filter {
            !isLong || $0.size > smallCategory || interests.follows($0.heading) || interests.hasPlace($0.heading)
        }
        let headings = Set(kept.prefix(mostSections).map(\.heading))
        return Dictionary(grouping: stories) { story in
            let heading = heading(story)
            return headings.contains(heading) ? heading : .more
        }
    }

    private static func inOrder(
        _ queues: [Digest.Heading: [Story]], _ interests: Interests, _ followed: Set<String>, hasCategories: Bool,
        by weight: (Story) -> (Int, Int)
    ) -> [Digest.Heading] {
        func isFollowed(_ heading: Digest.Heading) -> Bool {
            interests.follows(heading) || queues[heading, default: []].contains { followed.contains($0.lead.id) }
        }
        return queues.keys.sorted { left, right in
            let (place, other) = (interests.place(of: left), interests.place(of: right))
            if place != other { return place < other }
            let (first, second) = (isFollowed(left), isFollowed(right))
            if first != second { return first }
            // Without categories, what only one publication tells comes last.
            if (left == .more) != (right == .more) { return (right == .more) == hasCategories }
            let weights = [left, right].map { queues[$0, default: []].map(weight).max(by: <) ?? (0, 0) }
            return weights[0] == weights[1] ? order(left, right) : weights[0] > weights[1]
        }
    }

    /// The feed whose share each story uses, by the id of the story's first article. If several feeds have the story,
    /// it is the one with the fewest stories, so that a busy feed cannot use up another's share by repeating its
    /// stories. A story with an article that the reader chose uses no feed's share.
    private static func feeds(of stories: [Story]) -> [String: Int64] {
        let counts = stories.reduce(into: [Int64: Int]()) { counts, story in
            for feed in Set(story.readings.compactMap(\.feed)) { counts[feed, default: 0] += 1 }
        }
        return stories.reduce(into: [:]) { feeds, story in
            guard story.readings.allSatisfy({ $0.feed != nil }) else { return }
            feeds[story.lead.id] = story.readings.compactMap(\.feed).min {
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

    private static func articles(in stories: some Sequence<Story>) -> Int {
        stories.reduce(0) { $0 + $1.readings.count }
    }
}

extension StorySelection {
    /// The sections, with each story in its publications' words.
    public func digestSections() -> [Digest.Section] {
        sections.map { section in
            var section = section
            section.entries = section.entries.map { planned in
                var entry = updates[planned.story.lead.id] ?? selector.entry(for: planned.story)
                entry.reasons = reasons[planned.story.lead.id] ?? []
                return entry
            }
            return section
        }
    }
}
