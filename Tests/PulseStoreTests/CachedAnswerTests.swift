import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(20))) final class CachedAnswerTests: StoreSuite {
    static let answer = CachedAnswer(text: "It rained. \"Much\" \u{1b} 東京.", isCut: true)

    static func key(
        content: String = "c", model: String = "m", prompt: String = "p", language: Language = .english,
        parameters: [String: String] = ["temperature": "0", "tokens": "256"]
    ) -> AnswerKey {
        AnswerKey([article(content)], model: model, prompt: prompt, language: language, parameters: parameters)
    }

    /// Each part changed alone, parts that trade places, and a setting more or less.
    static let others = [
        key(content: "C"), key(model: "M"), key(prompt: "P"), key(language: .portuguese),
        key(model: "p", prompt: "m"), key(parameters: [:]), key(parameters: ["temperature": "0"]),
        key(parameters: ["temperature": "1", "tokens": "256"]), key(parameters: ["temperature": "0", "tokens": "255"]),
        key(parameters: ["temperature": "256", "tokens": "0"]),
        key(parameters: ["temperature": "0", "tokens": "256", "seed": "1"]),
        AnswerKey(
            [article("c"), article("d")], model: "m", prompt: "p", language: .english,
            parameters: ["temperature": "0", "tokens": "256"]),
    ]

    private func keep(_ answer: CachedAnswer = answer, _ key: AnswerKey = key(), in store: borrowing Store) throws {
        try store.keep(answer, for: key, at: noon)
    }

    @Test func whatWasKeptIsFound() throws {
        #expect(try store.answer(for: Self.key()) == nil)
        try keep(in: store)
        #expect(try store.answer(for: Self.key()) == Self.answer)
        #expect(try scratch.open(.readOnly).answer(for: Self.key()) == Self.answer)
        // The order in which settings are named is none of their meaning.
        let turned = Dictionary(uniqueKeysWithValues: [("tokens", "256"), ("temperature", "0")])
        #expect(try store.answer(for: Self.key(parameters: turned)) == Self.answer)
    }

    @Test(arguments: others) func anotherContentModelPromptLanguageOrSettingIsAnotherAnswer(other: AnswerKey) throws {
        try keep(in: store)
        #expect(try store.answer(for: other) == nil)
    }

    @Test func allKeysDiffer() { #expect(Set((Self.others + [Self.key()]).map(\.hash)).count == Self.others.count + 1) }

    @Test func aNewerAnswerReplacesTheOlder() throws {
        try keep(in: store)
        let other = CachedAnswer(text: "Other.", isCut: false)
        try keep(other, in: store)
        #expect(try store.answer(for: Self.key()) == other)
        #expect(try store.connection.integer("SELECT count(*) FROM answers") == 1)
    }

    @Test(arguments: [
        "payload = ''", "payload = '{\"text\":\"x\"}'", "payload = '[]'", "payload = x'ff'", "form = 0", "form = 2",
        "payload = substr(payload, 1, length(payload) / 2)", "payload = replace(payload, 'It rained', char(0))",
        "key = key || ' '",
    ])
    func aDamagedRowIsNoneAndTheNextAnswerReplacesIt(change: String) throws {
        try keep(in: store)
        do {
            try store.connection.execute("UPDATE answers SET " + change)
            #expect(try store.answer(for: Self.key()) == nil)
        } catch let error as SQLError {
            // A STRICT table refuses what is no text at all.
            #expect(error.code == .constraint)
        }
        try keep(in: store)
        #expect(try store.answer(for: Self.key()) == Self.answer)
    }

    @Test func theOldestGoFirst() throws {
        try keep(Self.answer, Self.key(content: "first"), in: store)
        try keep(Self.answer, Self.key(content: "second"), in: store)
        // As if so many had been kept since.
        try store.connection.execute("UPDATE answers SET id = id + \(Store.mostAnswers - 3) WHERE id > 1")
        try keep(Self.answer, Self.key(content: "third"), in: store)
        #expect(try store.answer(for: Self.key(content: "first")) == Self.answer)
        try keep(Self.answer, Self.key(content: "fourth"), in: store)
        #expect(try store.answer(for: Self.key(content: "first")) == nil)
        #expect(try store.answer(for: Self.key(content: "second")) == Self.answer)
    }

    @Test func whoMayOnlyReadIsRefused() throws {
        _ = try scratch.open().record([reading("a")])
        let store = try scratch.open(.readOnly)
        #expect(failure { try keep(in: store) }.says(.permission, "cannot be written"))
    }

    /// FIPS 180-4's own example, through the framing of a list: `3:abc`.
    @Test func theHashIsSHA256() {
        #expect(ContentHash.of([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(ContentHash.of([nil]) != ContentHash.of([""]))
        #expect(ContentHash.of(["1:a", "b"]) != ContentHash.of(["1:a1:b"]))
    }
}
