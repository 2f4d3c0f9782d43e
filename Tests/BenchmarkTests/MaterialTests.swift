import Foundation
import PulseCore
import PulseDigest
import PulseInference
import PulseTestSupport
import Testing

@testable import pulse_bench

@Suite(.timeLimit(.minutes(20))) struct MaterialTests {
    private func material() async throws -> StoryMaterial {
        let engine = try await Engine.load(EngineOptions(modelPath: Repository.nanoModel, vocabularyOnly: true))
        return try StoryMaterial(root: Repository.root.path, tokens: TokenCounter(count: engine.tokens(of:)))
    }

    @Test func thereIsABatchFullOfStories() async throws {
        let stories = try await material().stories
        #expect(stories.count == EngineOptions.defaultSequences)
        #expect(Set(stories.map { $0[0].text }).count == 1, "they begin alike")
        #expect(stories.allSatisfy { $0[1].text.contains("\n\n") })
    }

    @Test func theSummaryRepeatsItsSourceAndInventsNoNumber() async throws {
        let material = try await material()
        let source = material.article[1].text
        let share = Overlap.share(of: material.summary, in: source)
        #expect(share > 0.5 && share < 1, "\(share)")
        #expect((30...150).contains(material.summary.split(separator: " ").count))
        let known = Set(numbers(in: source))
        #expect(numbers(in: material.summary).allSatisfy(known.contains))
    }

    private func numbers(in text: String) -> [Substring] { text.replacing(",", with: "").split { !$0.isNumber } }

    /// Most articles of two days stand alone, and the largest stories have a few reports each.
    @Test(.timeLimit(.minutes(20))) func aCrowdedHistoryIsLikeNews() throws {
        let readings = try CrowdedHistory(root: Repository.root.path).readings
        #expect(readings.count == 2000)
        #expect(Set(readings.map(\.article.id)).count == 2000)
        let stories = StorySelection(from: StoryCandidates(readings), limit: 25).sections.flatMap(\.stories)
        #expect((2...10).contains(try #require(stories.map(\.readings.count).max())))
    }

    @Test func theOverlapIsOfThreeWordsInARow() {
        #expect(Overlap.share(of: "The dam is sound.", in: "They say the dam is sound") == 1)
        #expect(Overlap.share(of: "the dam is old", in: "the dam is sound") == 0.5)
        #expect(Overlap.share(of: "sound is the dam", in: "the dam is sound") == 0)
        #expect(Overlap.share(of: "two words", in: "two words") == 0)
    }

    @Test func theLibrarysOwnFiguresAreRead() {
        let figures = LibraryFigures(
            log: """
                load_tensors:   CPU_Mapped model buffer size =   762.81 MiB
                load_tensors:   CPU_REPACK model buffer size =   455.06 MiB
                llama_kv_cache:        CPU KV buffer size =   256.00 MiB
                sched_reserve:        CPU compute buffer size =    28.01 MiB
                llama_context:        CPU  output buffer size =     7.83 MiB
                history: a path with buffer size in it
                """)
        #expect(figures.mappedWeights == 762.81)
        #expect(figures.repackedWeights == 455.06)
        #expect(figures.cache == 256)
        #expect(figures.compute == 28.01)
        #expect(figures.output == 7.83)
        #expect(LibraryFigures(log: "").compute == 0)
    }

    /// Both sides of the comparison run the same library only where the same package is named in both places.
    @Test func thePeerIsTheVersionThatSetupBuilds() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
        }
        let setup = try text("Sources/CLlama/setup.sh")
        let package = try text("Tests/Benchmarks/Peers/requirements.txt")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(package.hasPrefix("llama-cpp-python=="))
        #expect(setup.contains("\npackage=\(package)\n"))
    }
}
