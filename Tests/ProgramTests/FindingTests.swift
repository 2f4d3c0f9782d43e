import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

/// What new users found wrong, and what belongs to no other suite.
@Suite(.timeLimit(.minutes(20))) struct FindingTests {
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
