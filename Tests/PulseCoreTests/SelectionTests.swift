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
}
