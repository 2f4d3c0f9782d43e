import Foundation
import PulseCore
import PulseDigest
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct SelectionTests {
    /// `world: told told | titled +omitted`, a section each.
    private func names(_ selection: StorySelection) -> [String] {
        selection.sections.map { section in
            let told = section.entries.map(\.story.lead.id).joined(separator: " ")
            let titled = section.titled.isEmpty ? "" : " | " + section.titled.map(\.lead.id).joined(separator: " ")
            return "\(section.heading.name ?? "more"): \(told)\(titled) +\(section.omitted)"
        }
    }

    private func select(_ readings: [Reading], _ interests: Interests = Interests(), limit: Int = 9) -> StorySelection {
        StorySelection(from: readings, interests: interests, limit: limit)
    }

    /// The same words in any two of them, so that only the source tells that they are one story.
    private func told(
        _ id: String, by source: String, minutesAgo: Double = 1, word: String = "bridge", category: String = "world"
    ) -> Reading {
        Readings.make(
            id, category, title: "Council of Orlen votes to rebuild the old bridge",
            content: "The council of Orlen voted on Tuesday to rebuild the \(word) over the Dask for 12 million euros.",
            source: source, minutesAgo: minutesAgo)
    }

    /// So many, the newest first.
    private func many(
        _ id: String, _ category: String, _ count: Int, title: String? = nil, from: Int = 0
    ) -> [Reading] {
        (0..<count).map { Readings.make("\(id)\($0)", category, title: title, minutesAgo: Double(from + $0)) }
    }

    // MARK: - How much

    @Test func nothingReadIsNoSection() { #expect(select([], limit: 5).sections.isEmpty) }

    @Test(arguments: [0, -3]) func withoutAPlaceStoriesAreCounted(limit: Int) {
        #expect(names(select([Readings.make("a")], limit: limit)) == ["world:  +1"])
    }

    @Test func withinTheLimitEverythingIsTold() {
        let all = [
            Readings.make("old", "sports", minutesAgo: 9), Readings.make("new", "sports", minutesAgo: 1),
            Readings.make("w", minutesAgo: 5),
        ]
        #expect(names(select(all, limit: 3)) == ["world: w +0", "sports: new old +0"])
    }

    @Test func sixAreToldUnderOneHeadingSixMoreByTitleAndTheRestIsCounted() {
        let all = many("t", "technology", 20)
        #expect(names(select(all, limit: 99)) == ["technology: t0 t1 t2 t3 t4 t5 | t6 t7 t8 t9 t10 t11 +8"])
    }

    @Test func aBusySectionCannotPushOutAQuietOne() {
        let busy = many("t", "technology", 20)
        let quiet = [Readings.make("s", "science", minutesAgo: 900), Readings.make("h", "health", minutesAgo: 999)]
        #expect(names(select(busy + quiet, limit: 4)) == ["technology: t0 t1 +18", "science: s +0", "health: h +0"])
    }

    /// By their whole names; one that is not asked for is not muted either.
    @Test func onlyTheSourcesAskedForAreTaken() {
        let all = [
            told("a", by: "The Herald"), told("b", by: "The Herald on Sunday"), told("c", by: "Éclair"),
            told("d", by: "Gazette"),
        ]
        let some = select(all, Interests(sources: ["the herald", "Éclair"], muteSources: ["Éclair", "Gazette"]))
        #expect(names(some) == ["world: a +0"] && some.muted == 1)
        let star = select(all + [told("e", by: "★"), told("f", by: "")], Interests(sources: ["★"]))
        #expect(names(star) == ["world: e +0"])
    }

    @Test func onlyTheCategoriesAskedForAreTaken() {
        let all = [Readings.make("a"), Readings.make("b", "health")]
        func asked(_ name: String) -> [String] { names(select(all, Interests(categories: [Category(name)]))) }
        #expect(asked("Health") == ["health: b +0"])
        #expect(asked("art").isEmpty)
    }

    // MARK: - In which order

    @Test func whatMoreSourcesTellComesFirstAndItsSectionToo() {
        let others = [
            Readings.make("s1", "sports", minutesAgo: 1), Readings.make("s2", "sports", minutesAgo: 2),
            Readings.make("w", minutesAgo: 3),
        ]
        #expect(names(select(others + bridge())) == ["world: bridge Herald w +0", "sports: s1 s2 +0"])
        #expect(names(select(others + bridge("sports"))) == ["sports: bridge Herald s1 s2 +0", "world: w +0"])
    }

    /// One story by three publications.
    private func bridge(_ category: String = "world") -> [Reading] {
        ["Herald", "Post", "Wire"].map { told("bridge \($0)", by: $0, minutesAgo: 500, category: category) }
    }

    /// Of sections whose stories weigh as much, the one comes first that goes on with the largest.
    @Test func anUpdateOfALargeStoryBringsItsSectionForward() {
        let date = Readings.now.addingTimeInterval(-86_400)
        let earlier = Digest(
            date: date, period: Period(hours: 24, endingAt: date), language: .english,
            sections: select(bridge()).digestSections()
        ).previousStories(in: .gmt)
        let news = Readings.make(
            "news", "sports", title: "Council of Orlen votes to rebuild the old bridge in June",
            content: "Kessler & Sons will rebuild the bridge over the Dask in Orlen, mayor Ines Halvard said in June.",
            source: "Mail", language: "en", minutesAgo: 400)
        let world = [Readings.make("w", minutesAgo: 3)]
        #expect(names(select(world + [news])) == ["world: w +0", "sports: news +0"])
        let page = StorySelection(from: world + [news] + bridge("sports"), limit: 9, earlier: earlier)
        #expect(names(page) == ["sports: news +0", "world: w +0"])
    }

    /// Named sections come first in their order, however small, and others as always.
    @Test func theReaderSaysWhichSectionsComeFirst() {
        let all = ["world", "sports", "health", "science"].enumerated().flatMap { place, category in
            (0...place).map { Readings.make("\(category.prefix(2))\($0)", category, minutesAgo: Double(place + $0)) }
        }
        func order(_ sections: [String], follow: [String] = []) -> [String] {
            select(all, Interests(follow: follow, sections: sections), limit: 20)
                .sections.compactMap(\.heading.name)
        }
        #expect(order([]) == ["world", "science", "health", "sports"])
        #expect(order(["Sports", "saúde"]) == ["sports", "health", "world", "science"])
        #expect(order(["Sports"], follow: ["health"]) == ["sports", "health", "world", "science"])
        #expect(order(["cooking"]) == order([]))
        let papers = (0..<3).map { Readings.make("p\($0)", "general", source: "The Plot") }
        let named = select(all + papers, Interests(sections: ["the plot"]), limit: 20)
        #expect(named.sections.first?.heading == .source("The Plot"))
    }

    @Test func aSectionHasAsManyStoriesAsTheReaderWants() {
        let all = many("t", "technology", 9)
        let selection = StorySelection(from: StoryCandidates(all), limit: 20, mostOfSection: 2)
        #expect(names(selection) == ["technology: t0 t1 | t2 t3 t4 t5 t6 t7 +1"])
    }

    @Test func oneSourceTwiceWeighsOnce() {
        let story = [told("a", by: "Herald"), told("b", by: "Herald")]
        #expect(select(story).sections[0].entries[0].story.weight == 1)
    }

    /// Articles of one story are one story, told or not.
    @Test func storiesCountOnce() {
        let story = [told("a", by: "Herald", minutesAgo: 3), told("b", by: "Post", minutesAgo: 2)]
        let other = Readings.make("elsewhere", minutesAgo: 1)
        #expect(names(select(story + [other], limit: 1)) == ["world: b +1"])
    }

    @Test func aStoryIsAboutWhatAnyOfItsArticlesSays() {
        let story = [
            told("a", by: "Herald", category: "general"), told("b", by: "Post", minutesAgo: 2, category: "business"),
        ]
        #expect(names(select(story)) == ["business: a +0"])
    }

    // MARK: - Under which heading

    @Test func withoutCategoriesAPublicationIsAHeadingAndSmallOnesStandTogether() {
        let feeds = [("Large", 4), ("Small", 2), ("Tiny", 1)].flatMap { name, count in
            (0..<count).map { Readings.make("\(name)\($0)", "", source: name, minutesAgo: Double($0)) }
        }
        let categories = [Readings.make("w"), Readings.make("o", "origami", minutesAgo: 8)]
        let headings = ["world: w +0", "Large: Large0 Large1 Large2 Large3 +0", "more: Small0 Tiny0 Small1 o +0"]
        #expect(names(select(feeds + categories, limit: 99)) == headings)
    }

    @Test func aTopicThatAFeedInventedNeedsTwoStoriesUnlessItIsAskedFor() {
        let all = [
            Readings.make("a", "origami"), Readings.make("b", "kites"), Readings.make("c", "kites", minutesAgo: 2),
        ]
        #expect(names(select(all)) == ["kites: b c +0", "more: a +0"])
        #expect(names(select(all, Interests(follow: ["Origami"]))) == ["origami: a +0", "kites: b c +0"])
    }

    /// A story in another language stands in its category, in its language.
    @Test func languagesShareAHeading() {
        let all = [
            Readings.make("pt", language: "pt", minutesAgo: 1), Readings.make("en", language: "en", minutesAgo: 2),
        ]
        #expect(names(select(all)) == ["world: pt en +0"])
    }

    // MARK: - Followed and muted

    @Test func mutedWordsKeepStoriesOutAndAreCounted() {
        let all = [
            Readings.make("a", "sports", title: "Football returns"),
            Readings.make("b", "sports", title: "Rowing returns"),
            Readings.make("c", title: "FOOTBALL riot"), Readings.make("d", title: "Footballers riot"),
        ]
        let selection = select(all, Interests(mute: ["football"]))
        #expect(names(selection) == ["world: d +0", "sports: b +0"])
        #expect(selection.muted == 2)
        // What is muted is not also counted as left out, and only in the categories asked for.
        let few = select(all, Interests(categories: [Category("world")], mute: ["football"]))
        #expect(names(few) == ["world: d +0"] && few.muted == 1)
        let none = select(all, Interests(mute: ["football", "rowing", "footballers"]))
        #expect(none.sections.isEmpty && none.muted == 4)
    }

    /// Nobody chose what a feed brings: an article with a muted word takes its own feed's out, and those of others only
    /// where most feeds have one.
    @Test func ofFeedsAMutedWordSpeaksForItsOwn() {
        func report(_ feed: Int64, _ word: String = "bridge") -> Reading {
            var reading = told("f\(feed)", by: "Paper \(feed)", word: word)
            (reading.feed, reading.basis) = (feed, .unread)
            return reading
        }
        let interests = Interests(mute: ["viaduct"])
        let one = select([report(1), report(2, "viaduct")], interests)
        #expect(names(one) == ["world: f1 +0"] && one.muted == 1)
        let most = select([report(1), report(2, "viaduct"), report(3, "viaduct")], interests)
        #expect(most.sections.isEmpty && most.muted == 3)
    }

    /// Whatever a feed calls its entries, three headings at most are its alone, none is called like a publication or
    /// like one of the program's own, and the others have their place.
    @Test func aFeedThatFillsAllHeadingsLeavesTheOthersTheirPlace() {
        let calls = Category.known.map(\.name) + ["Paper 1", "More", "Divers", "Topics", "Top stories", "Destaques"]
        let flood = (0..<60).map { number in
            Readings.make(
                "flood\(number)", calls[number % calls.count], source: "Flood", minutesAgo: 1 + Double(number) / 100,
                feed: 99)
        }
        let papers = (1...8).map { number in
            Readings.make("p\(number)", "general", source: "Paper \(number)", minutesAgo: 30, feed: Int64(number))
        }
        let selection = select(flood + papers, limit: 25)
        #expect(selection.sections.count { $0.entries.allSatisfy { $0.story.lead.source == "Flood" } } == 3)
        let taken = ["more", "paper 1", "divers", "topics", "top stories", "destaques"]
        #expect(!selection.sections.contains { taken.contains($0.heading.name?.lowercased() ?? "") })
        let told = Set(selection.sections.flatMap(\.entries).map(\.story.lead.id))
        #expect(told.isSuperset(of: papers.map(\.article.id)), "\(told)")
        // Who follows one feed has no others to look for.
        #expect(select(flood, limit: 25).sections.count > 8)
    }

    @Test func mutedSourcesKeepTheirOwnArticlesOut() {
        let all = [
            Readings.make("a", title: "One", source: "The Herald"),
            Readings.make("b", title: "Two", source: "Diário da Foz"),
            Readings.make("c", title: "Three", source: "Herald"),
        ]
        let selection = select(all, Interests(muteSources: ["the  HERALD", "diario da foz", ""]))
        #expect(names(selection) == ["world: c +0"] && selection.muted == 2)
        // No name is not the name of those without one.
        #expect(select([Readings.make("a")], Interests(muteSources: [""])).muted == 0)
    }

    /// One of a story's articles says the word: the story is out, with the others. One of its sources is muted: the
    /// others tell it.
    @Test func aStoryIsMutedAsAWhole() {
        let story = [told("a", by: "Herald", word: "viaduct"), told("b", by: "Post")]
        let words = select(story, Interests(mute: ["Viaduct"]))
        #expect(words.sections.isEmpty && words.muted == 2)
        let sources = select(story, Interests(muteSources: ["herald"]))
        #expect(names(sources) == ["world: b +0"] && sources.muted == 1)
    }

    @Test func followedStoriesComeFirstAndHaveAClaimToHalf() {
        let all =
            many("t", "technology", 10, title: "Chip") + many("s", "technology", 4, title: "Sponge", from: 100) + [
                Readings.make("h", "health", title: "Nurses", minutesAgo: 500),
                Readings.make("w", title: "Votes", minutesAgo: 600),
            ]
        // Two of four places are claimed, in the first section; the others go to the sections that have none yet.
        let followed = select(all, Interests(follow: ["sponge"]), limit: 4)
        #expect(names(followed) == ["technology: s0 s1 +12", "world: w +0", "health: h +0"])
        // Without following, the newest.
        #expect(names(select(all, limit: 4)) == ["world: w +0", "technology: t0 t1 +12", "health: h +0"])
    }

    /// However few stories are wanted, and whatever the order of their sections.
    @Test func theLargestAreNeverLeftOut() {
        let cup = ["c", "d"].map { id in
            Readings.make(
                id, "sports", title: "Holm Quay beats Merrow Rovers",
                content: "Holm Quay beat Merrow Rovers 2-1 in the cup on Monday in front of 4,870 people.", source: id,
                minutesAgo: 900)
        }
        let large = [told("a", by: "Herald"), told("b", by: "Post")] + cup
        let others = ["politics", "business", "science"].map { Readings.make("o" + $0, $0, title: "Votes of \($0)") }
        let selection = select(large + others, limit: 2)
        let told = Set(selection.sections.flatMap(\.entries).map(\.story.lead.id))
        #expect(told.isSubset(of: ["a", "b", "c", "d"]) && told.count == 2)
    }

    /// A report says at once what its title announces; a feature does not.
    @Test func newsComesBeforeFeatures() {
        let feature = Readings.make(
            "f", title: "The art of the long throw",
            content: "Every morning before school Gethin hurled a wet ball over a barn for his sister to bring back.")
        let news = Readings.make(
            "n", title: "Harbour bridge of Orlen closes",
            content: "The harbour bridge of Orlen closes on Friday for nine weeks, the council said.", minutesAgo: 60)
        let selection = select([feature, news])
        #expect(selection.sections[0].stories.map(\.lead.id) == ["n", "f"])
    }

    /// It may begin with the name that its title has.
    @Test(arguments: ["Interview | ", "The Saturday interview: ", "Entrevista | ", "Harbour news: "])
    func whatItsTitleCallsAFeatureIsNone(label: String) {
        let labelled = Readings.make(
            "f", title: label + "Ines Halvard on the bridge of Orlen",
            content: "Ines Halvard arrives late at the bridge of Orlen and orders tea for both of us.")
        let news = Readings.make(
            "n", title: "Harbour bridge of Marrowick closes",
            content: "The harbour bridge of Marrowick closes on Friday for nine weeks.", minutesAgo: 60)
        let ids = select([labelled, news]).sections[0].stories.map(\.lead.id)
        #expect(ids == (label == "Harbour news: " ? ["f", "n"] : ["n", "f"]))
    }

    /// “News” says less than “sports”; more reports outvote it.
    @Test func ofEquallyFrequentCategoriesThePreciseOneIsTheHeading() {
        var story = [
            told("a", by: "Herald"), told("b", by: "Post", minutesAgo: 2), told("c", by: "Mail", minutesAgo: 3),
        ]
        for (place, name) in ["news", "sports", "news"].enumerated() { story[place].article.category = Category(name) }
        #expect(Story(Array(story.prefix(2))).category == Category("sports"))
        #expect(Story(story).category == Category("news"))
    }

    /// Without categories, what several publications tell stands before what one alone does.
    @Test func aPublicationsSectionHasItsOwnStoriesOnly() {
        let story = [told("a", by: "Herald", category: "general"), told("b", by: "Post", category: "general")]
        let own = (0..<3).map { Readings.make("h\($0)", "general", title: "Sponge \($0)", source: "Herald") }
        #expect(names(select(own + story)).map { $0.prefix(4) } == ["more", "Hera"])
    }

    @Test func whatManyTellComesBeforeWhatIsFollowed() {
        let story = [told("a", by: "Herald"), told("b", by: "Post")]
        let followed = Readings.make("s", title: "Sponge", minutesAgo: 0)
        let other = Readings.make("o", title: "Votes", minutesAgo: 0)
        let selection = select([other, followed] + story, Interests(follow: ["sponge"]))
        #expect(names(selection) == ["world: a s o +0"])
    }

    /// What is left out under a heading without a story is counted once.
    @Test func noHeadingIsEmpty() {
        let all = ["world", "science", "health", "sports"].flatMap { many($0, $0, 2) }
        #expect(names(select(all, limit: 2)) == ["world: world0 +1", "science: science0 +1", "more:  +4"])
    }

    /// Among many headings, one over two stories is lost.
    @Test func smallSectionsOfALongPageAreMore() {
        let names = ["world", "politics", "business", "technology", "science", "health", "sports"]
        let all = names.enumerated().flatMap { place, category in
            (0..<(place < 5 ? 3 : 2)).map { Readings.make("\(category)\($0)", category) }
        }
        let headings = select(all, limit: 25).sections.map { $0.heading.name ?? "more" }
        #expect(headings == names.prefix(5) + ["more"])
    }

    /// Which may leave one heading and "More", where the largest story then is.
    @Test func aPageOfTwoSectionsBeginsWithTheLargestStory() {
        let small = ["politics", "business", "technology", "science", "health", "entertainment"]
        let story = [told("a", by: "Herald", category: "sports"), told("b", by: "Post", category: "sports")]
        let sections = select(story + many("w", "world", 3) + small.map { Readings.make($0, $0) }, limit: 25).sections
        #expect(sections.map(\.heading) == [.top, .category(Category("world")), .more])
        #expect(sections[0].entries.map(\.story.lead.id) == ["a"])
    }

    /// One report files it under business, the others under technology.
    @Test func aStoryIsInEachCategoryOfItsArticles() {
        let story = [
            told("a", by: "Herald", category: "business"), told("b", by: "Post", category: "technology"),
            told("c", by: "Wire", category: "technology"),
        ]
        #expect(select(story).sections.map(\.heading.name) == ["technology"])
        for category in ["business", "technology"] {
            let sections = select(story, Interests(categories: [Category(category)])).sections
            #expect(sections.map(\.heading.name) == [category] && sections[0].entries[0].story.readings.count == 3)
        }
        #expect(select(story, Interests(categories: [Category("sports")])).sections.isEmpty)
    }

    @Test func aFollowedCategoryComesFirst() {
        let all = ["world", "science", "zoo"].flatMap { many($0, $0, 3) }
        let followed = select(all, Interests(follow: ["Ciência"]))
        #expect(followed.sections.map(\.heading.name) == ["science", "world", "zoo"])
    }

    @Test func mutingWinsOverFollowing() {
        let all = [
            Readings.make("a", "science", title: "Sponge war"), Readings.make("b", "science", title: "Sponge peace"),
        ]
        let both = select(all, Interests(follow: ["sponge"], mute: ["war"]))
        #expect(names(both) == ["science: b +0"] && both.muted == 1)
    }

    /// Whatever is followed, muted and limited: each article is told, titled, left out or muted, once; the limits hold;
    /// and the order of the input does not matter.
    @Test func everyArticleIsAccountedFor() {
        var random = SplitMix(seed: 7)
        let words = ["alpha", "beta", "gamma", "delta"]
        let all = (0..<60).map { index in
            Readings.make(
                "a\(index)", ["world", "art", "", "zoo"][index / 4 % 4], title: "\(words[index % 4]) report \(index)",
                source: "S\(index % 6)", minutesAgo: Double(index % 9))
        }
        for follow in [[], ["alpha"], ["zoo", "gamma"]] {
            for mute in [[], ["beta"], words] {
                for limit in [0, 1, 2, 3, 7, 20, 100] {
                    let interests = Interests(follow: follow, mute: mute, muteSources: ["s3"])
                    let selection = select(all, interests, limit: limit)
                    let told = selection.sections.flatMap(\.entries).map(\.story)
                    let stories = told + selection.sections.flatMap(\.titled)
                    let omitted = selection.sections.reduce(0) { $0 + $1.omitted }
                    #expect(stories.count <= limit)
                    #expect(Set(stories.map(\.lead.id)).count == stories.count)
                    #expect(stories.reduce(0) { $0 + $1.readings.count } + omitted + selection.muted == 60)
                    #expect(selection.sections.allSatisfy { $0.entries.count <= 6 && $0.titled.count <= 6 })
                    let again = select(all.shuffled(using: &random), interests, limit: limit)
                    #expect(names(again) == names(selection))
                }
            }
        }
    }
}
