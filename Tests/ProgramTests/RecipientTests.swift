import Foundation
import PulseTestSupport
import Testing

/// Who gets what of the feeds: a mail address, whoever reads the output, and each feed beside the others.
@Suite(.timeLimit(.minutes(20))) struct RecipientTests {
    private let sandbox: Sandbox
    private let server: FeedServer

    init() throws {
        sandbox = try Sandbox()
        server = try FeedServer()
        try sandbox.installSendmail("cat >> \"$F/mail\"")
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
    }

    private func follow(_ paths: String...) throws {
        for path in paths { try sandbox.run("feeds", "add", server.url(path)).succeeded() }
    }

    /// What was mailed, without the line ends of quoted-printable.
    private func mail() throws -> String { try sandbox.folder.text("mail").replacing("=\n", with: "") }

    /// What is printed, whatever its form and its time, is taken from no mail; nor is a week that is mailed.
    @Test(arguments: [
        "--format html", "--format email --to ana@example.org", "--week --format json", "--since-last",
        "--send --dry-run --to ana@example.org", "--week --send --to ana@example.org",
    ])
    func whatIsLookedAtIsMailedAllTheSame(options: String) throws {
        server.set(
            "news", title: "The Gazette",
            [
                .init(
                    id: "one", title: "Harbour bridge opens", text: "The harbour bridge of Orlen opened on Saturday."),
                .init(id: "two", title: "Otters return", text: "Otters were seen in the river Wend on Friday."),
            ])
        try follow("news")
        let words = ["today", "--basis", "unread"] + options.split(separator: " ").map(String.init)
        try sandbox.run(words).ends(0)
        try? FileManager.default.removeItem(atPath: sandbox.folder.file("mail"))
        try sandbox.run("today", "--send", "--to", "ana@example.org", "--basis", "unread").ends(0)
        let mail = try mail()
        #expect(mail.contains("The harbour bridge of Orlen opened") && mail.contains("Otters were seen"))
        // Nor is the mail taken from what is printed, the first time.
        if options.hasPrefix("--week") || options.hasPrefix("--send") {
            #expect(try sandbox.run("today", "--basis", "unread").output.contains("Otters"))
        }
    }

    /// A feed with a thousand entries in five hundred categories beside one with five: the five are shown.
    @Test func aFeedPushesNoOtherOut() throws {
        let long = String(repeating: "x", count: 1900)
        for hostile in 1...3 {
            let items = (0..<1000).map { number in
                """
                <item><title>Loud \(hostile) number \(number) of the day</title><guid>h\(hostile)-\(number)</guid>\
                <link>http://h\(hostile).example/\(number)/\(long)</link>\
                <category>topic\(hostile)x\(number / 2)</category>\
                <pubDate>Sat, 21 Nov 2026 19:00:00 GMT</pubDate>\
                <description>Loud\(hostile)town opened its market hall number \(number) on Saturday.</description></item>
                """
            }
            server.set("h\(hostile)", title: "Loud \(hostile)", raw: items)
        }
        let news = [
            "Harbour bridge of Orlen reopens": "The harbour bridge of Orlen reopened on Friday after repairs.",
            "Otters seen in the Wend": "Biologists counted eleven otters along the river Wend this autumn.",
            "Library to stay open": "Marrowick council voted to keep the Quay Street library open until March.",
            "Orchestra elects Tamsin": "Musicians of the Arrel orchestra elected Ines Tamsin as their conductor.",
        ]
        let items = news.map { title, text -> String in
            let name = title.filter(\.isLetter)
            return """
                <item><title>\(title)</title><guid>\(name)</guid><link>http://small.example/\(name)</link>\
                <category>gardening</category><pubDate>Fri, 20 Nov 2026 08:00:00 GMT</pubDate>\
                <description>\(text)</description></item>
                """
        }
        server.set("small", title: "Small Paper", raw: items)
        try follow("h1", "h2", "h3", "small")
        let outcome = try sandbox.run("today", "--basis", "unread", "--format", "json", "--max-stories", "20")
        let digest = try outcome.object()
        let sections = try #require(digest["sections"] as? [[String: Any]])
        #expect(sections.count <= 13, "\(sections.count)")
        for title in news.keys { #expect(outcome.output.contains(title), "\(title)") }
        // The page is bounded, and so is the mail.
        let stories = outcome.output.components(separatedBy: "\"number\"").count - 1
        #expect(stories <= 40, "\(stories)")
        #expect(try sandbox.run("today", "--send", "--to", "ana@example.org", "--basis", "unread").status == 0)
        let mail = try mail()
        #expect(mail.utf8.count <= 200_000, "\(mail.utf8.count)")
        for (title, text) in news { #expect(mail.contains(title) || mail.contains(text), "\(title)") }
    }

    /// Where a mail would be too long, what takes most room gives way, and no small story of another feed.
    @Test func whatIsFatGivesWay() throws {
        let categories = [
            "world", "politics", "business", "technology", "science", "health", "sports", "entertainment",
        ]
        for number in 0..<8 {
            server.set(
                "small\(number)", title: "Paper \(number)",
                [
                    .init(
                        id: "s\(number)", title: "Small\(number)ton opens its hall",
                        text: "Small\(number)ton opened hall \(number) by the river Wend\(number) on Friday.",
                        date: "2026-11-20T08:00:00Z")
                ])
            try follow("small\(number)")
        }
        for feed in 0..<3 {
            let items = (0..<100).map { number in
                let name = "Fat\(feed)x\(number)"
                let title = name + " " + String(repeating: "🎉🎊", count: 140)
                let text = (0..<80).map { "\(name)🎈\($0)" }.joined(separator: " ")
                return "<item><title>\(title)</title><guid>\(name)</guid><category>\(categories[number % 8])</category>"
                    + "<link>http://fat.example/\(String(repeating: "y", count: 200))/\(name)</link>"
                    + "<pubDate>Sat, 21 Nov 2026 19:00:00 GMT</pubDate><description>\(name) was \(text).</description></item>"
            }
            server.set("fat\(feed)", title: "Fat \(feed)", raw: items)
            try follow("fat\(feed)")
        }
        try sandbox.run("today", "--send", "--to", "ana@example.org", "--basis", "unread", "--max-stories", "100")
            .ends(0)
        let mail = try mail()
        #expect(mail.utf8.count <= 205_000 && mail.contains("Fat"), "\(mail.utf8.count)")
        for number in 0..<8 { #expect(mail.contains("Small\(number)ton"), "\(number)") }
    }
}
