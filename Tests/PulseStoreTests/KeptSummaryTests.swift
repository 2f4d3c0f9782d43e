import Foundation
import PulseCore
import PulseSQL
import PulseTestSupport
import Testing

@testable import PulseStore

@Suite struct KeptSummaryTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    static func key(
        content: String = "c", model: String = "m", prompt: String = "p", language: String = "en",
        parameters: [String: String] = ["temperature": "0", "tokens": "256"]
    ) -> SummaryKey {
        SummaryKey(content: content, model: model, prompt: prompt, language: language, parameters: parameters)
    }

    /// Each part changed alone, parts that trade places, and a setting more or less.
    static let others = [
        key(content: "C"), key(model: "M"), key(prompt: "P"), key(language: "pt"),
        key(content: "m", model: "c"), key(prompt: "en", language: "p"), key(content: "cm", model: ""),
        key(parameters: [:]), key(parameters: ["temperature": "0"]),
        key(parameters: ["temperature": "1", "tokens": "256"]), key(parameters: ["temperature": "0", "tokens": "255"]),
        key(parameters: ["temperature": "256", "tokens": "0"]),
        key(parameters: ["temperature": "0", "tokens": "256", "seed": "1"]),
    ]

    @Test func whatWasKeptIsFound() throws {
        let store = try scratch.open()
        #expect(try store.summary(for: Self.key()) == nil)
        try store.keep(.sample, for: Self.key())
        #expect(try store.summary(for: Self.key()) == .sample)
        #expect(try scratch.open(.readOnly).summary(for: Self.key()) == .sample)
        // The order in which settings are named is none of their meaning.
        let turned = Dictionary(uniqueKeysWithValues: [("tokens", "256"), ("temperature", "0")])
        #expect(try store.summary(for: Self.key(parameters: turned)) == .sample)
    }

    @Test("Another content, model, prompt, language or setting is another text", arguments: others)
    func misses(other: SummaryKey) throws {
        let store = try scratch.open()
        try store.keep(.sample, for: Self.key())
        #expect(try store.summary(for: other) == nil)
    }

    @Test func allKeysDiffer() { #expect(Set((Self.others + [Self.key()]).map(\.hash)).count == Self.others.count + 1) }

    @Test func aNewerTextReplacesTheOlder() throws {
        let store = try scratch.open()
        try store.keep(.sample, for: Self.key())
        let other = KeptSummary(text: "Other.", sentences: [], model: ModelIdentity(name: "n", sha256: nil))
        try store.keep(other, for: Self.key())
        #expect(try store.summary(for: Self.key()) == other)
        #expect(try store.connection.integer("SELECT count(*) FROM summaries") == 1)
    }

    @Test(
        "A damaged row is none, and the next text replaces it",
        arguments: [
            "payload = ''", "payload = '{\"text\":\"x\"}'", "payload = '[]'", "payload = x'ff'", "form = 0", "form = 2",
            "payload = substr(payload, 1, length(payload) / 2)", "payload = replace(payload, 'It rained', char(0))",
            "key = key || ' '",
        ])
    func damage(change: String) throws {
        let store = try scratch.open()
        try store.keep(.sample, for: Self.key())
        do {
            try store.connection.execute("UPDATE summaries SET " + change)
            #expect(try store.summary(for: Self.key()) == nil)
        } catch let error as SQLError {
            // A STRICT table refuses what is no text at all.
            #expect(error.code == .constraint)
        }
        try store.keep(.sample, for: Self.key())
        #expect(try store.summary(for: Self.key()) == .sample)
    }

    @Test func theOldestGoFirst() throws {
        let store = try scratch.open()
        try store.keep(.sample, for: Self.key(content: "first"))
        try store.keep(.sample, for: Self.key(content: "second"))
        // As if so many had been kept since.
        try store.connection.execute("UPDATE summaries SET id = id + \(Store.mostSummaries - 3) WHERE id > 1")
        try store.keep(.sample, for: Self.key(content: "third"))
        #expect(try store.summary(for: Self.key(content: "first")) == .sample)
        try store.keep(.sample, for: Self.key(content: "fourth"))
        #expect(try store.summary(for: Self.key(content: "first")) == nil)
        #expect(try store.summary(for: Self.key(content: "second")) == .sample)
    }

    @Test func whoMayOnlyReadIsRefused() throws {
        _ = try scratch.open().record([reading("a")])
        let store = try scratch.open(.readOnly)
        #expect(failure { () throws(StoreError) in try store.keep(.sample, for: Self.key()) } == .readOnly)
    }

    @Test func twoAtOnceKeepBoth() throws {
        _ = try scratch.open()
        let path = scratch.path
        DispatchQueue.concurrentPerform(iterations: 2) { writer in
            let store = try? Store(at: path, access: .readWrite, busyTimeout: .seconds(30))
            for number in 0..<20 {
                try? store?.keep(.sample, for: Self.key(content: "\(writer)-\(number)"))
                try? store?.keep(.sample, for: Self.key(content: "shared-\(number)"))
            }
        }
        let store = try scratch.open()
        #expect(try store.connection.integer("SELECT count(*) FROM summaries") == 60)
        #expect(try store.summary(for: Self.key(content: "1-19")) == .sample)
    }

    /// FIPS 180-4's own example, through the framing of a list: `3:abc`.
    @Test func theHashIsSHA256() {
        #expect(ContentHash.of([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(ContentHash.of([nil]) != ContentHash.of([""]))
        #expect(ContentHash.of(["1:a", "b"]) != ContentHash.of(["1:a1:b"]))
    }

    /// An answer and a summary of the same parts are two texts.
    @Test func answersAreKeptToo() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        func key(_ kind: SummaryKey.Kind, _ content: String) -> SummaryKey {
            SummaryKey(kind, content: content, model: "m", prompt: "p", language: "en", parameters: [:])
        }
        let answer = KeptAnswer(text: "As it came.", isCut: true)
        try store.keep(answer, for: key(.answer, "c"))
        #expect(try store.answer(for: key(.answer, "c")) == answer)
        #expect(try store.answer(for: key(.answer, "d")) == nil)
        #expect(try store.summary(for: key(.summary, "c")) == nil)
        #expect(try store.answer(for: key(.summary, "c")) == nil)
    }
}
