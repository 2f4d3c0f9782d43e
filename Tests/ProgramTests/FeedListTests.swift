import Foundation
import PulseTestSupport
import Testing

/// Lists of feeds, feeds that a page names, and nights on which feeds fail.
@Suite(.timeLimit(.minutes(20))) struct FeedListTests: StoreSuite {
    let sandbox: Sandbox
    private let server: FeedServer

    init() throws {
        sandbox = try Sandbox()
        server = try FeedServer()
        for name in ["alder", "birch"] {
            server.set(
                name, title: "The \(name)", [FeedServer.Item(id: name, title: "Snow in \(name)", text: "It snowed.")])
        }
    }

    // MARK: - Lists

    @Test func aListComesInAndGoesOut() throws {
        let list = """
            <opml version="1.0"><body><outline text="World"><outline text="Alder" xmlUrl="\(server.url("alder"))"/>
            <outline text="Again" xmlUrl="\(server.url("alder"))/"/></outline>
            <outline text="Shell" xmlUrl="exec:rm -rf ~"/><outline xmlUrl="\(server.url("birch"))"/></body></opml>
            """
        try run("feeds import-opml - --private", input: Data(list.utf8))
            .ends(0, "Skipped: exec:rm", output: "2 feeds: 2 added, 0 followed already, 1 skipped\n")
        #expect(try run("feeds refresh").output == "2 feeds refreshed: 2 new entries.\n")
        // Nothing was read, and something waits.
        try run("ask snow").ends(66, "pulse-digest ask --basis unread QUESTION\n")
        let written = try run("feeds export-opml").output
        #expect(
            written.contains("<outline text=\"World\" title=\"World\">")
                && written.contains("xmlUrl=\"\(server.url("birch"))\""))
        let path = try sandbox.folder.write(list, to: "list.opml")
        let third = sandbox.folder.file("third.sqlite")
        try sandbox.run("feeds", "import-opml", path, "--store", third)
            .ends(0, "feeds import-opml \(path) --private. Or type")
        let other = sandbox.folder.file("other.sqlite")
        let back = try sandbox.run("feeds", "import-opml", "-", "--store", other, input: Data(written.utf8))
        #expect(back.output == "2 feeds: 2 added, 0 followed already, 0 skipped\n")
        #expect(try sandbox.run("feeds", "export-opml", "--store", other).output == written)
    }

    /// What has no end is refused, and what cannot be read is not said to be missing.
    @Test func whatIsNoFile() throws {
        for (line, status, words) in [
            ("yes | $P feeds import-opml -", 65, "longer than 16 MiB."),
            ("$P feeds import-opml /dev/zero", 65, "/dev/zero is larger than this program reads."),
            ("$P feeds import-opml - < /", 65, "standard input is a folder."),
            ("$P feeds import-opml no-such-file", 66, "There is no file or folder no-such-file."),
        ] as [(String, Int32, String)] {
            try sandbox.shell(line).ends(status, words)
        }
    }

    @Test func aFeedIsNamedAsItWasAdded() throws {
        let list = """
            <opml><body><outline text="A" xmlUrl="https://a.example/feed.xml" htmlUrl="https://www.a.example/"/>
            <outline text="B" xmlUrl="guardian:world"/><outline text="C" xmlUrl="https://c.example/c"/></body></opml>
            """
        for words in ["a.example/feed.xml", "www.a.example"] {
            #expect(try run("feeds import-opml -", input: Data(list.utf8)).status == 0)
            #expect(
                try run("feeds remove \(words) Guardian:World").errors
                    == "No longer followed: A\nNo longer followed: B\n")
        }
        #expect(try run("feeds remove d.example").status == 66)
    }

    // MARK: - Pages

    private func page(_ links: String) -> LoopbackResponse {
        LoopbackResponse(
            headers: ["Content-Type": "text/html"],
            text: "<!doctype html><html><head><title>P</title>\(links)</head><body><p>Hi</p></body></html>")
    }

    @Test func theFeedOfAPageIsFound() throws {
        let alder = "<link rel=alternate type=\"application/rss+xml\" title=\"News\" href=\"/alder\">"
        let birch = "<link rel=alternate type=\"application/rss+xml\" title=\"Comments\" href=\"/birch\">"
        server.set("page", page(alder))
        #expect(
            try run("feeds add \(server.url("page"))").output.hasPrefix("The alder (\(server.url("alder"))): 1 entry"))
        #expect(try run("feeds add \(server.url("page"))").status == 64)
        server.set("two", page(alder + birch))
        try run("feeds add \(server.url("two"))").ends(65, "2  Comments  \(server.url("birch"))")
        // One that names none has its feed where feeds often are.
        server.set("blog/", page(""))
        server.set("blog/feed.xml", title: "The blog", [])
        #expect(
            try run("feeds add \(server.url("blog/"))").output.hasPrefix("The blog (\(server.url("blog/feed.xml")))"))
        server.set("none/", page(""))
        let none = try run("feeds add \(server.url("none/"))").errors
        #expect(none.contains("web page, not a feed. It names no feed, and there is none where"), "\(none)")
        #expect(none.contains("Look on it for a link to its feed"), "\(none)")
    }

    /// A page's word is not its reader's: it leads nowhere into this machine.
    @Test func whatAPageNamesIsNotTyped() throws {
        let inside = server.url("alder").replacing("127.0.0.1", with: "localhost")
        #expect(inside.contains("localhost"))
        server.set("page", page("<link rel=alternate type=\"application/rss+xml\" href=\"\(inside)\">"))
        for command in ["add", "preview"] {
            try run("feeds \(command) \(server.url("page"))").ends(77, "of this machine or of a private network")
        }
        #expect(!server.requests.contains { $0.target == "/alder" })
        #expect(try run("feeds add \(inside)").status == 0, "who names it wants it")
    }

    // MARK: - Nights

    @Test func aFeedThatKeepsFailingIsToldOfOnce() throws {
        try sandbox.installSendmail("cat >> $F/mails")
        for name in ["alder", "birch"] { #expect(try run("feeds add \(server.url(name))").status == 0) }
        server.set("birch", LoopbackResponse(status: 404))
        func night(_ day: Int) throws -> Outcome {
            clock(day, 22)
            return try run("today --send --scheduled cron --basis unread --to ana@example.org --retry-time 0")
        }
        for day in [22, 23] { try night(day).ends(0, output: "", errors: "") }
        try night(24).ends(69, errors: "")
        let mails = { try sandbox.folder.text("mails") }
        #expect(try mails().contains("The birch (\(server.url("birch"))): There is no such page"))
        let before = try mails()
        let silent = try night(25)
        #expect(try silent.status == 69 && silent.errors == "" && mails() == before)
        // Another that fails, too, is another matter.
        server.set("alder", LoopbackResponse(status: 410))
        #expect(try night(26).errors == "")
        #expect(try mails().dropFirst(before.count).contains("The alder ("))
        // It heals, and what it has then is told once.
        let item = FeedServer.Item(id: "thaw", title: "Birchthaw begins", text: "The Birchthaw began on Thursday.")
        server.set("birch", title: "The birch", [item])
        let told = try (27...28).map { day in
            _ = try night(day)
            return try mails().replacing("=\n", with: "").ranges(of: "Birchthaw").count
        }
        #expect(told[0] > 0 && told[0] == told[1], "\(told)")
    }
}
