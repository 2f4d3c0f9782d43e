import Foundation
import PulseCore
import Testing

@Suite struct SelectionTests {
    private func reading(_ id: String, _ category: String, minutesAgo: Double) -> Reading {
        Reading(
            article: Article(id: id, title: id, category: Category(category)),
            readAt: Date(timeIntervalSince1970: 1_000_000 - minutesAgo * 60), origin: "test")
    }

    private func names(_ selection: Selection) -> [String] {
        selection.sections.map {
            "\($0.category.name): \($0.stories.map(\.lead.id).joined(separator: " ")) +\($0.omitted)"
        }
    }

    @Test func nothingReadIsNoSection() {
        #expect(Selection(from: [], limit: 5).sections.isEmpty)
        #expect(Selection(from: [reading("a", "world", minutesAgo: 1)], limit: 0).sections.isEmpty)
        #expect(Selection(from: [reading("a", "world", minutesAgo: 1)], limit: -3).sections.isEmpty)
    }

    @Test func withinTheLimitEverythingIsTaken() {
        let all = [
            reading("old", "sports", minutesAgo: 9), reading("new", "sports", minutesAgo: 1),
            reading("w", "world", minutesAgo: 5),
        ]
        #expect(names(Selection(from: all, limit: 3)) == ["world: w +0", "sports: new old +0"])
    }

    @Test func aBusyCategoryCannotPushOutAQuietOne() {
        let busy = (0..<20).map { reading("t\($0)", "technology", minutesAgo: Double($0)) }
        let quiet = [reading("s", "science", minutesAgo: 900), reading("h", "health", minutesAgo: 999)]
        #expect(
            names(Selection(from: busy + quiet, limit: 4)) == [
                "technology: t0 t1 +18", "science: s +0", "health: h +0",
            ])
    }

    @Test func fewerPlacesThanCategoriesGoByTheirOrder() {
        let all = ["sports", "zoo", "world", "health"].map { reading($0, $0, minutesAgo: 1) }
        #expect(names(Selection(from: all, limit: 2)) == ["world: world +0", "health: health +0"])
    }

    @Test func onlyTheCategoriesAskedForAreTaken() {
        let all = [reading("a", "world", minutesAgo: 1), reading("b", "health", minutesAgo: 1)]
        #expect(names(Selection(from: all, categories: [Category("Health")], limit: 9)) == ["health: b +0"])
        #expect(Selection(from: all, categories: [Category("art")], limit: 9).sections.isEmpty)
    }

    /// Articles of one story count once towards the limit, and all of them when it is left out.
    @Test func storiesCountOnce() {
        func told(_ id: String, by source: String, minutesAgo: Double) -> Reading {
            var reading = reading(id, "world", minutesAgo: minutesAgo)
            reading.article.title = "Council of Orlen votes to rebuild the old bridge"
            reading.article.content =
                "The council of Orlen voted on Tuesday to rebuild the bridge over the Dask for 12 million euros."
            reading.article.source = source
            return reading
        }
        let story = [told("a", by: "Herald", minutesAgo: 3), told("b", by: "Post", minutesAgo: 2)]
        let other = reading("elsewhere", "world", minutesAgo: 1)
        #expect(names(Selection(from: story + [other], limit: 2)) == ["world: elsewhere b +0"])
        #expect(names(Selection(from: story + [other], limit: 1)) == ["world: elsewhere +2"])
    }

    @Test func theOrderOfTheInputDoesNotMatter() {
        let all = (0..<30).map { reading("a\($0)", ["world", "art", "health"][$0 % 3], minutesAgo: Double($0 % 4)) }
        let expected = Selection(from: all, limit: 10)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20 { #expect(Selection(from: all.shuffled(using: &random), limit: 10) == expected) }
        #expect(expected.sections.reduce(0) { $0 + $1.stories.count } == 10)
        #expect(expected.sections.reduce(0) { $0 + $1.omitted } == 20)
    }

    // MARK: - Followed and muted

    private func titled(
        _ id: String, _ category: String, _ title: String, source: String = "", minutesAgo: Double = 1
    ) -> Reading {
        var reading = reading(id, category, minutesAgo: minutesAgo)
        reading.article.title = title
        reading.article.source = source
        return reading
    }

    @Test func mutedWordsKeepStoriesOutAndAreCounted() {
        let all = [
            titled("a", "sports", "Football returns"), titled("b", "sports", "Rowing returns"),
            titled("c", "world", "FOOTBALL riot"), titled("d", "world", "Footballers riot"),
        ]
        let selection = Selection(from: all, interests: Interests(mute: ["football"]), limit: 9)
        #expect(names(selection) == ["world: d +0", "sports: b +0"])
        #expect(selection.muted == 2)
        // What is muted is not also counted as left out, and only in the categories asked for.
        let few = Selection(
            from: all, interests: Interests(categories: [Category("world")], mute: ["football"]), limit: 9)
        #expect(names(few) == ["world: d +0"] && few.muted == 1)
        let none = Selection(from: all, interests: Interests(mute: ["football", "rowing", "footballers"]), limit: 9)
        #expect(none.sections.isEmpty && none.muted == 4)
    }

    @Test func mutedSourcesKeepTheirOwnArticlesOut() {
        let all = [
            titled("a", "world", "One", source: "The Herald"), titled("b", "world", "Two", source: "Diário da Foz"),
            titled("c", "world", "Three", source: "Herald"),
        ]
        let selection = Selection(
            from: all, interests: Interests(muteSources: ["the  HERALD", "diario da foz", ""]), limit: 9)
        #expect(names(selection) == ["world: c +0"] && selection.muted == 2)
        // No name is not the name of those without one.
        #expect(
            Selection(from: [titled("a", "world", "One")], interests: Interests(muteSources: [""]), limit: 9).muted == 0
        )
    }

    /// One of a story's articles says the word: the story is out, with the others. One of its sources is muted: the
    /// others tell it.
    @Test func aStoryIsMutedAsAWhole() {
        func told(_ id: String, by source: String, word: String) -> Reading {
            var reading = titled(id, "world", "Council of Orlen votes to rebuild the old bridge", source: source)
            reading.article.content =
                "The council of Orlen voted on Tuesday to rebuild the \(word) over the Dask for 12 million euros."
            return reading
        }
        let story = [told("a", by: "Herald", word: "viaduct"), told("b", by: "Post", word: "bridge")]
        let words = Selection(from: story, interests: Interests(mute: ["Viaduct"]), limit: 9)
        #expect(words.sections.isEmpty && words.muted == 2)
        let sources = Selection(from: story, interests: Interests(muteSources: ["herald"]), limit: 9)
        #expect(names(sources) == ["world: b +0"] && sources.muted == 1)
    }

    @Test func followedStoriesComeFirstAndHaveAClaimToHalf() {
        let busy = (0..<10).map { titled("t\($0)", "technology", "Chip \($0)", minutesAgo: Double($0)) }
        let old = (0..<4).map { titled("s\($0)", "technology", "Sponge \($0)", minutesAgo: 100 + Double($0)) }
        let quiet = [titled("h", "health", "Nurses", minutesAgo: 500), titled("w", "world", "Votes", minutesAgo: 600)]
        // Two of four places are claimed; the others go to the categories that have none yet.
        #expect(
            names(Selection(from: busy + old + quiet, interests: Interests(follow: ["sponge"]), limit: 4))
                == ["world: w +0", "technology: s0 s1 +12", "health: h +0"])
        // Without following, the newest.
        #expect(
            names(Selection(from: busy + old + quiet, limit: 4))
                == ["world: w +0", "technology: t0 t1 +12", "health: h +0"])
        #expect(
            names(Selection(from: busy + old + quiet, interests: Interests(follow: ["sponge"]), limit: 1))
                == ["technology: s0 +13"])
    }

    @Test func aFollowedCategoryComesFirst() {
        let all = (0..<9).flatMap { place in
            ["world", "science", "zoo"].map { titled("\($0)\(place)", $0, "\($0) \(place)", minutesAgo: Double(place)) }
        }
        #expect(
            names(Selection(from: all, interests: Interests(follow: ["Ciência"]), limit: 6))
                == ["science: science0 science1 science2 +6", "world: world0 world1 +7", "zoo: zoo0 +8"])
        #expect(
            Selection(from: all, interests: Interests(follow: ["zoo"]), limit: 99).sections.map(\.category.name)
                == ["zoo", "world", "science"])
    }

    @Test func mutingWinsOverFollowing() {
        let all = [titled("a", "science", "Sponge war"), titled("b", "science", "Sponge peace")]
        let both = Selection(from: all, interests: Interests(follow: ["sponge"], mute: ["war"]), limit: 9)
        #expect(names(both) == ["science: b +0"] && both.muted == 1)
    }

    /// Whatever is followed, muted and limited: each article is told, left out or muted, once; the limit holds; each
    /// category that can be told within it is told; and the order of the input does not matter.
    @Test func everyArticleIsAccountedFor() {
        var random = SystemRandomNumberGenerator()
        let words = ["alpha", "beta", "gamma", "delta"]
        let all = (0..<60).map { index in
            titled(
                "a\(index)", ["world", "art", "health", "zoo"][index / 4 % 4],
                "\(words[index % 4]) report \(index)", source: "S\(index % 6)", minutesAgo: Double(index % 9))
        }
        for follow in [[], ["alpha"], ["zoo", "gamma"]] {
            for mute in [[], ["beta"], words] {
                for limit in [0, 1, 2, 3, 7, 20, 100] {
                    let interests = Interests(follow: follow, mute: mute, muteSources: ["s3"])
                    let selection = Selection(from: all, interests: interests, limit: limit)
                    let told = selection.sections.flatMap(\.stories)
                    let omitted = selection.sections.reduce(0) { $0 + $1.omitted }
                    #expect(told.count <= limit)
                    #expect(Set(told.map(\.lead.id)).count == told.count)
                    if limit >= 20 { #expect(told.count + omitted + selection.muted == 60) }
                    if mute.count < 4, limit >= 7 { #expect(selection.sections.count == 4) }
                    #expect(
                        Selection(from: all.shuffled(using: &random), interests: interests, limit: limit) == selection)
                }
            }
        }
    }
}
