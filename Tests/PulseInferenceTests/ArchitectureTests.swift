import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseInference

/// Every kind of model is loaded, planned and batched, and writes in a batch what it writes alone.
@Suite(.timeLimit(.minutes(20))) struct ArchitectureTests {
    private static let kinds = FixtureModel.Architecture.allCases

    private static let prefix = String(repeating: "The same words again. ", count: 8)

    /// More than are written at once, some of them with much to repeat.
    private static let requests = (0..<20).map { number in
        Fixture.request(
            prefix + String(repeating: "Number \(number) is here. ", count: number % 5), tokens: 12 + number % 7 * 4)
    }

    private func engine(_ kind: FixtureModel.Architecture, sequences: Int) async throws -> Engine {
        // Of a machine that does not say what memory it has, libllama is asked.
        try await Fixture.engine(sequences: sequences, machine: Machine(budget: { MemoryBudget() })) {
            $0.architecture = kind
            $0.layers = 4
        }
    }

    /// Logits of the same computation in another batch differ by less.
    private static let tie: Float = 0.3

    @Test(arguments: kinds) func aBatchWritesWhatOneAloneWrites(kind: FixtureModel.Architecture) async throws {
        let together = try await engine(kind, sequences: 16)
        let plan = try #require(together.model.plan)
        #expect(plan.sequences == 16 && plan.footprint.isSimulated && plan.footprint.cache > 0)
        let words = await together.answerTokens("Here is Number 3 is here. The same words again. Number 4 is")
        // Some go on as their prompt does, so that drafts are right and wrong.
        let scripts = Self.requests.indices.map { $0.isMultiple(of: 2) ? [] : Array(words.dropLast($0 % 3 + 1)) }
        let choices = Self.requests.map { _ in ChoiceLog() }
        let log = EventLog()
        let logged = Self.requests.indices.map { Self.requests[$0].choosing(choices[$0], writing: scripts[$0]) }
        let completions = try await together.generate(logged) { log.add($0, $1) }
        #expect(completions.count == Self.requests.count)
        #expect(completions.allSatisfy { !$0.text.isEmpty })

        let alone = try await engine(kind, sequences: 1)
        var differences: [Float] = []
        for (number, completion) in completions.enumerated() {
            let gaps = try await alone.gaps(of: completion, to: Self.requests[number], by: choices[number])
            differences += zip(gaps, choices[number].gaps).map { abs($0 - $1) }
        }
        #expect(differences.allSatisfy { $0 < Self.tie }, "\(differences.max() ?? 0)")

        // What begins alike is read once, but where a layer keeps a state, of which there is no beginning.
        let shared = (1..<Self.requests.count).filter { log.readings(of: $0).first ?? 0 > 100 }
        let drafted = completions.reduce(0) { $0 + $1.draftedTokens }
        if kind.isHybrid {
            #expect(shared.isEmpty && drafted == 0)
        } else {
            #expect(shared.count == Self.requests.count - 1 && drafted > 0)
        }
    }

    /// A family whose vocabulary llama.cpp's sources have.
    struct Family: Sendable, CustomTestStringConvertible {
        let kind: FixtureModel.Architecture
        let vocabulary: String

        var testDescription: String { kind.rawValue }
    }

    /// LFM2's and Gemma 3's are not among them.
    private static let families: [Family] = {
        let templates = ProcessInfo.processInfo.environment["LLAMA_TEMPLATES"] ?? ""
        let names: [(FixtureModel.Architecture, String)] = [
            (.llama, "llama-bpe"), (.smollm3, "llama-bpe"), (.qwen3, "qwen2"), (.qwen35, "qwen35"),
            (.gemma4, "gemma-4"), (.phi3, "phi-3"), (.granite, "refact"), (.graniteHybrid, "refact"),
        ]
        return names.map { Family(kind: $0, vocabulary: "\(templates)/../ggml-vocab-\($1).gguf") }
            .filter { FileManager.default.fileExists(atPath: $0.vocabulary) }
    }()

    /// With as many tokens as the real ones have, and their templates where the file brings one.
    @Test(
        .enabled(if: !families.isEmpty, "LLAMA_TEMPLATES names no folder with llama.cpp's models/templates"),
        arguments: families)
    func itsOwnVocabularyIsRead(family: Family) async throws {
        func engine(sequences: Int) async throws -> Engine {
            try await Fixture.engine(contextLength: 512, sequences: sequences, cells: 1024) {
                $0.architecture = family.kind
                $0.vocabulary = family.vocabulary
                $0.width = 32
                if family.kind == .llama { $0.template = .llama3 }
            }
        }
        let text = "Kestria's ferry reopens: 18,500 tonnes of cod — “não”, 漢字 👩🏽‍🚀."
        let together = try await engine(sequences: 4)
        #expect(together.model.vocabularySize > 30_000)
        let words = together.tokens(of: text)
        #expect((10..<60).contains(words))

        let requests = (0..<3).map { Fixture.request("\($0). \(text)", tokens: 6) }
        let choices = requests.map { _ in ChoiceLog() }
        let completions = try await together.answers(to: zip(requests, choices).map { $0.choosing($1) })
        let alone = try await engine(sequences: 1)
        for (number, completion) in completions.enumerated() {
            let gaps = try await alone.gaps(of: completion, to: requests[number], by: choices[number])
            #expect(zip(gaps, choices[number].gaps).allSatisfy { abs($0 - $1) < Self.tie })
        }
    }

    /// A second call finds the sequences in the state in which the first left them.
    @Test(arguments: kinds) func theSecondCallIsAsTheFirst(kind: FixtureModel.Architecture) async throws {
        let engine = try await engine(kind, sequences: 4)
        let requests = Self.requests.prefix(6).map { $0.choosing(ChoiceLog(), drafts: false) }
        let first = try await engine.answers(to: requests)
        _ = try await engine.measureSpeed()
        let second = try await engine.answers(to: requests)
        // Where the favourites are nearly as good, another may win; what went wrong would change nearly all.
        #expect(zip(first, second).count { $0.text == $1.text } >= 5)
    }
}
