import Foundation
import PulseCore
import Testing

@Suite struct StoryMergerTests {
    private static let day = 86_400.0

    private func article(_ id: String, _ title: String, _ content: String = "", daysAgo: Double = 0) -> Reading {
        let now = Date(timeIntervalSince1970: 1_795_000_000)
        return Reading(
            article: Article(
                id: id, title: title, content: content, category: Category("world"),
                publishedAt: now.addingTimeInterval(-daysAgo * Self.day)),
            readAt: now, origin: "test")
    }

    private func stories(_ readings: [Reading]) -> [[String]] {
        Selection(from: readings, limit: 1000).sections.flatMap(\.stories).map { $0.readings.map(\.article.id) }
    }

    private func areOne(_ left: Reading, _ right: Reading) -> Bool {
        let forth = stories([left, right]).count == 1
        #expect((stories([right, left]).count == 1) == forth)
        return forth
    }

    private static let dam = """
        Engineers opened two of the five gates of the Tamsin dam and about 14,000 people were told to leave the Arrel \
        valley, after 212 millimetres of rain in 36 hours.
        """

    @Test(arguments: [
        (
            "Tamsin dam gates opened as 14,000 leave Arrel valley",
            "Gates of Tamsin dam opened; 14,000 leave the Arrel valley"
        ),
        ("Tamsin dam gates opened", "Tamsin dam gates are opened as 14,000 people leave Arrel valley"),
        ("Thousands leave Arrel valley as Tamsin dam opens", "Tamsin dam gates opened, Arrel valley is cleared"),
    ])
    func oneStoryInSeveralWordings(left: String, right: String) {
        let other =
            "About 14,000 people in the Arrel valley were told to leave after two of five gates of the Tamsin dam were opened on Friday."
        #expect(areOne(article("a", left, Self.dam), article("b", right, other)))
    }

    @Test(arguments: [
        // Numbers differ.
        (
            "Magnitude 5.8 earthquake shakes northern Orvanto, no deaths reported",
            "A magnitude 5.8 earthquake struck Cabral Alto in northern Orvanto, cracking walls in 90 houses and trapping 27 miners.",
            "Magnitude 5.3 earthquake shakes southern Orvanto, no deaths reported",
            "A magnitude 5.3 earthquake was felt in Pedra Funda in southern Orvanto, where 12 chimneys fell."
        ),
        // Titles are alike to the letter, the events are not.
        (
            "Bank raises its main rate",
            "The central bank of Kestria raised its main rate to 4.5 percent on Thursday, Ana Roth said.",
            "Bank raises its main rate",
            "The Bank of Vellmark put its main rate at 6.25 percent, Governor Ole Dahl announced in Brandholt."
        ),
        // One subject, two days' news.
        (
            "Marrowick tram strike begins",
            "Tram drivers in Marrowick walked out on Monday over pay; the union ATU wants 6 percent.",
            "Marrowick tram bridge reopens",
            "The tram bridge at Quay Street in Marrowick reopened after 14 months of work by Harnby Ltd."
        ),
    ])
    func differentEventsStayApart(title: String, text: String, otherTitle: String, otherText: String) {
        #expect(!areOne(article("a", title, text), article("b", otherTitle, otherText)))
    }

    @Test func theSameTitleMonthsApartIsNoStory() {
        let title = "Tamsin dam gates opened"
        #expect(areOne(article("a", title, Self.dam), article("b", title, Self.dam, daysAgo: 2)))
        #expect(!areOne(article("a", title, Self.dam), article("b", title, Self.dam, daysAgo: 30)))
    }

    @Test func withoutTextsTitlesMustBeOneAnother() {
        #expect(areOne(article("a", "Ferry to Orlen returns"), article("b", "Ferry to Orlen returns on Monday")))
        #expect(!areOne(article("a", "Ferry to Orlen returns"), article("b", "Ferry to Dask returns")))
        #expect(!areOne(article("a", ""), article("b", "")))
    }

    @Test func theLongestTextSpeaksForItsStory() {
        let title = "Tamsin dam gates opened"
        let short = article("short", title, Self.dam)
        let long = article("long", title, Self.dam + " No deaths have been reported.")
        let found = stories([short, long, article("c", title, Self.dam)])
        #expect(found.count == 1)
        #expect(found[0].first == "long" && Set(found[0]) == ["short", "long", "c"])
    }

    /// Titles made of the same few words and a number each stay apart, however many there are.
    @Test func thousandsOfArticlesAreGrouped() {
        let readings = (0..<10_000).map { article("\($0)", "Report number \($0) about town \($0 % 97)", "Nothing.") }
        #expect(stories(readings).count == 1000)
    }
}
