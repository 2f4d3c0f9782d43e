import Foundation
import PulseCore
import PulseInference
import PulseTestSupport
import Testing

/// Files that are no model, or not quite: each is told from the others, and none of them ends the process.
@Suite(.timeLimit(.minutes(20))) struct ModelFileTests {
    private let folder: TemporaryFolder
    private let sound = FixtureModel().data()

    init() throws { folder = try TemporaryFolder() }

    private func failure(loading path: String) async -> PulseError? {
        await #expect(throws: PulseError.self) { try await Engine.load(EngineOptions(modelPath: path, threads: 1)) }
    }

    private func failure(loading data: Data) async throws -> PulseError? {
        await failure(loading: try folder.write(data, to: "model.gguf"))
    }

    /// libllama looks up the token of a byte without asking whether there is one, and ends the process.
    @Test func aVocabularyWithoutBytes() async throws {
        var model = FixtureModel()
        model.isSentencePiece = true
        let data = model.data { writer in
            for (index, pair) in writer.metadata.enumerated() {
                guard pair.key == "tokenizer.ggml.tokens", case .strings(let tokens) = pair.value else { continue }
                writer.metadata[index].value = .strings(tokens.map { $0.replacing("<0x7F>", with: "del") })
            }
        }
        let error = try await failure(loading: data)
        #expect(error?.cause == "no token for a single byte")
    }

    /// The patterns of some families recurse for each character of a word.
    @Test(arguments: ["llama-bpe", "gpt-4o", "tekken", "deepseek-coder"])
    func aWordOfAHundredThousandLetters(pattern: String) async throws {
        let data = FixtureModel().data { $0.set("tokenizer.ggml.pre", .string(pattern)) }
        let path = try folder.write(data, to: "model.gguf")
        let engine = try await Engine.load(EngineOptions(modelPath: path, threads: 1, vocabularyOnly: true))
        func tokens(_ text: String) async throws -> Int {
            try await engine.promptTokens(of: [ChatMessage(role: .user, text: text)])
        }
        let word = String(repeating: "a", count: 100_000)
        #expect(try await tokens("The pier \(word) opens.") > tokens("The pier opens."))
        // Where words end, nothing changes.
        let words = String(repeating: "abc de ", count: 5000)
        let base = try await tokens("")
        #expect(try await tokens(words + words) - base == 2 * (tokens(words) - base))
    }

    @Test func missing() async {
        let error = await failure(loading: folder.file("none.gguf"))
        #expect(error.says(.unavailable, "There is no model at \(folder.file("none.gguf")). Check the path"))
    }

    @Test func folderInsteadOfAFile() async {
        #expect(await failure(loading: folder.path).says(.unavailable, "is a folder"))
    }

    @Test(.enabled(if: getuid() != 0, "root may read everything")) func unreadable() async throws {
        let path = try folder.write(sound, to: "secret.gguf")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        #expect(await failure(loading: path).says(.unavailable, "cannot be read"))
    }

    @Test func empty() async throws { #expect(try await failure(loading: Data()).says(.unavailable, "is empty")) }

    @Test(arguments: [
        ("G", ". Give the path"), ("GGU", ". Give the path"), ("ggml and more", ". Give the path"),
        ("\n<!DOCTYPE html><title>404</title>", "it is a web page"), ("<html>404</html>", "it is a web page"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "it is Git's pointer to the file"),
        ("tjgg\u{1}\0\0\0", "earlier formats (GGML)"), ("lmgg", "earlier formats (GGML)"),
        ("\u{8}\0\0\0\0\0\0\0{\"a\": {}}", "it is a safetensors file"), ("PK\u{3}\u{4}rest", "it is a ZIP archive"),
        (String(repeating: "\0", count: 9000), "it is a download that was not finished"),
    ])
    func somethingElse(text: String, words: String) async throws {
        let error = try await failure(loading: Data(text.utf8))
        #expect(error.says(.unavailable, "is not a model in GGUF format"))
        #expect(error.says(.unavailable, words))
    }

    @Test func compressed() async throws {
        #expect(
            try await failure(loading: Data([0x1f, 0x8b, 8, 0])).says(
                .unavailable, "is not a model in GGUF format: it is a compressed file"))
    }

    /// What is published beside models, and models that write no text.
    @Test(arguments: [
        (["general.type": "adapter", "adapter.type": "lora"], "is an adapter (LoRA)"),
        (["general.architecture": "controlvector"], "is a control vector"),
        (["general.type": "mmproj", "general.architecture": "clip"], "is a projector (mmproj)"),
        (["general.architecture": "clip"], "is a projector (mmproj)"),
        (["general.type": "imatrix"], "is an importance matrix (imatrix)"),
        (["general.architecture": "nomic-bert"], "is an embedding model"),
        (["general.architecture": "dream"], "writes by diffusion"),
        (["general.architecture": "flux"], "makes images or films"),
        (["general.architecture": "whisper"], "for speech or sound"),
    ])
    func anotherKindIsNamed(metadata: [String: String], words: String) async throws {
        let data = FixtureModel().data { writer in
            for (key, value) in metadata { writer.set(key, .string(value)) }
        }
        let error = try await failure(loading: data)
        #expect(error.says(.unavailable, words), "\(error as Any)")
        #expect(error?.hint?.contains("Fetch it again") != true)
    }

    @Test func anotherKindIsNamedWithoutTheMetadataOfAModel() async throws {
        var matrix = GGUFWriter()
        matrix.metadata = [("general.type", .string("imatrix")), ("imatrix.chunk_count", .uint32(1))]
        #expect(try await failure(loading: matrix.data()).says(.unavailable, "is an importance matrix"))
        let pooled = FixtureModel().data { $0.metadata.append(("llama.pooling_type", .uint32(3))) }
        #expect(try await failure(loading: pooled).says(.unavailable, "is an embedding model"))
        let vocabulary = FixtureModel().data { $0.tensors = [] }
        #expect(try await failure(loading: vocabulary).says(.unavailable, "has the vocabulary of a model"))
    }

    @Test func aPartOfASplitModelNamesTheFirst() async throws {
        func part(_ number: UInt16, _ name: String) throws -> String {
            var writer = GGUFWriter()
            writer.metadata = [("split.no", .uint16(number)), ("split.count", .uint16(3))]
            return try folder.write(writer.data(), to: name)
        }
        let first = folder.file("m-00001-of-00003.gguf")
        let second = await failure(loading: try part(1, "m-00002-of-00003.gguf"))
        #expect(second.says(.unavailable, "is part 2 of 3 of a split model"))
        #expect(second?.hint?.contains(first) == true)
        #expect(
            await failure(loading: try part(1, "b.gguf")).says(
                .unavailable, "does not have the name that its maker gave it"))
        let alone = await failure(loading: try part(0, "m-00001-of-00003.gguf"))
        #expect(alone.says(.unavailable, "part 3 of 3 is missing"))
    }

    @Test func otherVersionsOfTheFormatAreNamed() async throws {
        func version(_ bytes: [UInt8]) async throws -> PulseError? {
            try await failure(loading: sound.prefix(4) + Data(bytes) + sound.dropFirst(8))
        }
        #expect(try await version([1, 0, 0, 0]).says(.unavailable, "is of version 1 of GGUF"))
        #expect(try await version([4, 0, 0, 0]).says(.unavailable, "is of version 4 of GGUF"))
        #expect(try await version([0, 0, 0, 3]).says(.unavailable, "the other order of bytes"))
    }

    @Test func cutAnywhere() async throws {
        var lengths = Array(stride(from: 4, to: sound.count, by: 9973))
        lengths += [5, 8, 12, 20, 24, 25, 32, 100, 1000, sound.count - 1]
        for length in lengths {
            let error = try await failure(loading: sound.prefix(length))
            #expect(error.says(.unavailable, "is incomplete"), "cut at \(length)")
        }
    }

    @Test func bytesChangedAnywhereInTheHeader() async throws {
        // A changed byte may leave a model that works; what counts is that the process lives and errors are ours.
        var random = SplitMix(seed: 42)
        var isDamaged = false
        for _ in 0..<400 {
            var data = sound
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                data[Int.random(in: 4..<7000, using: &random)] = .random(in: 0...255, using: &random)
            }
            let path = try folder.write(data, to: "model.gguf")
            do {
                let engine = try await Engine.load(EngineOptions(modelPath: path, contextLength: 256, threads: 1))
                _ = try await engine.answer(to: Fixture.request("Hello", tokens: 2))
            } catch {
                let error = error.asPulseError
                isDamaged = isDamaged || error.message.hasSuffix("is damaged.")
                #expect(error.message.hasSuffix("."))
                #expect(!error.message.hasPrefix("There is no model"))
            }
        }
        #expect(isDamaged)
    }

    @Test func metadataThatLibllamaWouldDieOf() async throws {
        func expect(_ words: String, of key: String, _ value: GGUFWriter.Value?) async throws {
            let data = FixtureModel().data { $0.set(key, value) }
            #expect(try await failure(loading: data).says(.unavailable, words), "\(key)")
        }
        let damages: [(key: String, value: GGUFWriter.Value?)] = [
            ("general.architecture", nil), ("general.alignment", .uint32(3)),
            ("general.alignment", .uint32(16)), ("llama.attention.head_count", .uint32(0)),
            ("llama.block_count", .uint32(5_000_000)),
            ("llama.block_count", .string("two")), ("tokenizer.ggml.tokens", .strings(["a", "a"])),
            ("tokenizer.ggml.tokens", .string("a")), ("tokenizer.ggml.token_type", .int32s([1, 1])),
            ("tokenizer.ggml.scores", .floats([1])), ("tokenizer.ggml.merges", .int32s([1])),
            ("tokenizer.ggml.eos_token_id", .uint32(9_999_999)),
        ]
        for (key, value) in damages { try await expect("is damaged", of: key, value) }
        for key in ["general.architecture", "tokenizer.ggml.pre"] {
            try await expect("does not know the kind of model", of: key, .string("nonesuch"))
        }
    }

    @Test func tensorThatIsNotThere() async throws {
        let data = FixtureModel().data { $0.tensors.removeAll { $0.name == "blk.1.ffn_up.weight" } }
        let error = try await failure(loading: data)
        #expect(error.says(.unavailable, "is damaged"))
        #expect(error?.cause?.contains("blk.1.ffn_up.weight") == true)
    }

    @Test func vocabularyWithoutEnd() async throws {
        let path = folder.file("endless.gguf")
        try FixtureModel.write(to: path) { $0.hasEnd = false }
        #expect(await failure(loading: path).says(.unavailable, "no token that ends a text"))
        // Its tokens can be counted all the same.
        let light = try await Engine.load(EngineOptions(modelPath: path, vocabularyOnly: true))
        #expect(light.tokens(of: "abc") == 3)
    }

    @Test func contextThatNoMachineHolds() async throws {
        let path = folder.file("vast.gguf")
        try FixtureModel.write(to: path) {
            $0.contextLength = 2_000_000_000
            $0.layers = 8
        }
        let options = EngineOptions(modelPath: path, contextLength: 2_000_000_000, threads: 1)
        try await fails(.tryAgain, "too little memory for this model") { try await Engine.load(options) }
    }
}
