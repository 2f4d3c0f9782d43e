import Foundation
import PulseCore
import PulseInference
import Testing

@testable import pulse_bench

@Suite(.timeLimit(.minutes(1))) struct MaterialTests {
    private func material() async throws -> DigestMaterial {
        let engine = try await Engine.load(EngineOptions(modelPath: Repository.nano, vocabularyOnly: true))
        return try await engine.countingTokens { count in
            Result { try DigestMaterial(root: Repository.root, count: count) }
        }.get()
    }

    @Test func thereAreTwentyFiveArticlesInSevenCategories() async throws {
        let material = try await material()
        #expect(material.sections.count == 7)
        #expect(material.articles == 25)
        #expect(Set(material.sections.map { $0.messages[0].text }).count == 1, "they begin alike")
        for section in material.sections { #expect(section.source.contains("Title: ")) }
    }

    @Test func theParagraphsRepeatTheirSourcesAndInventNoNumber() async throws {
        let material = try await material()
        for section in material.sections + [material.article] {
            let name = section.category.name
            let share = Overlap.share(of: section.paragraph, in: section.source)
            #expect(share > 0.5 && share < 1, "\(name): \(share)")
            #expect((40...200).contains(section.paragraphTokens), "\(name): \(section.paragraphTokens)")
            let known = Set(numbers(in: section.source))
            #expect(numbers(in: section.paragraph).allSatisfy(known.contains), "\(name)")
        }
    }

    private func numbers(in text: String) -> [Substring] {
        text.replacing(",", with: "").replacing("84.000", with: "84000").split { !$0.isNumber }
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
        let setup = try String(contentsOfFile: Repository.root + "/Sources/CLlama/setup.sh", encoding: .utf8)
        let package = try String(
            contentsOfFile: Repository.root + "/Tests/Benchmarks/Peers/requirements.txt", encoding: .utf8
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(package.hasPrefix("llama-cpp-python=="))
        #expect(setup.contains("\npackage=\(package)\n"))
    }
}
