import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseDigest

/// Stories that go on from what earlier digests told.
@Suite(.timeLimit(.minutes(20))) struct StoryUpdatesTests {
    private func digest(_ selection: StorySelection, night: Double = 0) -> Digest {
        let date = Readings.now.addingTimeInterval(night * 86_400)
        return Digest(
            date: date, period: Period(hours: 24, endingAt: date), language: .english,
            sections: selection.digestSections())
    }

    private func told(_ readings: [Reading], night: Double = 0, earlier: [PreviousStory] = []) -> Digest {
        digest(StorySelection(from: readings, limit: 25, earlier: earlier), night: night)
    }

    /// What is new of a story that was told before.
    private func update(_ readings: [Reading], earlier: [PreviousStory]) throws -> Digest.Entry {
        try #require(told(readings, night: 1, earlier: earlier).sections.first?.entries.first)
    }

    private static let first = Readings.make(
        "1", title: "Orlen council votes to rebuild the Tarn bridge",
        content: "The council of Orlen voted on Monday to rebuild the Tarn bridge. It has been closed since March.",
        source: "Herald")
    /// The same by another publication.
    private static func sameNews(by source: String, _ category: String = "world", minutesAgo: Double = 1) -> Reading {
        Readings.make(
            source, category, title: first.article.title, content: first.article.content, source: source,
            minutesAgo: minutesAgo)
    }

    private static let second = Readings.make(
        "2", title: "Kessler to rebuild the Tarn bridge of Orlen",
        content: "The council of Orlen voted on Monday to rebuild the Tarn bridge. Kessler & Sons will do the work "
            + "in Orlen for 48 million crowns, mayor Ines Halvard said.", source: "Herald")
    private static let copy = Readings.make(
        "3", title: "Orlen council votes to rebuild Tarn bridge",
        content: "The council of Orlen voted on Monday to rebuild the Tarn bridge.", source: "Wire")

    @Test func aStoryIsToldAgainByWhatIsNew() throws {
        let entry = try update([Self.second], earlier: told([Self.first]).previousStories(in: .gmt))
        #expect(entry.update?.day == Day(Readings.now, in: .gmt) && entry.update?.number == 1)
        #expect(entry.sentences.joinedText.contains("48 million"))
        #expect(!entry.sentences.joinedText.contains("voted"))
    }

    /// Teasers name again whom they are about: of an article with a new title, a few new words are news.
    @Test(arguments: [
        (
            "Search for teacher", "Rescue teams are searching for teacher Ines Halvard, 44, who is missing in Tarn.",
            "Teacher found alive", "Teacher Ines Halvard, 44, who was missing in Tarn, has been found alive."
        ),
        (
            "Strike to start", "Tram drivers of Orlen will begin a 48-hour strike over pay, the Orlen Tram Union said.",
            "Strike called off", "The Orlen Tram Union has called off the 48-hour strike of tram drivers over pay."
        ),
    ])
    func aFollowUpThatRepeatsMostOfItsStoryIsTold(title: String, lead: String, next: String, news: String) throws {
        let earlier = told([Readings.make("1", title: title, content: lead, language: "en")]).previousStories(in: .gmt)
        let update = try update([Readings.make("2", title: next, content: news, language: "en")], earlier: earlier)
        #expect(update.update == earlier[0].update && update.sentences.joinedText.hasSuffix(news))
        // The same in other words is not.
        let same = Readings.make("3", title: title, content: "On Monday, " + lead, source: "Wire", language: "en")
        #expect(StorySelection(from: [same], limit: 25, earlier: earlier).sections.isEmpty)
    }

    /// A feature begins with a scene: what the other reports confirm tells what is new.
    @Test func aFeatureIsToldByWhatTheOthersConfirm() throws {
        let scene = "Somewhere on Lantern Street a woman had a long night over the drawings."
        let earlier = told([Self.first]).previousStories(in: .gmt)
        func update(_ scene: String) throws -> String {
            let feature = Readings.make(
                "4", title: "Who pays when spans break?",
                content: """
                    \(scene) The council of Orlen voted on Monday to rebuild the Tarn bridge. The Tarn bridge of Orlen \
                    will cost 48 million crowns. Nobody slept well.
                    """, source: "Post", language: "en")
            let digest = told([feature, Self.first], night: 1, earlier: earlier)
            return try #require(digest.sections[0].entries.first { $0.update != nil }).sentences[0].text
        }
        #expect(try update(scene) == "The Tarn bridge of Orlen will cost 48 million crowns.")
        // A sentence with a number is no scene.
        let figures = "On Monday evening 31 people crossed by boat, 4 more than a week before."
        #expect(try update(figures) == figures)
    }

    /// Those that reported the day before do not bring it to the front once more.
    @Test func anUpdateWeighsWhatItsNewReportsDo() throws {
        let others = ["Wire", "Post"].map { Self.sameNews(by: $0, minutesAgo: 1500) }
        let fires = ["Star", "Echo"].map {
            Readings.make(
                $0, title: "Fire destroys the Marrowick ropery",
                content: "A fire destroyed the old ropery of Marrowick harbour on Tuesday.", source: $0, minutesAgo: 9)
        }
        let earlier = told([Self.first] + others).previousStories(in: .gmt)
        let single = Readings.make("single", content: "Gulls have come to nest on the town hall of Marrowick.")
        let all = [single, Self.second, Self.first] + others + fires
        let entries = told(all, night: 1, earlier: earlier).sections[0].entries
        #expect(entries.map(\.story.weight) == [2, 1, 1])
        #expect(entries.map { $0.update == nil } == [true, false, true])
    }

    /// The order of a set differs from run to run.
    @Test func equalReportsAreEqualInEachRun() {
        let words = (0..<200).map { "word\($0)" }
        let weights = Weights(
            (0..<40).map { index in Article(id: "\(index)", title: words.prefix(5 * index).joined(separator: " ")) })
        let differing = (3..<200).filter { count in
            var set = Set<String>(minimumCapacity: 4096)
            set.formUnion(words.prefix(count))
            return weights.total(set) != weights.total(words.prefix(count).reversed())
        }
        #expect(differing == [])
    }

    /// A column on a told story is no report of what is new, says so, and is not as large as the story.
    @Test(arguments: [true, false]) func aColumnIsAComment(isColumn: Bool) throws {
        let text =
            isColumn
            ? "I walked across the Tarn bridge of Orlen as a child, and I miss it. My mother never would."
            : "Kessler walked across the Tarn bridge of Orlen for 48 million crowns, and he said so."
        let others = ["Post", "Mail"].map { Self.sameNews(by: $0, "general") }
        let earlier = told([Self.first] + others).previousStories(in: .gmt)
        let column = Readings.make(
            "c", title: "Orlen council and its Tarn bridge", content: text, source: "Weekly", language: "en")
        let digest = told([column, Self.first] + others, night: 1, earlier: earlier)
        let entry = try #require(digest.sections.flatMap(\.entries).first { $0.story.lead.id == "c" })
        #expect(entry.update == earlier[0].update && entry.isComment == isColumn)
    }

    /// By its new report, and it takes no place of what is new.
    @Test func whatTellsNothingNewIsNotToldAgain() throws {
        let earlier = told([Self.first]).previousStories(in: .gmt)
        let news = (0..<8).map {
            Readings.make("n\($0)", content: "In town \($0) the mayor number \($0) resigned over affair \($0).")
        }
        let selection = StorySelection(from: [Self.copy] + news, limit: 25, earlier: earlier)
        #expect(selection.sections[0].stories.count == 8)
        #expect(selection.toldBefore == [Digest.Repeat(title: Self.copy.article.title, update: earlier[0].update)])
    }

    /// A report without sentences, such as a fact sheet, is told by its title: once, and as an update too.
    @Test func whatWasToldByItsTitleIsKnown() throws {
        func sheet(_ title: String, _ id: String) -> Reading {
            Readings.make(id, title: title, content: "Orlen, Tarn bridge", source: id, language: "en")
        }
        let vote = sheet("Orlen council votes to rebuild the Tarn bridge", "a")
        let first = told([vote])
        let earlier = first.previousStories(in: .gmt)
        #expect(first.sections[0].entries[0].sentences.isEmpty && earlier[0].update.text == vote.article.title)
        let again = StorySelection(from: [vote], limit: 25, earlier: earlier, isAskedAgain: false)
        #expect(again.sections.isEmpty && again.repeated == 1)
        let more = sheet("Orlen council to rebuild the Tarn bridge for 48 million crowns", "b")
        let update = try update([more], earlier: earlier)
        #expect(update.update == earlier[0].update && update.sentences.isEmpty && update.story.lead.id == "b")
    }

    /// Another report of the vote, with these figures.
    private func report(
        _ id: String, _ vote: String, _ news: String = "", _ category: String = "world", minutesAgo: Double = 1
    ) -> Reading {
        Readings.make(
            id, category, title: "Orlen council votes \(vote) to rebuild Tarn bridge",
            content: "The council of Orlen voted on Monday to rebuild the Tarn bridge. \(news)", source: id,
            language: "en", minutesAgo: minutesAgo)
    }

    private static let contract = "Kessler & Sons won the work for 48 million crowns in June."
    private static let farmers = "Farmers Ines and Otto Halvard won 31 fields from Vellmark."

    /// Two groups of reports may go on with one story: what has an update here is not “told before” on the same page.
    @Test func aStoryIsNotBothNewAndToldBefore() throws {
        let earlier = told([Self.first]).previousStories(in: .gmt)
        let (one, other) = (report("a", "12 to 3"), report("b", "11 to 4"))
        let again = StorySelection(from: [one, other], limit: 25, earlier: earlier)
        #expect(again.sections.isEmpty && again.toldBefore.count == 1)
        let news = report("c", "10 to 5", Self.contract)
        let page = StorySelection(from: [one, other, news], limit: 25, earlier: earlier)
        #expect(page.digestSections().flatMap(\.entries).map(\.update) == [earlier[0].update])
        #expect(page.toldBefore.isEmpty)
    }

    /// Whatever their categories are.
    @Test func updatesOfOneStoryStandInOneSection() {
        let one = report("a", "12 to 3", Self.contract, "sports")
        let other = report("b", "11 to 4", Self.farmers, "health")
        func sections(_ earlier: [PreviousStory]) -> Int {
            StorySelection(from: [one, other], limit: 25, earlier: earlier).sections.count
        }
        #expect(sections([]) == 2)
        #expect(sections(told([Self.first]).previousStories(in: .gmt)) == 1)
    }

    /// Yesterday's reports were on yesterday's page: the update is from the new one alone, and they are counted.
    @Test func anUpdateListsItsNewReports() throws {
        let old = Readings.make(
            "old", title: Self.first.article.title, content: Self.first.article.content, source: "Post",
            minutesAgo: 1500)
        let earlier = told([Self.first, old]).previousStories(in: .gmt)
        let page = StorySelection(from: [Self.second, Self.first, old], limit: 25, earlier: earlier)
        let entry = try #require(page.digestSections()[0].entries.first)
        #expect(entry.update != nil && entry.story.articles.map(\.id) == ["2"])
        #expect(page.sections.map(\.stories.count) == [1] && page.toldArticles == 2)
    }

    /// Whatever stands between them by its time.
    @Test func updatesOfOneStoryStandTogether() {
        let earlier = told([Self.first]).previousStories(in: .gmt)
        let one = report("a", "12 to 3", Self.contract)
        let other = report("b", "11 to 4", Self.farmers, minutesAgo: 9)
        let between = Readings.make(
            "m", title: "Holm Quay beats Merrow Rovers", content: "Holm Quay beat Merrow Rovers 2-1 in the cup.",
            source: "Wire", minutesAgo: 5)
        let page = StorySelection(from: [one, between, other], limit: 25, earlier: earlier)
        #expect(page.sections.flatMap(\.stories).map(\.lead.id) == ["a", "b", "m"])
    }

    /// For lack of room; it comes again with a new report.
    @Test func whatStoodByItsTitleWasShown() throws {
        let others = (0..<6).map {
            Readings.make("o\($0)", content: "In town \($0) the mayor number \($0) resigned over affair \($0).")
        }
        let before = told(others + [Self.first])
        #expect(before.sections.flatMap(\.titled).map(\.lead.id).count == 1)
        let title = before.sections[0].titled[0]
        let earlier = before.previousStories(in: .gmt, titled: true)
        #expect(earlier.count == 7 && earlier[6].update.number == 7 && before.previousStories(in: .gmt).count == 6)
        let again = StorySelection(from: title.readings, limit: 25, earlier: earlier, isAskedAgain: false)
        #expect(again.sections.isEmpty && again.repeated == 1 && again.toldBefore.isEmpty)
    }

    /// What was printed yesterday does not come back word for word, unless it is asked for again.
    @Test func whatWasShownIsNotShownAgain() throws {
        let earlier = told([Self.first]).previousStories(in: .gmt)
        let today = StorySelection(from: [Self.first], limit: 25, earlier: earlier, isAskedAgain: false)
        #expect(today.sections.isEmpty && today.repeated == 1)
        // Only a new report is named: the page of yesterday had this one.
        #expect(today.toldBefore.isEmpty)
        let more = StorySelection(from: [Self.first, Self.second], limit: 25, earlier: earlier, isAskedAgain: false)
        let entry = try #require(more.digestSections().first?.entries.first)
        #expect(entry.update != nil && entry.sentences.joinedText.contains("48 million"))
    }

    /// Whoever asks for two days gets what was in yesterday's digest, too.
    @Test func whatIsAskedForAgainIsToldAgain() throws {
        let earlier = told([Self.first]).previousStories(in: .gmt)
        let again = try update([Self.first, Self.copy], earlier: earlier)
        #expect(again.update == nil && again.sentences.joinedText.contains("voted"))
        let more = try update([Self.first, Self.second], earlier: earlier)
        #expect(more.update != nil && more.sentences.joinedText.contains("48 million"))
    }

    /// An earlier story is found by its place behind all of the articles, also behind those of other categories.
    @Test func otherCategoriesAreNotTakenForEarlierStories() throws {
        let match = Readings.make(
            "m", "sports", title: "Holm Quay beats Merrow Rovers in the cup",
            content: "Holm Quay beat Merrow Rovers 2-1 in the cup on Monday in front of 4,870 people.", source: "Wire")
        let readings = [
            Self.first, match, Readings.make("o", title: "Leaf mould", content: "Leaf mould takes a year."),
        ]
        let earlier = told(readings).previousStories(in: .gmt)
        let sports = Interests(categories: [Category("sports")])
        let again = digest(
            StorySelection(from: readings, interests: sports, limit: 25, earlier: earlier), night: 1)
        let entry = try #require(again.sections.first?.entries.first)
        #expect(entry.story.lead.id == "m" && entry.update == nil)
    }

    /// What the second digest did not say, the first did.
    @Test func whatWasToldLongBeforeIsNotNewEither() throws {
        let monday = told([Self.first]).previousStories(in: .gmt)
        let tuesday = told([Self.second], night: 1, earlier: monday).previousStories(in: .gmt)
        let wednesday = StorySelection(from: [Self.copy], limit: 25, earlier: monday + tuesday)
        #expect(wednesday.sections.isEmpty && wednesday.toldBefore.count == 1)
    }

    /// Whenever digests were printed, and however often.
    @Test func theCourseOfAWeekGoesByTheDaysOfReading() throws {
        var earlier = told([Self.first], night: 1).previousStories(in: .gmt)
        earlier += told([Self.first, Self.copy], night: 2, earlier: earlier).previousStories(in: .gmt)
        #expect(earlier.count == 2)
        let week = StorySelection(from: [Self.first, Self.copy], limit: 25, isWeek: true).courses(
            told: earlier, in: .gmt)
        let days = try #require(week.first?.entries.first?.days)
        #expect(days.map(\.day) == [Day(Self.first.readAt, in: .gmt)])
        #expect(days.first?.sentences.joinedText == earlier[0].sentences.joinedText)
    }

    /// A digest of two days told the second: the first is not lost, and what both tell comes once.
    @Test(arguments: [true, false]) func aDayThatADigestOnlyCoveredIsTold(isSame: Bool) throws {
        let cracks =
            "Engineers found cracks in two piers of the Tarn bridge of Orlen, and the council of Orlen is to vote."
        let before = Readings.make(
            "0", title: isSame ? Self.copy.article.title : "Orlen council to vote on the Tarn bridge",
            content: isSame ? Self.copy.article.content : cracks, source: "Post", minutesAgo: 1500)
        let later = Self.first
        let story = PreviousStory(
            update: Digest.Update(day: Day(later.readAt, in: .gmt), number: 1, text: Self.copy.article.content),
            articles: [later.article, before.article],
            sentences: [Sentence(text: Self.copy.article.content, sources: [later.article.id], origin: .copied)])
        let days = StorySelection.course(
            of: later.article, in: StoryCandidates([later, before]), meanings: .none, told: [story], zone: .gmt
        ).days
        #expect(days.map(\.day) == (isSame ? [later] : [before, later]).map { Day($0.readAt, in: .gmt) })
    }

    // MARK: - Five nights

    private struct Line: Decodable {
        let id, url, title, content, source, category, language: String
        let publishedAt, readAt: Date
    }

    private static let series: Result<[Reading], any Error> = Result {
        let file = Repository.fixtures.appendingPathComponent("series.jsonl")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { bytes in
            let line = try decoder.decode(Line.self, from: bytes)
            return Reading(
                article: Article(
                    id: line.id, url: line.url, title: line.title, content: line.content, source: line.source,
                    category: Category(line.category), language: line.language, publishedAt: line.publishedAt),
                readAt: line.readAt, origin: "test")
        }
    }

    /// Six stories in two languages, and what is near them and another story: as it was judged by eye.
    @Test func fiveNights() throws {
        let readings = try Self.series.get()
        var (earlier, lines): ([PreviousStory], String) = ([], "")
        for night in 0..<5 {
            let date = try Date("2026-11-\(16 + night)T22:00:00Z", strategy: .iso8601)
            let new = readings.filter { Day($0.readAt, in: .gmt) == Day(date, in: .gmt) }
            let selection = StorySelection(from: new, limit: 25, earlier: earlier)
            let digest = Digest(
                date: date, period: Period(hours: 24, endingAt: date), language: .english,
                sections: selection.digestSections(), toldBefore: selection.toldBefore)
            earlier += digest.previousStories(in: .gmt)
            lines += "\(Day(date, in: .gmt).text)\n"
            for section in digest.sections {
                for entry in section.entries {
                    let update = entry.update.map { " [update of \($0.day.text) \($0.number)]" } ?? ""
                    lines +=
                        "  \(entry.story.articles.map(\.id).joined(separator: " "))\(update): "
                        + entry.sentences.joinedText + "\n"
                }
                for story in section.titled { lines += "  \(story.lead.id), its title only\n" }
            }
            for told in digest.toldBefore {
                lines += "  told before, \(told.update.day.text) \(told.update.number): \(told.title)\n"
            }
        }
        let week = StorySelection(from: readings, limit: 25, isWeek: true).courses(told: earlier, in: .gmt)
        lines += "The week\n"
        for entry in week.flatMap(\.entries) {
            lines += "  \(entry.story.articles.map(\.id).joined(separator: " "))\n"
            for report in entry.days { lines += "    \(report.day.text): \(report.sentences.joinedText)\n" }
        }
        #expect(try lines == Golden.text("series.txt", actual: lines))
    }
}
