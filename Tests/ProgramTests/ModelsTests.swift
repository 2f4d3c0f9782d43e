import Foundation
import PulseTestSupport
import Testing

/// `models` of an installed program: what suits the machine, what other programs keep, and who writes.
@Suite(.timeLimit(.minutes(20))) struct ModelsTests {
    private let sandbox: Sandbox
    private let program: String
    private var home: String { sandbox.folder.file("home") }

    init() throws {
        sandbox = try Sandbox()
        program = try sandbox.install(
            models: [
                sandbox.entry("nano", layers: 1, writes: false), sandbox.entry("good-4b", layers: 3, percent: 2.7),
                sandbox.entry("fair-1b", layers: 4, percent: 5.3), sandbox.entry("poor-1b", layers: 5, percent: 20.7),
            ], default: "nano")
        try sandbox.writeModel(layers: 1, to: "share/pulse-digest/models/nano.gguf")
    }

    private func run(_ arguments: String...) throws -> Outcome {
        try sandbox.start(arguments, program: program).finish()
    }

    /// A model as if it had been pulled.
    private func place(_ name: String, layers: Int) throws {
        try sandbox.writeModel(layers: layers, to: "home/.local/share/pulse-digest/models/\(name).gguf")
    }

    // MARK: - The list

    @Test func oneModelSuitsThisMachine() throws {
        let output = try run("models").output
        #expect(output.contains("* good-4b"), "\(output)")
        #expect(output.split(separator: "\n").count { $0.hasPrefix("* ") } == 2, "the model, and what the mark means")
        #expect(output.contains(#/\* good-4b +[0-9.]+ kB +~[0-9]+ s +2.7 %  not downloaded/#), "\(output)")
        #expect(
            output.contains(
                "\n* makes the fewest mistakes of those that fit into this machine and write a digest of 25 stories in")
        )
        #expect(output.hasPrefix("No model writes your digests: the publications are quoted.\ngood-4b suits this"))
        #expect(output.contains("pulse-digest models pull good-4b"))
    }

    /// Also where it is not here.
    @Test func oneModelIsShown() throws {
        let good = try run("models", "show", "good-4b").output
        #expect(
            good.contains(
                "checked leniently: 2.7 % of its summaries say something that the article does not (Somebody)"))
        #expect(good.contains("would run here with about") && good.contains("not downloaded"), "\(good)")
        #expect(good.contains("models pull good-4b"))
        try place("fair-1b", layers: 4)
        let fair = try run("models", "show").output
        #expect(fair.hasPrefix("fair-1b  ") && fair.contains("checked strictly: 5.3 %"), "\(fair)")
        #expect(fair.contains(#/runs here with [0-9]+ MB of memory; a digest of 25 stories takes about/#))
        #expect(fair.contains(home + "/.local/share/pulse-digest/models/fair-1b.gguf"))
        let file = try run("models", "show", home + "/.local/share/pulse-digest/models/fair-1b.gguf").output
        #expect(file == fair)
        try run("models", "show", "goood-4b").ends(69, "Did you mean good-4b?")
    }

    @Test func aModelThatIsHereIsLookedAt() throws {
        #expect(try run("models", "path").output.hasSuffix("/nano.gguf\n"))
        try place("fair-1b", layers: 4)
        let output = try run("models").output
        #expect(output.hasPrefix("fair-1b writes your digests.\n"), "\(output)")
        #expect(output.contains(#/ fair-1b +[0-9.]+ kB +~[0-9]+ s +5.3 %  downloaded/#), "\(output)")
        #expect(try run("models", "path").output.hasSuffix("/fair-1b.gguf\n"))
    }

    @Test func ofAModelThatIsOnlyUsedWhereItIsNamedThisIsSaid() throws {
        try sandbox.writeModel(layers: 5, to: "poor.gguf")
        let words = "It is used only when you name it: --model poor-1b, or pulse-digest config set model poor-1b\n"
        try run("models", "pull", "poor-1b", "--from", sandbox.folder.file("poor.gguf")).ends(0, words)
        #expect(try run("models", "show", "poor-1b").output.contains("  " + words))
    }

    // MARK: - Other programs

    /// ollama: `manifests/HOST/NAMESPACE/NAME/TAG`, an image manifest (Docker's version 2, schema 2) whose layer of type
    /// `application/vnd.ollama.image.model` is in `blobs/sha256-…` (ollama's docs, "faq", and server/manifest.go).
    private func ollama(_ tag: String, layers: Int, root: String = "home/.ollama/models") throws {
        let blob = "\(root)/blobs/sha256-\(try sandbox.hash(layers: layers))"
        try sandbox.writeModel(layers: layers, to: blob)
        let manifest = """
            {"schemaVersion":2,"mediaType":"application/vnd.docker.distribution.manifest.v2+json",
             "config":{"mediaType":"application/vnd.docker.container.image.v1+json","digest":"sha256:00","size":1},
             "layers":[{"mediaType":"application/vnd.ollama.image.model",
                        "digest":"sha256:\(try sandbox.hash(layers: layers))","size":1},
                       {"mediaType":"application/vnd.ollama.image.license","digest":"sha256:11","size":1}]}
            """
        try sandbox.folder.write(manifest, to: "\(root)/manifests/registry.ollama.ai/\(tag)")
    }

    @Test func whatOllamaKeepsIsListedAndWrites() throws {
        try ollama("library/qwen3/4b", layers: 6)
        try ollama("somebody/their/latest", layers: 7)
        try ollama("library/good/4b", layers: 3)
        try sandbox.folder.write("{", to: "home/.ollama/models/manifests/registry.ollama.ai/library/broken/latest")
        let list = try run("models", "--verbose")
        #expect(list.output.contains("ollama:qwen3:4b"), "\(list.output)")
        #expect(list.output.contains("ollama:somebody/their:latest"))
        #expect(list.output.contains(#/ollama:good:4b +[0-9]+ kB +~[0-9]+ s +2.7 %  the catalogue’s good-4b/#))
        #expect(list.output.contains("here, at ollama:good:4b"))
        #expect(list.errors.contains(#/passed over .*broken\/latest: it is no manifest/#), "\(list.errors)")

        let shown = try run("models", "show", "ollama:qwen3:4b").output
        #expect(shown.hasPrefix("ollama:qwen3:4b  ") && shown.contains("runs here with"), "\(shown)")
        #expect(try run("models", "--model", "ollama:qwen3:4b").output.hasPrefix("ollama:qwen3:4b writes your"))
        let path = try run("models", "path", "ollama:Somebody/their").output
        #expect(path.hasPrefix(home + "/.ollama/models/blobs/sha256-"))
        #expect(try run("models", "verify", "ollama:qwen3:4b").status == 0)
        // The catalogue's name does, too; nothing is downloaded for it.
        #expect(try run("models", "path", "good-4b").output.contains(".ollama/models/blobs"))
        try run("models", "pull", "good-4b").ends(0, "Nothing was downloaded", "--model ollama:good:4b")

        try run("models", "path", "ollama:qwen3:8b").ends(69, "Did you mean ollama:qwen3:4b?")
        try run("models", "remove", "ollama:qwen3:4b").ends(64, "ollama keeps")
        #expect(FileManager.default.fileExists(atPath: path.trimmingCharacters(in: .newlines)))

        try sandbox.importSample(to: sandbox.usualStore)
        try run("today", "--model", "ollama:qwen3:4b", "--category", "gardening", "--max-tokens", "4").ends(0)
    }

    /// Before anything is downloaded, and wherever a model is named.
    @Test func whatOllamaKeepsIsOfferedAndCompleted() throws {
        try ollama("library/qwen3/4b", layers: 6)
        try ollama("library/good/4b", layers: 3)
        let doctor = try run("doctor").output
        #expect(doctor.contains("of other programs: ollama:good:4b, ollama:qwen3:4b"), "\(doctor)")
        #expect(doctor.contains("ollama keeps a model here that can write: --model ollama:good:4b"), "\(doctor)")
        for line in [["today", "--model", "ollama:q"], ["models", "path", "ollama:q"]] {
            let found = try sandbox.start(["complete-values", "--"] + line, program: program).finish().output
            #expect(found.hasPrefix("ollama:qwen3:4b\tollama\n"), "\(found)")
        }
        // Too small to be trusted with a sentence of its own.
        try FileManager.default.removeItem(
            atPath: sandbox.folder.file("home/.ollama/models/manifests/registry.ollama.ai/library/good"))
        #expect(try run("doctor").output.contains("pulse-digest models pull good-4b"))
        // Where ollama keeps them can be set.
        try ollama("somebody/their/latest", layers: 7, root: "elsewhere")
        sandbox.environment["OLLAMA_MODELS"] = sandbox.folder.file("elsewhere")
        try run("models").ends(nil, printing: "ollama:somebody/their:latest", without: "ollama:qwen3:4b")
    }

    /// LM Studio: `~/.lmstudio/models/PUBLISHER/REPOSITORY/FILE` (its docs, "Import models").
    @Test func whatLMStudioKeeps() throws {
        let folder = "home/.lmstudio/models/them/Model-GGUF/"
        try sandbox.writeModel(layers: 6, to: folder + "Model-Q4_K_M.gguf")
        // A projector of images, a model that embeds, one without a chat template, and a link that leads nowhere.
        try sandbox.writeModel(layers: 1, to: folder + "mmproj-Model-f16.gguf")
        var model = FixtureModel()
        model.layers = 1
        try sandbox.folder.write(
            model.data { $0.metadata.append(("llama.pooling_type", .uint32(1))) }, to: folder + "Embedding.gguf")
        model.template = .none
        try sandbox.folder.write(model.data(), to: folder + "Base.gguf")
        try sandbox.folder.link(folder + "Gone.gguf", to: "/nowhere/at/all.gguf")
        // A device and a pipe are not opened; a name that would change the terminal is not shown.
        try sandbox.folder.link(folder + "Zero.gguf", to: "/dev/zero")
        #expect(mkfifo(sandbox.folder.file(folder + "Pipe.gguf"), 0o600) == 0)
        try sandbox.writeModel(layers: 1, to: folder + "Red\u{1b}[31m.gguf")
        // Of several parts, the first names all of them.
        for number in 1...2 {
            try sandbox.writeModel(layers: 1, to: "home/.lmstudio/models/them/Split/S-0000\(number)-of-00002.gguf")
        }
        try sandbox.writeModel(layers: 1, to: "home/.lmstudio/models/them/Split/Half-00001-of-00002.gguf")

        let list = try run("models", "--verbose")
        let names = list.output.split(separator: "\n").filter { $0.hasPrefix("  lmstudio:") }.map {
            $0.split(separator: " ")[0]
        }
        #expect(names == ["lmstudio:them/Model-GGUF/Model-Q4_K_M", "lmstudio:them/Split/S-00001-of-00002"])
        #expect(!(list.output + list.errors).contains("\u{1b}"))
        for odd in [
            "Gone.gguf: it is missing", "Zero.gguf: it is not a regular file", "Pipe.gguf: it is not a regular file",
        ] {
            #expect(list.errors.contains(odd), "\(list.errors)")
        }
        #expect(list.errors.contains("Half-00002-of-00002.gguf: it is missing"))
        #expect(list.errors.contains("lmstudio:them/Model-GGUF/Embedding: it is not for chat"))
        #expect(try run("models", "path", "lmstudio:them/Model-GGUF/model-q4_k_m.gguf").status == 0)
    }

    /// Hugging Face: `models--ORG--NAME/snapshots/REVISION/FILE` is a link to `../../blobs/SHA256`, and `refs/main` holds
    /// a revision (huggingface_hub's docs, "Understand caching").
    @Test func whatHuggingFaceKeeps() throws {
        func keep(_ revision: String, layers: Int, under hub: String) throws {
            let repository = "\(hub)/models--them--Model-GGUF"
            try sandbox.writeModel(layers: layers, to: "\(repository)/blobs/\(try sandbox.hash(layers: layers))")
            try sandbox.folder.link(
                "\(repository)/snapshots/\(revision)/model.gguf",
                to: "../../blobs/\(try sandbox.hash(layers: layers))")
            try sandbox.folder.write(revision, to: "\(repository)/refs/main")
        }
        try keep("aaaa", layers: 6, under: "home/.cache/huggingface/hub")
        try keep("bbbb", layers: 3, under: "home/.cache/huggingface/hub")
        #expect(try run("models").output.contains(#/hf:them\/Model-GGUF\/model .*the catalogue’s good-4b/#))
        #expect(try run("models", "path", "hf:them/Model-GGUF/model").output.contains("/snapshots/bbbb/model.gguf"))
        sandbox.environment["HF_HOME"] = sandbox.folder.file("hf")
        #expect(try !run("models").output.contains("hf:them"))
        try keep("cccc", layers: 7, under: "hf/hub")
        #expect(try run("models").output.contains("hf:them/Model-GGUF/model"))
    }

    /// llama.cpp: a flat folder, the repository before the file's name (common/download.cpp). GPT4All: a flat folder, a
    /// download begins with `incomplete-` (its docs, "Models"). Jan: `llamacpp/models/ID/model.yml` says where the file
    /// is, below its data folder or wherever it was (its docs, "Data folder").
    @Test func whatLlamaCppAndGPT4AllAndJanKeep() throws {
        try sandbox.writeModel(layers: 3, to: "home/.cache/llama.cpp/them_Model-GGUF_good-4b.gguf")
        try sandbox.writeModel(layers: 6, to: "home/.local/share/nomic.ai/GPT4All/Their.Q4_0.gguf")
        try sandbox.writeModel(layers: 6, to: "home/.local/share/nomic.ai/GPT4All/incomplete-Other.Q4_0.gguf")
        let jan = "home/.local/share/Jan/data/llamacpp/models/"
        try sandbox.writeModel(layers: 6, to: jan + "org/one/model.gguf")
        try sandbox.folder.write(
            "embedding: false\nmodel_path: llamacpp/models/org/one/model.gguf\nname: one\n",
            to: jan + "org/one/model.yml")
        try sandbox.writeModel(layers: 7, to: "home/Downloads/mine.gguf")
        try sandbox.folder.write("model_path: \(home)/Downloads/mine.gguf\n", to: jan + "mine/model.yml")
        let output = try run("models").output
        #expect(output.contains(#/llama.cpp:them_Model-GGUF_good-4b .*the catalogue’s good-4b/#), "\(output)")
        #expect(output.contains("gpt4all:Their.Q4_0") && !output.contains("incomplete"))
        #expect(output.contains("jan:org/one ") && output.contains("jan:mine "))
        #expect(try run("models", "path", "jan:mine").output == home + "/Downloads/mine.gguf\n")
    }

    // MARK: - Who writes

    @Test func aNamedModelThatIsNotHereIsAnError() throws {
        try sandbox.importSample(to: sandbox.usualStore)
        for (name, status, words) in [
            ("Good:4b", 69, "Did you mean good-4b? To download it: pulse-digest models pull good-4b"),
            ("1b", 69, "There is no model named “1b”"), ("good-4b", 69, "models pull good-4b"),
            ("-1b", 69, "Did you mean one of these: fair-1b, poor-1b?"), ("nano", 64, "too small to write digests"),
        ] as [(String, Int32, String)] {
            try run("today", "--model=\(name)").ends(status, words, output: "")
        }
    }

    /// It costs time, and what comes of it cannot be shown.
    @Test func aModelIsNotAskedInALanguageItDoesNotWrite() throws {
        let data = FixtureModel().bytes
        let path = try sandbox.folder.write(data, to: "home/.local/share/pulse-digest/models/english.gguf")
        try FileManager.default.removeItem(atPath: sandbox.folder.file("share"))
        _ = try sandbox.install(
            models: [
                sandbox.entry("nano", layers: 1, writes: false),
                sandbox.entry("english", size: data.count, hash: sandbox.sha256(of: path), languages: ["en"]),
            ], default: "nano")
        try sandbox.importSample(to: sandbox.usualStore)
        let asked = try run("today", "--dry-run", "--model", "english")
        #expect(asked.output.contains("Kestria and Vellmark") && !asked.output.contains("Arvela"), "\(asked.errors)")
        let bridge = try String(run("history", "search", "ponte Arvela").output.prefix { $0 != " " })
        for words in [("summarize", bridge), ("ask", "A ponte sobre o rio Arvela reabriu?")] {
            let said = try ["english", "none"].map { try run(words.0, words.1, "--model", $0) }
            #expect(said[0].status == 0 && said[0].output == said[1].output && !said[0].output.isEmpty, "\(said)")
        }
    }

    // MARK: - Fetching and measuring

    @Test func aModelIsFetchedAndUsed() throws {
        sandbox.environment["NO_PROXY"] = "127.0.0.1"
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: sandbox.model)))
        let server = try LoopbackServer { request, _ in .file(bytes, for: request) }
        let entry = try sandbox.entry("tiny", size: bytes.count, hash: sandbox.sha256(of: sandbox.model), percent: 2.7)
        try FileManager.default.removeItem(atPath: sandbox.folder.file("share"))
        _ = try sandbox.install(
            models: [entry.replacing("http://127.0.0.1:9/tiny.gguf", with: server.url("tiny.gguf"))], default: "tiny")
        #expect(try run("models").output.contains("not downloaded"))
        try sandbox.importSample(to: sandbox.usualStore)
        try run("today", "--model", "tiny").ends(69, "models pull tiny")
        #expect(try run("today", "--category", "gardening").output.contains("“"))

        try run("models", "pull", "tiny").ends(0, "tiny is ready: ", output: "")
        #expect(try run("models").output.hasPrefix("tiny writes your digests."))
        #expect(try run("models", "path").output == home + "/.local/share/pulse-digest/models/tiny.gguf\n")
        #expect(try run("models", "verify").status == 0)
        #expect(try run("today", "--category", "gardening").status == 0)
        // What is there is not fetched again.
        #expect(try run("models", "pull", "tiny", "--quiet").errors == "")
        #expect(server.requests.count == 1)
    }

    @Test func aModelIsMeasured() throws {
        let document = try sandbox.run("bench", "--format", "json", "--threads", "1").succeeded().object()
        #expect(document["threads"] as? Int == 1 && (document["loads"] as? [Double])?.count == 2)
        let rows = try #require(document["rows"] as? [[String: Any]])
        let names = rows.compactMap { $0["id"] as? String }
        #expect(names == ["load", "weights", "reading", "writing", "first", "stories", "lookup", "memory"])
        for row in rows {
            let figures = try #require((row["value"] ?? row["first"]) as? [String: Any])
            #expect(try #require(figures["median"] as? Double, "\(row)") > 0, "\(row)")
        }
    }

    // MARK: - Removing

    @Test func aPulledModelIsRemoved() throws {
        try place("fair-1b", layers: 4)
        #expect(try run("bench", "--model", "fair-1b").status == 0)
        let weights = home + "/.cache/pulse-digest/weights"
        #expect(try FileManager.default.contentsOfDirectory(atPath: weights).contains { $0.hasSuffix(".json") })
        let removed = try run("models", "remove", "fair-1b")
        #expect(removed.status == 0 && removed.errors.contains(#/fair-1b removed: [0-9.]+ [kM]B freed/#))
        #expect(try FileManager.default.contentsOfDirectory(atPath: weights) == [])
        #expect(try run("models").output.contains("not downloaded"))

        try run("models", "remove", "fair-1b").ends(69, "Nothing of fair-1b")
        try run("models", "remove", "nano").ends(64, "comes with the program")
        try run("models", "remove", "fare-1b").ends(69, "Did you mean fair-1b?")
    }
}

// MARK: - A program with its own catalogue

extension Sandbox {
    /// Puts the program into `bin`, with a catalogue of its own in `share`, and returns its path.
    func install(models: [String], default name: String) throws -> String {
        try folder.makeFolder("bin")
        try folder.write(
            "{ \"default\": \"\(name)\", \"models\": [ \(models.joined(separator: ", ")) ] }",
            to: "share/pulse-digest/models/manifest.json")
        try folder.copy(Repository.root.appendingPathComponent("prompts").path, to: "share/pulse-digest/prompts")
        let program = folder.file("bin/pulse-digest")
        // A second name for the same file, where both are on one disk. A copy not in this process: a program that is
        // being written to, also by a child that has just been forked, cannot be started.
        let paths = "'\(Sandbox.program)' '\(program)'"
        try shell("rm -f '\(program)'; ln \(paths) 2>/dev/null || cp \(paths)").succeeded()
        return program
    }

    /// Gives the installed program one of the files that come with it.
    func installModel(_ name: String) throws {
        try folder.link(
            "share/pulse-digest/models/\(name)", to: Repository.root.appendingPathComponent("models/\(name)").path)
    }

    func sha256(of path: String) throws -> String {
        String(try shell("sha256sum '\(path)' || shasum -a 256 '\(path)'").output.prefix(64))
    }

    /// The fixture model with so many layers, by which its size and hash tell it from others.
    fileprivate func model(layers: Int) -> Data {
        var model = FixtureModel()
        model.layers = layers
        return model.bytes
    }

    func writeModel(layers: Int, to path: String) throws {
        try folder.write(model(layers: layers), to: path)
    }

    fileprivate func hash(layers: Int) throws -> String {
        let path = folder.file("hashed-\(layers).gguf")
        try model(layers: layers).write(to: URL(fileURLWithPath: path))
        return try sha256(of: path)
    }

    /// A model of a catalogue, with more parameters there than the fixture has.
    func entry(_ name: String, layers: Int, percent: Double? = nil, writes: Bool = true) throws -> String {
        try entry(name, size: model(layers: layers).count, hash: hash(layers: layers), percent: percent, writes: writes)
    }

    func entry(
        _ name: String, size: Int, hash: String, percent: Double? = nil, writes: Bool = true, languages: [String] = []
    ) -> String {
        let known = languages.isEmpty ? "" : "\"languages\": \(languages),"
        let errors = percent.map { "\"errors\": { \"percent\": \($0), \"source\": \"Somebody\" }," } ?? ""
        return """
            { "name": "\(name)", "file": "\(name).gguf", "url": "http://127.0.0.1:9/\(name).gguf",
              "size": \(size), "sha256": "\(hash)",
              "parameters": \(writes ? 600_000_000 : 5_000_000), \(errors) "licence": "MIT", "origin": "Nobody",
              "writes": \(writes), \(known) "description": "For tests." }
            """
    }
}
