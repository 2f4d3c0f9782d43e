import Foundation
import PulseCore
import PulseRendering
import PulseStore
import PulseTestSupport
import PulseText
import Testing

@testable import PulseApp
@testable import PulseCommands
@testable import PulseInference
@testable import PulsePlatform

/// What `doctor` finds in a home of its own, with a machine that the test makes up.
@Suite(.timeLimit(.minutes(20))) struct DoctorTests {
    // The engine has one of its own.

    private let home: TemporaryFolder
    private let environment: [String: String]

    init() throws {
        home = try TemporaryFolder()
        environment = ["HOME": home.path, "PATH": "", "LANG": "C.UTF-8"]
    }

    private func context(
        model: String? = nil, store: String? = nil, sendmail: String? = nil, environment more: [String: String] = [:],
        fault: PulseError? = nil
    ) -> RawContext {
        var settings = Settings()
        settings.model.name = model
        settings.storePath = store
        settings.mail.sendmail = sendmail
        let environment = environment.merging(more) { $1 }
        let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
        return RawContext(
            settings: settings, operands: [], locations: Locations(environment: environment, executable: program),
            console: Console(environment: environment), environment: environment, now: Date(timeIntervalSince1970: 0),
            timeZone: TimeZone(identifier: "Europe/Berlin") ?? .current, settingsFault: fault)
    }

    private static let roomy = MemoryBudget(machine: 8000 << 20, group: 900 << 20)

    private static func facts(
        budget: MemoryBudget = roomy,
        threads: ThreadChoice? = ThreadChoice(
            most: 4, first: 3, isFixed: false, reason: .cores(busy: 1)), fault: PulseError? = nil
    ) -> Doctor.Facts {
        let plan: Result<MachinePlan, PulseError>
        do {
            if let fault { throw fault }
            plan = .success(
                try MachinePlan(
                    ContextRequest(EngineOptions(modelPath: ""), trainedLength: 4096), budget: budget
                ) { shape in
                    Footprint(weights: 700 << 20, cache: UInt64(shape.cells) << 14, buffers: 30 << 20)
                })
        } catch {
            plan = .failure(error.asPulseError)
        }
        var facts = Doctor.Facts()
        facts.library = { LlamaDescription(version: "9.9", features: "CPU : AVX2 = 1 | FMA = 0 | OPENMP = 1 | x") }
        facts.inspect = { _ in Engine.Inspection(budget: budget, threads: threads, plan: plan) }
        facts.sendmail = ["/bin/sh"]
        facts.hasSchedules = false
        return facts
    }

    private func findings(_ context: RawContext, _ facts: Doctor.Facts = facts()) async -> [DoctorFinding] {
        await context.doctor(facts).findings()
    }

    private func text(_ findings: [DoctorFinding], _ context: RawContext, in language: Language = .english) -> String {
        let resources = context.locations.resources ?? "?"
        let catalogue = Translations.of(language, in: resources + "/Sources/Translations")
        return DoctorText.render(findings, style: TextStyle(catalogue: catalogue)).replacing(home.path, with: "HOME")
            .replacing(resources, with: "CLONE").replacing(Release.version, with: "VERSION")
    }

    // MARK: - What people read

    @Test func allIsWell() async throws {
        let context = context()
        let findings = await findings(context).filter { $0.subject != "model" && $0.subject != "prompts" }
        // Which model is the default, and which languages there are, is not this test's business.
        #expect(findings.allSatisfy { $0.status != .problem })
        let written = text(findings, context)
        #expect(try written == Golden.text("doctor.txt", actual: written))
        for language in [Language.portuguese, .europeanPortuguese, .spanish] {
            let written = text(findings, context, in: language)
            #expect(try written == Golden.text("doctor.\(language).txt", actual: written))
        }
    }

    @Test func everythingIsBroken() async throws {
        let letter = try home.write("A letter to my aunt, and longer than SQLite's header would be.", to: "letter.txt")
        let context = context(
            model: "/nowhere/model.gguf", store: letter,
            environment: ["LANG": "C", "XDG_CACHE_HOME": home.file("caches")],
            fault: PulseError(.configuration, "“x” is not a setting."))
        var facts = Self.facts()
        facts.sendmail = []
        let findings = await findings(context, facts).filter { $0.subject != "prompts" }
        let written = text(findings, context)
        #expect(try written == Golden.text("doctor.broken.txt", actual: written))
        let json = DoctorJSON.render(findings)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [[String: Any]]])
        let entries = try #require(document["findings"])
        #expect(entries.map { $0["subject"] as? String } == findings.map(\.subject))
        #expect(entries.compactMap { $0["exit_code"] as? Int } == [78, 69, 65])
    }

    // MARK: - One by one

    @Test func aPlanWithLess() async throws {
        let facts = Self.facts(budget: MemoryBudget(machine: 840 << 20), threads: .fixed(2))
        let findings = await findings(context(), facts)
        let plan = try #require(findings.first { $0.subject == "plan" })
        #expect(plan.status == .warning && plan.text.contains("the context window is shorter than 4096 tokens"))
        #expect(findings.contains { $0.subject == "threads" && $0.text == "2: as set" })
    }

    @Test func aSizeHasItsTenth() async throws {
        let findings = await findings(context(), Self.facts(budget: MemoryBudget(machine: 64_410 << 20)))
        #expect(findings.contains { $0.text.contains("62.9 GiB available") }, "\(findings)")
    }

    @Test func noPlanAtAll() async throws {
        let facts = Self.facts(budget: MemoryBudget(group: 700 << 20), threads: nil)
        let findings = await findings(context(), facts)
        let plan = try #require(findings.first { $0.subject == "plan" })
        #expect(plan.status == .problem && plan.exitCode == 75)
        #expect(!findings.contains { $0.subject == "threads" || $0.subject == "needs" })
    }

    @Test(arguments: [
        (ThreadChoice.Reason.quota, "allows no more"), (.smallModel, "this small"), (.cores(busy: 0), "one per core"),
    ])
    func whyThreads(reason: ThreadChoice.Reason, words: String) async throws {
        let choice = ThreadChoice(most: 1, first: 1, isFixed: false, reason: reason)
        let findings = await findings(context(), Self.facts(threads: choice))
        #expect(findings.contains { $0.subject == "threads" && $0.text.contains(words) })
    }

    @Test func threadsBesideOtherDevices() async throws {
        let choice = ThreadChoice(most: 3, first: 3, isFixed: true, reason: .cores(busy: 1))
        let findings = await findings(context(), Self.facts(threads: choice))
        #expect(findings.contains { $0.subject == "threads" && $0.text.hasPrefix("3: fixed at the start") })
    }

    @Test(arguments: ["history.sqlite", "my brother's.sqlite"])
    func aHistoryThatOthersCanRead(name: String) async throws {
        let context = context(store: home.file(name))
        _ = try context.history.open(.readWrite)
        var found = await findings(context).first { $0.subject == "history" }
        #expect(found?.status == .ok && found?.text.contains("0 articles") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: context.history.path)
        found = await findings(context).first { $0.subject == "history" }
        #expect(found?.status == .warning)
        #expect(
            found?.text.hasSuffix(". To close it to them: chmod go= \(ShellWord.quoted(context.history.path))") == true)
    }

    /// The one that mail would be handed to.
    @Test func theSendmailOfTheSettings() async throws {
        let (own, none) = (context(sendmail: "/bin/sh"), context(sendmail: home.file("none")))
        var facts = Self.facts()
        facts.sendmail = ["/bin/cat"]
        let found = await findings(own, facts).first { $0.subject == "email" }
        #expect(found?.status == .ok && found?.text == "/bin/sh")
        let missing = await findings(none, facts).first { $0.subject == "email" }
        #expect(missing?.status == .warning && missing?.text.contains(home.file("none")) == true)
    }

    @Test func aModelOfTheUsersOwn() async throws {
        let path = try home.write("GGUF", to: "own.gguf")
        let found = await findings(context(model: path)).first { $0.subject == "model" }
        #expect(found?.status == .ok)
        #expect(found?.text == "own: \(path), 4 B, not in the catalogue, so not verified")
    }

    @Test func textIsMadeSafeToPrint() {
        let text = DoctorText.render([DoctorFinding("history", .problem, "at \u{1b}[31m/x\ny")], style: TextStyle())
        #expect(!text.contains("\u{1b}") && text.split(separator: "\n").count == 2)
    }

    @Test func theFeedsThatFail() async throws {
        let context = context(store: home.file("history.sqlite"))
        let store = try context.history.open(.readWrite)
        #expect(await !findings(context).contains { $0.subject == "feeds" })
        var feeds = (1...5).map { Feed(address: "https://\($0).example/", title: "Feed \($0)", addedAt: context.now) }
        feeds[0].refresh.triedAt = Date(timeIntervalSince1970: 86_400)
        _ = try store.add(Array(feeds[..<1]))
        // Tried, and neither answered nor failed.
        var found = await findings(context).first { $0.subject == "feeds" }
        #expect(found?.status == .warning && found?.text == "1 feed, last refresh 1970-01-02, without a network")
        feeds[0].refresh.succeededAt = feeds[0].refresh.triedAt
        feeds[0].id = try #require(try store.feeds().first).feed.id
        _ = try store.record([FetchedFeed(feed: feeds[0])], at: context.now)
        found = await findings(context).first { $0.subject == "feeds" }
        #expect(found?.status == .ok && found?.text == "1 feed, last refresh 1970-01-02")
        for index in 1...4 { feeds[index].refresh.failures = 1 }
        feeds[1].refresh.succeededAt = context.now
        _ = try store.add(feeds)
        found = await findings(context).first { $0.subject == "feeds" }
        #expect(found?.status == .warning)
        #expect(
            found?.text.description
                == "5 feeds, last refresh 1970-01-02, 4 failing: Feed 2 (since 1970-01-01), Feed 3 (which never "
                + "answered), Feed 4 (which never answered), and 1 more. To see why: pulse-digest feeds")
    }
}
