import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

/// What attackers and new users broke, each with its command, what it did, and the tests that show what it does now;
/// those that belong nowhere else are here.
@Suite(.timeLimit(.minutes(20))) struct FindingTests {
    /// - Parameters:
    ///   - before: What the command did.
    ///   - tests: Each as `Suite.test`.
    typealias Finding = (command: String, before: String, tests: [String])

    /// 29e9c32 under attack, 23 November 2026.
    private static let attack: [Finding] = [
        (
            "today --week --basis unread; today --send", "the mail was empty",
            ["RecipientTests.whatIsLookedAtIsMailedAllTheSame"]
        ),
        ("feeds refresh, of a server with a bad ETag", "never again", ["HostileFeedTests.aBadTagSilencesNoFeed"]),
        (
            "today --basis unread --max-stories 20, of a feed of 1,000 entries", "1,005 stories, none of the others",
            ["RecipientTests.aFeedPushesNoOtherOut"]
        ),
        (
            "today --basis unread, of items with <source>", "one feed was four papers",
            ["HostileFeedTests.namesOfSourcesInEntriesAreNoPublications"]
        ),
        (
            "today --basis unread, of a feed that links to another's pages", "nothing of the other",
            ["HostileFeedTests.whoeverClaimsAnothersPagesTakesNothing"]
        ),
        ("open 1", "an address encoded twice", ["HostileFeedTests.anAddressIsEncodedOnce"]),
        ("today --send, on a full disk", "the mail again each time", ["RoomTests.whatWasSentIsNotSentAgain"]),
        (
            "feeds refresh, of one dead feed", "offline, and no fault of the feed's",
            ["FeedsTests.aFeedThatFailsAloneHasFailed", "FeedsTests.withoutANetworkNoFeedIsBlamed"]
        ),
        ("schedule install --systemd, with profiles", "told once", ["ScheduleTests.whoIsLeftOutIsToldOf"]),
        (
            "feeds refresh, of a text over 10 MB", "lost without a word",
            ["HostileFeedTests.aTextWithoutEndIsCutAndSaid"]
        ),
        (
            "feeds refresh, of a server with a byte a second", "60 seconds for each of its feeds",
            [
                "FeedFetcherTests.aSlowServerHasItsTimeAndNoMore",
                "FeedFetcherTests.aServerThatSendsAByteNowAndThenIsLeft",
            ]
        ),
        ("feeds refresh, of eight hosts", "303 MB for two", ["RefreshMemoryTests.eightHostsTakeLessThan200MiB"]),
        (
            "today --basis unread, of ids that change", "the same each night",
            ["HostileFeedTests.newIdsMakeNoNewArticles"]
        ),
        (
            "feeds add, of a 304; feeds import-opml, of 100,000 folders", "gone for good; 0 feeds",
            ["HostileFeedTests.whatIsSaidOfAnAnswerIsTrue"]
        ),
        ("summarize 1 --model, with a NaN", "70, and no digest", ["RoomTests.aModelThatLibllamaDiesOfIsRefused"]),
        (
            "history export --output; schedule install --systemd", "readable by all",
            ["RoomTests.anExportIsAsPrivateAsTheStore", "ScheduleTests.whoIsLeftOutIsToldOf"]
        ),
        ("today; history clear, on a full disk", "73", ["RoomTests.aFullDiskIsReadAndCleared"]),
        ("history export, of an older store", "update the program", ["RoomTests.aStoreOfAnotherVersionIsToldOf"]),
    ]

    /// The same by a new user.
    private static let use: [Finding] = [
        (
            "pulse-digest, with articles of long ago", "nothing to sum up",
            ["FirstRunTests.whatIsOldIsToldWithItsDaysAndItsCommand"]
        ),
        ("pulse-digest, with a browser alone", "no reader", ["FirstRunTests.aBrowserAloneIsEnough"]),
        (
            "feeds import-opml, of private addresses", "77, and no word of --private",
            ["HostileFeedTests.aListOfOnesOwnNetworkSaysWhatToDo"]
        ),
        ("import chromium ~/.config/chromium --host X", "no History there", ["FindingTests.aBrowsersFolderIsEnough"]),
        ("import firefox --fetch, on loopback", "refused by the site", ["FetchTests.noPageOfThisMachineIsFetched"]),
        ("history, at 40 columns", "words cut", ["HistoryTextTests.inANarrowTerminalTheTitleHasLinesOfItsOwn"]),
        ("today, of “The bridge reopened…”", "which one?", ["FindingTests.theFirstSentenceTellsTheStory"]),
        (
            "today, of “A magnitude 5.2 earthquake struck…”", "the second",
            ["FindingTests.theFirstSentenceTellsTheStory"]
        ),
        ("today --format email", "seven links in the HTML only", ["FindingTests.aMailsTextHasTheLinksOfItsPage"]),
        ("bench", "two minutes", ["BenchTests.aModelIsMeasured", "HelpTests.golden"]),
        ("models, with a catalogue's file elsewhere", "unknown", ["ModelsTests.whatHuggingFaceKeeps"]),
        ("today yesterday, and what else is meant", "unknown", ["MistakeTests.aMistakeIsToldWithWhatWasMeant"]),
        ("today --hours 24h; --date 12h; -qh", "refused", ["MistakeTests.whatPeopleWriteIsUnderstood"]),
        ("feeds add A B", "refused", ["HostileFeedTests.severalAddressesAreAddedAtOnce"]),
    ]

    /// By readers of the code, and by a second round of attackers.
    private static let later: [Finding] = [
        ("doctor", "62.9 GiB as 62.0", ["DoctorTests.aSizeHasItsTenth"]),
        (
            "history show URL, of a large section's page", "not found",
            ["FindingTests.aSectionsPageIsFoundAboveItsArticles"]
        ),
        (
            "today --basis unread, of two feeds of one name", "one publication",
            ["HostileFeedTests.twoOfOneNameAreToldApart"]
        ),
        ("feeds refresh --force, of a false 304", "silent for ever", ["HostileFeedTests.aFalse304EndsWithinAWeek"]),
        (
            "feeds refresh, of what breaks off", "the rest never",
            ["HostileFeedTests.whatBreaksOffComesWholeTheNextTime"]
        ),
        ("today --send, of a feed with long titles", "other feeds' stories cut", ["RecipientTests.whatIsFatGivesWay"]),
        ("today --basis unread, of one link for all", "the newest never", ["HostileFeedTests.oneLinkForAllLosesNone"]),
    ]

    @Test(arguments: attack + use + later) func aFindingHasItsTests(finding: Finding) throws {
        for test in finding.tests {
            let names = test.split(separator: ".")
            let isThere = try Self.sources.contains { source in
                try source.contains(Regex("(struct|extension) \(names[0])\\b")) && source.contains("func \(names[1])(")
            }
            #expect(isThere, "\(finding.command): \(test)")
        }
    }

    private static let sources: [String] = {
        let folder = Repository.root.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let paths = (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
        return paths.compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    }()

    // MARK: - Tests of their own

    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
    }

    @Test func theFirstSentenceTellsTheStory() throws {
        let texts = [
            "Quake off Morania": "A magnitude 5.2 earthquake struck the coast of Morania on Sunday. "
                + "Two people were injured and a bridge was closed.",
            "Lisbon bridge reopens": "The bridge reopened to traffic on Monday after two years of repairs.",
            "Sismo en Tamsin":
                "Tamsin, 21 nov (EFE).- Un sismo no causa daños en Tamsin. Los vecinos salieron a la calle.",
            "Encontro em Orlen": "Na Videoteca de Orlen realiza-se o encontro de Tamsin. Os bilhetes custam 5 euros.",
        ]
        try sandbox.read(texts.map { ["id": $0.key, "title": $0.key, "content": $0.value, "source": "S"] })
        let digest = try sandbox.run("today", "--language", "en").output.split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        for words in [
            "A magnitude 5.2 earthquake struck the coast of Morania on Sunday.",
            "Lisbon bridge reopens — “The bridge reopened to traffic", "“Un sismo no causa daños en Tamsin.",
            "Na Videoteca de Orlen realiza-se o encontro de Tamsin.",
        ] {
            #expect(digest.contains(words), "\(digest)")
        }
    }

    @Test func aMailsTextHasTheLinksOfItsPage() throws {
        let towns = ["Orlen", "Tamsin", "Calder", "Marrowick", "Farmyr", "Wend", "Arrel", "Ombria", "Lulana", "Harnby"]
        try sandbox.read(
            towns.enumerated().map { number, town in
                [
                    "id": town, "title": "\(town) opens hall \(number)", "source": "The Herald", "category": "world",
                    "url": "https://herald.example/\(town)",
                    "content": "\(town)ville opened its \(town)hall number \(number) by the \(town)water.",
                ]
            })
        let mail = try sandbox.run("today", "--format", "email", "--to", "ana@example.org").output
            .replacing("\r", with: "").replacing("=\n", with: "")
        let parts = mail.components(separatedBy: "Content-Type: text/html")
        try #require(parts.count == 2)
        for town in towns {
            let link = "https://herald.example/\(town)"
            #expect(parts[0].contains(link) == parts[1].contains(link) && parts[0].contains(link), "\(town)")
        }
    }

    @Test func aSectionsPageIsFoundAboveItsArticles() throws {
        let page = "https://gazette.example/world"
        try sandbox.read(
            (0..<1500).map { ["id": "a\($0)", "url": "\(page)/\($0)", "title": "Article \($0)"] }
                + [
                    [
                        "id": "section", "url": "http://gazette.example/world/?utm_source=mail",
                        "title": "All of the world",
                    ]
                ])
        #expect(try sandbox.run("history", "show", page).output.contains("All of the world"))
    }

    @Test func aBrowsersFolderIsEnough() throws {
        let folder = sandbox.folder.file("home/.config/chromium")
        try sandbox.folder.makeFolder("home/.config/chromium/Profile 1")
        let connection = try Connection(path: folder + "/Profile 1/History", access: .readWriteCreate)
        try connection.execute(String(contentsOfFile: Sandbox.fixtures + "/browsers/chromium-156.sql", encoding: .utf8))
        try connection.execute(
            "UPDATE urls SET title = title || ' | Global Wire' WHERE url LIKE '%gazette.example/2026/%'")
        let outcome = try sandbox.run("import", "chromium", folder, "--host", "gazette.example")
        #expect(outcome.output == "2 articles: 2 new, 0 updated, 0 known\n", "\(outcome.errors)")
        let list = try sandbox.run("history", "list").output
        #expect(list.contains("Council votes on the bridge") && !list.contains("| Global Wire"), "\(list)")
    }
}
