import Foundation
import PulseCore
import PulseInference
import PulseModels
import PulseTestSupport
import Testing

@testable import PulseApp

/// Which form of the weights is used, and when it is measured anew.
@Suite(.timeLimit(.minutes(20))) struct WeightsChoiceTests {
    private let home: TemporaryFolder
    private let model: ResolvedModel
    private let catalog: ModelCatalog

    init() throws {
        home = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Repository.nanoModel, toPath: home.file("model.gguf"))
        let app = AppEnvironment(
            home: home, executable: URL(fileURLWithPath: #filePath).deletingLastPathComponent().path)
        catalog = try ModelCatalog(in: app)
        model = try catalog.resolve(home.file("model.gguf"))
    }

    private var cache: String { home.file(".cache/pulse-digest") }
    private var folder: String { cache + "/weights" }

    private func choice(_ change: (inout ModelSettings) -> Void = { _ in }) async -> WeightsChoice {
        var settings = ModelSettings()
        change(&settings)
        return await WeightsChoice(for: model, settings: settings, cache: cache)
    }

    /// Notes another result in the place of the measured one, and says where, less the extension.
    private func note(_ form: WeightsForm, copySize: Int? = nil) throws -> String {
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".json") })
        let file = URL(fileURLWithPath: folder + "/" + name)
        let old = try JSONDecoder().decode(WeightsChoice.Measured.self, from: Data(contentsOf: file))
        let new = WeightsChoice.Measured(
            form: form, seconds: old.seconds, memory: old.memory, key: old.key, copySize: copySize)
        try JSONEncoder().encode(new).write(to: file)
        return String(file.path.dropLast(5))
    }

    private static let cases: [([WeightsForm: Double], WeightsForm)] = [
        ([.rearranged: 2, .mapped: 1.95], .mapped), ([.rearranged: 1.8, .mapped: 2], .rearranged),
        // A copy in memory has to gain something, and another file more.
        ([.rearranged: 1.99, .mapped: 2], .mapped), ([.rearranged: 2, .mapped: 2, .rewritten: 1.7], .mapped),
        ([.rearranged: 2, .mapped: 2, .rewritten: 1.5], .rewritten), ([:], .rearranged),
    ]

    @Test(arguments: cases)
    func whatCostsHasToGain(seconds: [WeightsForm: Double], best: WeightsForm) {
        #expect(WeightsChoice.best(seconds) == best)
    }

    @Test func whatIsMeasuredIsKept() async throws {
        let choice = await choice()
        let usual = WeightsForm.usual(with: await Engine.library().features)
        #expect(choice.measured == nil && choice.options.repacksWeights == (usual == .rearranged))
        let measured = try await choice.measure(reporter: .silent)
        #expect(Set(measured.seconds.keys) == [.rearranged, .mapped])
        #expect(await self.choice().measured == measured)
        #expect(choice.options.repacksWeights == (measured.form == .rearranged))
    }

    @Test func eachFormIsOpenedInItsWay() async throws {
        _ = try await choice().measure(reporter: .silent)
        _ = try note(.mapped)
        #expect(await !choice().options.repacksWeights)
        let place = try note(.rewritten, copySize: 4)
        // The rewritten file may be deleted with the cache.
        let lost = await choice()
        #expect(lost.measured == nil && lost.options.modelPath == model.path)
        try Data("GGU".utf8).write(to: URL(fileURLWithPath: place + ".gguf"))
        #expect(await choice().measured == nil)
        try Data("GGUF".utf8).write(to: URL(fileURLWithPath: place + ".gguf"))
        let rewritten = await choice().options
        #expect(rewritten.modelPath == place + ".gguf" && !rewritten.repacksWeights)
        let server = try RPCAddress("127.0.0.1:1")
        #expect(await choice { $0.servers = [server] }.options.repacksWeights)
        let again = try await choice().measure(reporter: .silent)
        #expect(again.form != .rewritten && !FileManager.default.fileExists(atPath: place + ".gguf"))
    }

    @Test func anotherFileIsMeasuredAnew() async throws {
        _ = try await choice().measure(reporter: .silent)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: model.path)
        #expect(await choice().measured == nil)
    }

    /// Many caches of models are full of links.
    @Test func anotherFileBehindALinkIsSeen() async throws {
        let link = home.file("link.gguf")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: model.path)
        let linked = try catalog.resolve(link)
        _ = try await WeightsChoice(for: linked, cache: cache).measure(reporter: .silent)
        #expect(await choice().measured != nil)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: model.path)
        #expect(await WeightsChoice(for: linked, cache: cache).measured == nil)
    }

    /// The night is not lost for a copy that is.
    @Test func aCopyThatCannotBeUsedIsPassedOver() async throws {
        _ = try await choice().measure(reporter: .silent)
        let place = try note(.rewritten, copySize: 4)
        try Data("GGUF".utf8).write(to: URL(fileURLWithPath: place + ".gguf"))
        let opened = try await LanguageModel(model, settings: ModelSettings(), cache: cache, reporter: .silent)
        #expect(opened.engine.model.fileType != nil)
    }

    @Test func whatIsNoModelIsNotMeasured() async throws {
        try Data("Dear aunt".utf8).write(to: URL(fileURLWithPath: model.path))
        await #expect(throws: PulseError.self) { try await choice().measure(reporter: .silent) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { $0.hasSuffix(".lock") })
    }

    @Test func aFaultyNoteIsNone() async throws {
        _ = try await choice().measure(reporter: .silent)
        let place = try note(.mapped)
        try Data("{ half".utf8).write(to: URL(fileURLWithPath: place + ".json"))
        #expect(await choice().measured == nil)
    }
}
