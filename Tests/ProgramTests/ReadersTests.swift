import Foundation
import PulseTestSupport
import Testing

/// Several readers of one history, by the `profiles` of the settings file.
@Suite(.timeLimit(.minutes(20))) struct ReadersTests: StoreSuite {
    let sandbox: Sandbox
    private let server: FeedServer

    init() throws {
        sandbox = try Sandbox()
        server = try FeedServer()
        sandbox.environment["F"] = sandbox.folder.path
        try sandbox.folder.writeProgram(
            """
            #!/bin/sh
            cat > $F/message
            for name in ana ben you; do
                if grep -q "^To: $name@" $F/message; then
                    [ -e $F/down.$name ] && exit 67
                    cat $F/message >> $F/$name
                fi
            done
            exit 0
            """, to: "sendmail")
        try sandbox.configure(
            """
            {
              sendmail: "\(sandbox.folder.file("sendmail"))", retryTime: 0,
              profiles: {
                ana: { to: "ana@example.org", language: "pt", category: "world" },
                ben: { to: "ben@example.org", language: "es", basis: "unread", source: ["Birch"] },
                kids: { maxStories: 3 },
              },
            }
            """)
    }

    /// What a reader was mailed in all.
    private func mailed(_ name: String) -> String {
        ((try? sandbox.folder.text(name)) ?? "").replacing("=\n", with: "")
    }

    private func read(_ word: String, _ category: String) throws {
        let text = "The \(word)house of \(word)ville was opened by \(word)son."
        try sandbox.read([
            [
                "id": word, "title": "\(word) opened", "content": text, "source": "S", "category": category,
                "read_at": "-PT1H",
            ]
        ])
    }

    private func publish(_ name: String, _ words: String...) {
        server.set(
            name.lowercased(), title: name,
            words.map {
                FeedServer.Item(
                    id: $0, title: "\($0) opens", text: "The \($0)bridge of \($0)ton was built by \($0)son.")
            })
    }

    private func send() throws -> Outcome { try run("today", "--send", "--scheduled", "cron") }

    /// Two nights, on the second of which one of them cannot be reached, and the third.
    @Test func eachIsSentWhatIsForThem() throws {
        clock(10, 20)
        publish("Birch", "reed")
        publish("Cedar", "moss")
        for name in ["birch", "cedar"] { #expect(try run("feeds", "add", server.url(name)).status == 0) }
        try read("harbour", "world")
        try read("library", "science")
        clock(10, 22)
        #expect(try send().status == 0)
        #expect(mailed("ana").contains("The harbourhouse") && mailed("ana").contains("\nMundo\n"))
        #expect(!mailed("ana").contains("libraryhouse") && !mailed("ana").contains("reedbridge"))
        #expect(mailed("ben").contains("The reedbridge") && !mailed("ben").contains("mossbridge"))
        #expect(mailed("ben").contains("Por leer") && !mailed("ben").contains("harbourhouse"))
        // What Ben was told waits for whoever reads the output, once.
        let printed = try run("today", "--basis", "unread")
        #expect(printed.output.contains("reedbridge") && printed.output.contains("mossbridge"))
        #expect(try run("today", "--basis", "unread").output == "")
        #expect(try run("today", "--basis", "unread", "--profile", "ben", "--source", "cedar").output.contains("moss"))

        clock(11, 20)
        try read("museum", "world")
        publish("Birch", "reed", "fern")
        try Data().write(to: URL(fileURLWithPath: sandbox.folder.file("down.ben")))
        clock(11, 22)
        try send().ends(69, "The digest for ben@example.org was not sent")
        #expect(try run("schedule", "log").output.contains("ben@example.org"))
        #expect(mailed("ana").contains("The museumhouse") && !mailed("ben").contains("fernbridge"))

        try FileManager.default.removeItem(atPath: sandbox.folder.file("down.ben"))
        try read("market", "world")
        clock(12, 22)
        #expect(try send().status == 0)
        for (name, words) in [("ana", ["harbour", "museum", "market"]), ("ben", ["reed", "fern"])] {
            for word in words {
                let parts = mailed(name).components(separatedBy: "The \(word)").count - 1
                // As text and as HTML.
                #expect(parts == 2, "\(name): \(word)")
            }
        }
        // Each has days of their own; a number is that of what was printed here.
        #expect(try run("today", "--date", "2026-11-12", "--profile", "ana").output.contains("marketville"))
        #expect(try run("today", "--date", "2026-11-12").status == 66)
        #expect(try run("history", "show", "1").output.contains("marketville"))
    }

    @Test func oneIsSentAloneOrPrinted() throws {
        try sandbox.importSample()
        let dry = try run("today --send --dry-run").ends(0)
        #expect(dry.output.components(separatedBy: "\nTo: ").count == 2)
        #expect(try run("today", "--send", "--profile", "ana").status == 0)
        #expect(mailed("ana").contains("Mundo") && mailed("ben") == "")
        // Whom the command line names, and nobody else.
        #expect(try run("today", "--send", "--to", "you@example.org").status == 0)
        #expect(mailed("you").contains("World") && mailed("ana").components(separatedBy: "\nTo: ").count == 2)
        let (kids, all) = (try run("today", "--profile", "kids"), try run("today"))
        #expect(kids.output.contains("3 stories from") && kids.output.count < all.output.count)
        try run("today --profile kid").ends(64, "Did you mean kids?")
        try run("today --send --profile kids").ends(64, "There is no recipient")
    }

    /// The schedule, the doctor and completions know them.
    @Test func theyAreNamed() throws {
        try sandbox.folder.writeProgram("#!/bin/sh\necho 'no crontab for ana' >&2\nexit 1\n", to: "crontab")
        sandbox.environment["PATH"] = sandbox.folder.path + ":/usr/bin:/bin"
        let plan = try run("schedule", "install", "--dry-run").output
        #expect(
            plan.contains(" today --send --scheduled cron") && !plan.contains("--to") && !plan.contains("--language"))
        let doctor = try run("doctor").output
        #expect(doctor.contains("ana@example.org (ana), ben@example.org (ben), kids: no address"))
        #expect(try sandbox.run("complete-values", "--", "today", "--profile", "k").output == "kids\n")
        sandbox.environment["LANG"] = "es_ES.UTF-8"
        #expect(try run("doctor").output.contains("ben@example.org (ben), kids: sin dirección"))
        let doubled = try sandbox.run("config", "set", "profiles.ben.to", "ana@example.org").errors
        #expect(doubled.contains("que comparten el perfil “ana” y el perfil “ben”"), "\(doubled)")
    }

    @Test func theyAreChangedOneSettingAtATime() throws {
        func config(_ line: String) throws -> Outcome {
            try sandbox.run(["config"] + line.split(separator: " ").map(String.init))
        }
        let text = try String(contentsOfFile: sandbox.configuration, encoding: .utf8)
        #expect(try config("get profiles.ana.language").output == "pt\n")
        #expect(try config("get --profile kids maxStories").output == "3\n")
        #expect(try config("get profiles.kids.language").output == "en\n")
        #expect(try config("set profiles.ana.follow ferry harbour").status == 0)
        #expect(try config("set profiles.cid.to cid@example.org").status == 0)
        try config("list").ends(0, printing: "profiles.ana.follow", "cid@example.org")
        let hers = try config("list --profile ana").output
        #expect(hers.contains(/\nfollow +ferry, harbour +perfil +–\n/), "\(hers)")
        #expect(hers.contains(/\nmaxStories +25 +padrão +25/))
        #expect(try config("unset profiles.cid").status == 0 && config("unset profiles.ana.follow").status == 0)
        try config("get profiles.dora.language").ends(64, "no profile “dora”")
        try config("set profiles.ben.to ANA@example.org").ends(78, "“ana” and of")
        #expect(try String(contentsOfFile: sandbox.configuration, encoding: .utf8) == text)
    }
}
