import Foundation
import PulseTestSupport
import Testing

/// What a reader is believed to like: listed with its reason, forgotten, restored, and switched off.
@Suite(.timeLimit(.minutes(5))) struct InterestsTests: StoreSuite {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        let server = try FeedServer()
        let subjects = ["harbour crane", "school budget", "tram depot", "orchestra concert"]
        let items = (0..<40).map { number in
            FeedServer.Item(
                id: "e\(number)", title: "\(subjects[number % 4].capitalized) \(number * 13)",
                text: "The \(subjects[number % 4]) \(number * 13) was in the news.",
                link: "https://gazette.example/2026/e\(number)", date: "2026-11-21T\(10 + number % 10):00:00Z")
        }
        server.set("news", title: "The Gazette", items)
        try run("feeds", "add", server.url("news")).succeeded()
        try sandbox.read(
            (0..<8).map { number in
                [
                    "id": "r\(number)", "title": "Orchestra plays concert \(number * 17)", "source": "Marquee",
                    "content": "The orchestra played a concert for \(number * 17) people.",
                    "read_at": "2026-11-2\(number % 2)T09:00:00Z",
                ]
            })
    }

    private func concerts(_ options: String...) throws -> Int {
        let outcome = try run("today --basis unread --max-stories 6 --model none", options).ends(0)
        return outcome.output.split(separator: "\n").count { $0.contains("orchestra concert") }
    }

    @Test func whatIsReadComesFirst() throws {
        let list = try run("interests")
        #expect(list.output.contains("8 articles read") && list.output.lowercased().contains("orchestra"), "\(list)")
        #expect(try concerts() > concerts("--order", "newest"))
    }

    @Test func whatIsForgottenIsListedAndRestored() throws {
        for word in ["orchestra", "concert", "concerts", "Marquee", "plays", "played", "people"] {
            #expect(try run("interests", "forget", word).status == 0)
        }
        let list = try run("interests")
        #expect(
            !list.output.lowercased().contains("orchestra") && list.errors.contains("Forgotten: orchestra, concert"))
        #expect(try run("interests", "restore", "ORCHESTRA").status == 0)
        #expect(try run("interests").output.lowercased().contains("orchestra"))
        #expect(try run("interests", "restore", "orchestra").status == 66)
        let json = try run("interests", "--format", "json").output
        #expect(json.contains("\"kind\" : \"word\"") && json.contains("\"forgotten\" : ["))
    }

    @Test func nothingIsForgottenByNoName() throws {
        for name in ["", " ", "\u{1b}[31m"] {
            let outcome = try run("interests", "forget", name).ends(64)
            #expect(!outcome.errors.contains("\u{1b}"))
        }
        let outcome = try sandbox.run("interests", "--store", sandbox.folder.file("none.sqlite")).ends(66)
        #expect(!outcome.errors.isEmpty)
    }
}
