import Foundation
import PulseCore
import PulsePlatform
import PulseText

/// A program that stores models in a folder of its own.
public enum OtherProgram: String, Sendable, Hashable, CaseIterable {
    case ollama
    case lmStudio = "lmstudio"
    case huggingFace = "hf"
    case llamaCpp = "llama.cpp"
    case gpt4All = "gpt4all"
    case jan

    public var title: String {
        switch self {
        case .ollama: "ollama"
        case .lmStudio: "LM Studio"
        case .huggingFace: "Hugging Face"
        case .llamaCpp: "llama.cpp"
        case .gpt4All: "GPT4All"
        case .jan: "Jan"
        }
    }

    /// Parses a name such as `ollama:qwen3:4b`; nil if it has no program.
    static func named(in reference: String) -> (program: OtherProgram, name: String)? {
        guard let colon = reference.firstIndex(of: ":"),
            let program = OtherProgram(rawValue: reference[..<colon].lowercased())
        else { return nil }
        return (program, String(reference[reference.index(after: colon)...]))
    }
}

/// Another program's model file. It is used in place and never changed.
public struct FoundModel: Sendable, Hashable {
    public let program: OtherProgram
    /// The program's name of the model; for a plain file, its path below the program's folder without `.gguf`.
    let name: String
    /// The path of the file, or of its first part: libllama finds the others by its name.
    public let path: String
    /// Bytes, of all parts.
    public let size: Int64
    /// The SHA-256 by which the program names the file; nil: none.
    let sha256: String?

    /// All its files.
    public var parts: [String] { SplitName.parts(of: path) }

    /// The name for `--model`.
    public var reference: String { "\(program.rawValue):\(name)" }

    /// Whether a typed name is that of the model. Case and `.gguf` do not matter.
    func isNamed(_ word: String) -> Bool {
        var word = word.lowercased()
        if word.hasSuffix(".gguf") { word.removeLast(5) }
        let name = name.lowercased()
        return word == name || program == .ollama && word + ":latest" == name
    }

    /// Whether it is the catalogue's file, by hash or else by size and name. llama.cpp puts the repository in front.
    func isFile(of entry: ModelCatalogEntry, rememberedIn cacheFolder: String) -> Bool {
        guard size == entry.size else { return false }
        if let sha256 = sha256 ?? Sidecar(of: path, in: cacheFolder).sha256 { return sha256 == entry.sha256 }
        let file = (path as NSString).lastPathComponent
        return file == entry.file || file.hasSuffix("_" + entry.file)
    }
}

/// Other programs' models on this machine, by names and sizes. Whatever is damaged or unexpected is skipped.
public struct OtherPrograms: Sendable {
    /// A folder and the program that decides its layout.
    struct SearchFolder: Sendable, Hashable {
        let program: OtherProgram
        let path: String
    }

    private let folders: [SearchFolder]

    init(_ folders: [SearchFolder]) { self.folders = folders }

    /// The programs' folders by their documentation, and by their environment variables.
    public init(home: String, environment: [String: String]) {
        func variable(_ name: String) -> String? {
            environment[name].flatMap { value in
                let path = value.hasPrefix("~/") ? home + value.dropFirst() : value
                return path.hasPrefix("/") ? path : nil
            }
        }
        let cache = variable("XDG_CACHE_HOME") ?? home + "/.cache"
        let data = variable("XDG_DATA_HOME") ?? home + "/.local/share"
        let support = home + "/Library/Application Support"
        var folders: [SearchFolder] = []
        func add(_ program: OtherProgram, _ paths: String...) {
            folders += paths.map { SearchFolder(program: program, path: $0) }
        }
        // ollama's FAQ, "Where are models stored?": OLLAMA_MODELS replaces the default.
        add(.ollama, variable("OLLAMA_MODELS") ?? home + "/.ollama/models", "/usr/share/ollama/.ollama/models")
        add(.lmStudio, home + "/.lmstudio/models", home + "/.cache/lm-studio/models")
        // huggingface_hub, "Environment variables": HF_HUB_CACHE, else HF_HOME/hub.
        add(
            .huggingFace,
            variable("HF_HUB_CACHE") ?? variable("HUGGINGFACE_HUB_CACHE") ?? variable("HF_HOME").map { $0 + "/hub" }
                ?? cache + "/huggingface/hub")
        // llama.cpp, common/common.cpp: fs_get_cache_directory.
        if let folder = variable("LLAMA_CACHE") {
            add(.llamaCpp, folder)
        } else {
            add(.llamaCpp, cache + "/llama.cpp", home + "/Library/Caches/llama.cpp")
        }
        add(.gpt4All, data + "/nomic.ai/GPT4All", support + "/nomic.ai/GPT4All")
        add(.jan, data + "/Jan/data/llamacpp/models", support + "/Jan/data/llamacpp/models", home + "/jan/models")
        self.init(folders)
    }

    /// All models, by program and name; of the same name, the first. `note` gets skipped files and the English reason.
    public func models(note: (_ path: String, _ cause: String) -> Void = { _, _ in }) -> [FoundModel] {
        var names: Set<String> = []
        return folders.flatMap { folder in
            let search = ModelSearch(folder)
            let found = search.models().sorted { $0.name < $1.name }.filter { names.insert($0.reference).inserted }
            search.oddities.forEach { note($0.path, $0.cause) }
            return found
        }
    }
}

private final class ModelSearch {
    private let program: OtherProgram
    private let folder: String
    private(set) var oddities: [(path: String, cause: String)] = []
    /// How many more names may be read, so that no folder takes long.
    private var left = 20_000

    init(_ root: OtherPrograms.SearchFolder) {
        program = root.program
        folder = root.path
    }

    func models() -> [FoundModel] {
        switch program {
        case .ollama: ollama()
        case .huggingFace: huggingFace()
        case .llamaCpp, .gpt4All: files(in: folder, depth: 1)
        case .lmStudio: files(in: folder, depth: 3)
        case .jan: files(in: folder, depth: 4) + janModels(in: folder, depth: 3)
        }
    }

    /// - Returns: nil, for callers to return in place of a model.
    @discardableResult private func passOver(_ path: String, cause: String) -> FoundModel? {
        oddities.append((printable(path), cause))
        return nil
    }

    /// The sorted names in a folder, without hidden ones and those with control characters.
    private func names(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().filter { name in
            left -= 1
            guard left > 0, !name.hasPrefix(".") else { return false }
            if PlainText.line(name) == name { return true }
            passOver("\(folder)/\(name)", cause: "its name is not plain text")
            return false
        }
    }

    private func isFolder(_ path: String) -> Bool { FileStamp(path: path)?.isFolder == true }

    /// A model, if all its files exist and are regular after following links. Devices and pipes are never opened.
    private func model(_ name: String, at path: String, sha256: String? = nil) -> FoundModel? {
        var size: Int64 = 0
        for path in SplitName.parts(of: path) {
            guard let stamp = FileStamp(path: path) else { return passOver(path, cause: "it is missing") }
            guard stamp.isRegular, stamp.size > 0 else {
                return passOver(path, cause: "it is not a regular file, or it is empty")
            }
            size += stamp.size
        }
        return FoundModel(program: program, name: name, path: path, size: size, sha256: sha256)
    }

    // MARK: - Files in folders

    /// The GGUF files in a folder and its subfolders, down to a depth, which also ends cycles of links.
    private func files(in folder: String, depth: Int, prefix: String = "") -> [FoundModel] {
        names(in: folder).flatMap { name -> [FoundModel] in
            let path = "\(folder)/\(name)"
            if depth > 1, isFolder(path) { return files(in: path, depth: depth - 1, prefix: prefix + name + "/") }
            // Unfinished downloads of these programs have such names.
            guard isModel(name), !name.hasPrefix("incomplete-") else { return [] }
            // Jan gives all models' files the same name.
            let isAnonymous = program == .jan && name == "model.gguf" && !prefix.isEmpty
            if program == .jan, FileStamp(path: folder + "/model.yml") != nil { return [] }
            return model(isAnonymous ? String(prefix.dropLast()) : prefix + name.dropLast(5), at: path).map { [$0] }
                ?? []
        }
    }

    /// Whether a file may be a model by its name: not a further part, and no image projector.
    private func isModel(_ name: String) -> Bool {
        name.hasSuffix(".gguf") && SplitName(name).map { $0.number == 1 } ?? true
            && !name.lowercased().contains("mmproj")
    }

    /// Jan's models: folders with a `model.yml`, which has the file's path below Jan's data folder or elsewhere.
    private func janModels(in folder: String, depth: Int, prefix: String = "") -> [FoundModel] {
        names(in: folder).flatMap { name -> [FoundModel] in
            let path = "\(folder)/\(name)"
            guard isFolder(path) else { return [] }
            let deeper = depth > 1 ? janModels(in: path, depth: depth - 1, prefix: prefix + name + "/") : []
            guard let text = small(path + "/model.yml").map({ String(decoding: $0, as: UTF8.self) }) else {
                return deeper
            }
            let key = "model_path:"
            let value = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(key) }?.dropFirst(key.count)
            let file = value?.trimmingCharacters(in: CharacterSet(charactersIn: " '\"")) ?? ""
            guard file.hasSuffix(".gguf") else {
                passOver(path + "/model.yml", cause: "it names no GGUF file")
                return deeper
            }
            // `…/Jan/data/llamacpp/models` is below the data folder.
            let data = ((self.folder as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
            let found = model(prefix + name, at: file.hasPrefix("/") ? file : "\(data)/\(file)")
            return deeper + (found.map { [$0] } ?? [])
        }
    }

    private func small(_ path: String) -> Data? {
        guard let stamp = FileStamp(path: path), stamp.isRegular, stamp.size <= 1 << 20 else { return nil }
        return try? AtomicFile.read(path)
    }

    /// `models--ORG--NAME/snapshots/REVISION/FILE`, a link to `blobs/SHA256`; the revision of `refs/main` first.
    private func huggingFace() -> [FoundModel] {
        names(in: folder).filter { $0.hasPrefix("models--") }.flatMap { repository -> [FoundModel] in
            let snapshots = "\(folder)/\(repository)/snapshots"
            let main = small("\(folder)/\(repository)/refs/main").map {
                String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            }
            let revisions = names(in: snapshots)
            let name = repository.dropFirst(8).replacingOccurrences(of: "--", with: "/") + "/"
            var known: Set<String> = []
            return (revisions.filter { $0 == main } + revisions.filter { $0 != main }).flatMap { revision in
                files(in: "\(snapshots)/\(revision)", depth: 2, prefix: name).compactMap { found in
                    guard known.insert(found.name).inserted else { return nil }
                    let link = (try? FileManager.default.destinationOfSymbolicLink(atPath: found.path)) ?? ""
                    let blob = (link as NSString).lastPathComponent
                    guard SHA256.isText(blob) else { return found }
                    return FoundModel(
                        program: program, name: found.name, path: found.path, size: found.size, sha256: blob)
                }
            }
        }
    }

    /// A manifest as ollama writes it (its docs, "Modelfile", and the registry's image manifest, version 2 schema 2).
    private struct OllamaManifest: Decodable {
        struct Layer: Decodable {
            let mediaType: String
            let digest: String
        }

        let layers: [Layer]
    }

    /// `manifests/HOST/NAMESPACE/NAME/TAG` names the blob with the weights. Names leave out the default HOST/NAMESPACE.
    private func ollama() -> [FoundModel] {
        let manifests = folder + "/manifests"
        return names(in: manifests).flatMap { host in
            names(in: "\(manifests)/\(host)").flatMap { space in
                names(in: "\(manifests)/\(host)/\(space)").flatMap { name in
                    names(in: "\(manifests)/\(host)/\(space)/\(name)").compactMap { tag -> FoundModel? in
                        let isUsual = host == "registry.ollama.ai"
                        let prefix = (isUsual ? "" : host + "/") + (isUsual && space == "library" ? "" : space + "/")
                        return ollama("\(prefix)\(name):\(tag)", "\(manifests)/\(host)/\(space)/\(name)/\(tag)")
                    }
                }
            }
        }
    }

    private func ollama(_ name: String, _ path: String) -> FoundModel? {
        guard let bytes = small(path), let manifest = try? JSONDecoder().decode(OllamaManifest.self, from: bytes) else {
            return passOver(path, cause: "it is no manifest")
        }
        let kind = "application/vnd.ollama.image."
        let weights = manifest.layers.filter { $0.mediaType == kind + "model" }
        // Models on ollama's servers have no weights here, and an adapter's weights are incomplete.
        guard weights.count == 1, !manifest.layers.contains(where: { $0.mediaType == kind + "adapter" }) else {
            return passOver(path, cause: "its weights are not one file")
        }
        let sha256 = String(weights[0].digest.dropFirst(7))
        guard weights[0].digest.hasPrefix("sha256:"), SHA256.isText(sha256) else {
            return passOver(path, cause: "its weights have no sha256")
        }
        return model(name, at: "\(folder)/blobs/sha256-\(sha256)", sha256: sha256)
    }
}
