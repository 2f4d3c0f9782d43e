import Foundation
import PulseCore
import PulseInference
import PulseTestSupport
import Testing

@testable import PulseDigest

/// What passes in a model's own words, with the encoder and the head that come with the program.
@Suite(.timeLimit(.minutes(10))) struct SupportCheckTests {
    static let story = """
        The ferry Naxos Star ran aground on Tuesday off the island of Paros with 212 people aboard. \
        Coastguard boats took all passengers to the harbour of Naoussa within three hours. \
        The captain, Ilias Roussos, was allegedly not on the bridge. \
        Minister Anna Kouri said that the company would lose its licence if it had broken the rules.
        """

    private func judge(
        _ sentence: String, on text: String = story, writer: ModelReliability = .strong, model: ParaphraseModel?
    ) async throws -> SentenceVerdict {
        try SentenceCheck([Article(id: "1", title: "", content: text)], writer: writer, model: model).verdict(sentence)
    }

    static let head = Repository.root.appendingPathComponent("models/pulse-check.head")
    static let encoder = Repository.root.appendingPathComponent("models/pulse-check.gguf").path

    static func model() async throws -> ParaphraseModel {
        let encoder = try Encoder.load(encoder)
        let head = try ParaphraseHead([UInt8](Data(contentsOf: head)))
        return ParaphraseModel(head: head) { pieces in try encoder.vectors(of: pieces) }
    }

    @Test func aCopyPassesWithoutAModelAndForEveryWriter() async throws {
        let copy = "Coastguard boats took all passengers to the harbour of Naoussa within three hours."
        for writer in [ModelReliability.strong, .unknown, .small] {
            #expect(try await judge(copy, writer: writer, model: nil).kind == .quoted)
        }
        let own = "Coastguard boats brought all passengers to Naoussa harbour within three hours."
        #expect(try await judge(own, model: nil).kind == .refused)
    }

    @Test func ownWordsPassWhereTheStoryBearsThemOut() async throws {
        let model = try await Self.model()
        let own = "The ferry ran aground on Tuesday off Paros with 212 people aboard."
        let verdict = try await judge(own, model: model)
        #expect(verdict.kind == .supported && verdict.sources == ["1"], "\(verdict)")
        // A small writer may only copy.
        #expect(try await judge(own, writer: .small, model: model).kind == .refused)
        // Nor is another language than English read.
        let foreign = """
            O navio encalhou na terça-feira ao largo da ilha de Paros com 212 pessoas a bordo, disse a guarda costeira. \
            Os barcos levaram todos os passageiros para o porto em três horas e ninguém ficou ferido no acidente.
            """
        let said = try await judge(
            "Os passageiros foram levados para o porto em três horas.", on: foreign, model: model)
        #expect(said.kind == .refused && said.score == nil)
    }

    @Test(arguments: [
        "Coastguard boats took the 340 passengers of the ferry Naxos Star to the harbour of Naoussa.",
        "Coastguard boats took the passengers of the ferry to the harbour of Naoussa within eleven hours.",
        "Coastguard boats did not take the passengers to the harbour of Naoussa.",
        "The captain, Ilias Roussos, was not on the bridge of the ferry.",
        "Minister Anna Kouri said that the company would gain its licence if it had broken the rules.",
        "The captain, Ilias Roussos, was allegedly on the bridge.",
        "Captain Ilias Roussos said that the company would lose its licence if it had broken the rules.",
    ])
    func rulesRefuse(_ sentence: String) async throws {
        #expect(try await judge(sentence, model: Self.model()).kind == .refused)
    }

    @Test(arguments: [
        ("The ferry Naxos Star, which ran aground on Tuesday off the island of Paros.", true),
        ("A ferry of the line, previously feared extinct.", true),
        ("The ferry Naxos Star, which had 212 people aboard, ran aground off the island of Paros.", false),
        ("The captain, Ilias Roussos, boarded the second boat.", false),
        ("Last week, stranded passengers returned to the island.", false),
        // No list has this verb, but nothing is described either.
        ("Coastguard boats swap the passengers between two harbours.", false),
    ])
    func aSubjectWithADescriptionIsNoSentence(_ sentence: String, _ isFragment: Bool) {
        #expect(ParaphraseWords.isFragment(sentence) == isFragment)
    }

    @Test func aNotAboutSomethingElseIsNoReasonToRefuse() async throws {
        let story = """
            Coastguard boats took all passengers to the harbour of Naoussa within three hours, though the company had \
            not asked for help.
            """
        let own = "Coastguard boats brought all passengers to the harbour of Naoussa within three hours."
        let model = try await Self.model()
        #expect(try await judge(own, on: story, model: model).kind == .supported)
        let turned = "Coastguard boats took all passengers to the harbour, and the company had asked for help."
        #expect(try await judge(turned, on: story, model: model).kind == .refused)
    }

    @Test func aDoubtThatNoReportHasIsRefused() async throws {
        let story = "Coastguard boats took all passengers to Naoussa within three hours. The ferry was built in 1998."
        let own = "Coastguard boats reportedly took all passengers to Naoussa within three hours."
        #expect(try await judge(own, on: story, model: Self.model()).kind == .refused)
    }

    @Test func anInventedStoryScoresBelowATrueOne() async throws {
        let model = try await Self.model()
        let right = try await judge("The ferry ran aground off Paros with 212 people aboard.", model: model)
        let wrong = try await judge("The mayor opened a museum of modern art in the old town.", model: model)
        #expect(try #require(right.score) > #require(wrong.score) + 1)
        #expect(wrong.kind == .refused && !wrong.doubtful.isEmpty)
    }

    @Test func aDoubtfulEndIsCut() async throws {
        let sentence = "The ferry ran aground on Tuesday off the island of Paros, ending a long quarrel over pay."
        let doubtful = try [#require(sentence.range(of: "quarrel over pay"))]
        let front = SentenceCheck.front(of: sentence, before: doubtful)
        #expect(front == "The ferry ran aground on Tuesday off the island of Paros.")
        let number = "The quake left at least 10,000 people homeless, and 40,000 in the dark."
        #expect(
            SentenceCheck.front(of: number, before: try [#require(number.range(of: "000 in"))])
                == "The quake left at least 10,000 people homeless.")
        #expect(SentenceCheck.front(of: number, before: try [#require(number.range(of: "homeless"))]) == nil)
        let short = "On Tuesday, ferries sank."
        #expect(SentenceCheck.front(of: short, before: try [#require(short.range(of: "sank"))]) == nil)
        let check = try await SentenceCheck(
            [Article(id: "1", title: "", content: Self.story)], writer: .strong, model: Self.model())
        let judgement = SentenceVerdict(kind: .refused, doubtful: doubtful)
        let second = try check.withoutDoubtfulEnd(sentence, judgement)
        #expect(second?.sentence == front && second?.judgement.kind != .refused)
    }

    @Test func damagedFilesAreRefused() async throws {
        let bytes = [UInt8](try Data(contentsOf: Self.head))
        var flipped = bytes
        flipped[bytes.count / 2] ^= 1
        for damaged in [[], Array(bytes.dropLast()), bytes + [0], flipped, Array("PULSEHD\0".utf8)] {
            #expect(throws: PulseError.self) { try ParaphraseHead(damaged) }
        }
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.write(Data("GGUF and no more".utf8), to: "damaged.gguf")
        #expect(throws: PulseError.self) { _ = try Encoder.load(file) }
        #expect(throws: PulseError.self) { _ = try Encoder.load(Repository.nanoModel) }
    }

    /// A hostile text takes no more than its share, and ends nothing.
    @Test func hostileTextIsCut() async throws {
        let model = try await Self.model()
        let texts = [
            String(repeating: "a", count: 200_000), String(repeating: "word ", count: 50_000),
            String(repeating: "One. ", count: 20_000), String(repeating: "\u{301}", count: 5000) + " x.",
            "[CLS] [SEP] [MASK] <s> </s> \u{0}.",
        ]
        for text in texts {
            let verdict = try await judge("The ferry ran aground off the island of Paros.", on: text, model: model)
            #expect(verdict.kind == .refused)
            _ = try await judge(String(text.prefix(590)) + " off the island.", model: model)
        }
    }

    @Test func aFailingEncoderIsAnError() async throws {
        let head = try ParaphraseHead([UInt8](Data(contentsOf: Self.head)))
        let failing = ParaphraseModel(head: head) { _ in throw PulseError(.unavailable, "Gone.") }
        let own = "Coastguard boats took the passengers of the ferry Naxos Star to the harbour of Naoussa."
        await #expect(throws: PulseError.self) { try await judge(own, model: failing) }
        let short = ParaphraseModel(head: head) { _ in [] }
        #expect(try await judge(own, model: short).kind == .refused)
    }
}
