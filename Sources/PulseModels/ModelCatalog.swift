import Foundation
public import PulseCore
import PulsePlatform
import PulseText

/// The models that can be used by name: the manifest's and other programs'. It finds their files.
public struct ModelCatalog: Sendable {
    public let manifest: ModelManifest
    /// The folder that is installed with the program. Never written to.
    private let shippedFolder: String
    /// The user's folder, where `models pull` puts files. It may not exist yet.
    let userFolder: String
    /// The folder that caches hashes. It may not exist yet.
    let cacheFolder: String
    public let others: OtherPrograms

    public init(
        manifest: ModelManifest, shippedFolder: String, userFolder: String, cacheFolder: String, others: OtherPrograms
    ) {
        self.manifest = manifest
        self.shippedFolder = shippedFolder
        self.userFolder = userFolder
        self.cacheFolder = cacheFolder
        self.others = others
    }

    /// The catalogue's entry with a name.
    ///
    /// Throws `.unavailable`; the hint suggests similar names and how to download them.
    public func entry(named name: String) throws -> ModelCatalogEntry {
        if let entry = manifest.models.first(where: { $0.name == name }) { return entry }
        if let found = others.models().first(where: { [$0.name, $0.reference].contains(name) }) {
            throw PulseError(
                .usage,
                "\(found.program.title) already has \(printable(found.name)) on this machine; no download is needed.",
                hint: "To use it: pulse-digest config set model \(printable(found.reference))")
        }
        let names = manifest.models.map(\.name)
        let near = Self.suggestions(for: name, among: names + others.models().map(\.reference))
        let absent = near.filter { near in manifest.models.contains { $0.name == near && status(of: $0).path == nil } }
        let question: Message? =
            switch near.count {
            case 0: "The catalogue has \(names.joined(separator: ", "))."
            case 1: "Did you mean \(near[0])?"
            default: "Did you mean one of these: \(near.joined(separator: ", "))?"
            }
        let command: Message? =
            absent.isEmpty
            ? nil : "To download it: pulse-digest models pull \(absent.count == 1 ? absent[0] : "NAME")"
        let own: Message = "A model of your own: --model PATH takes a GGUF file."
        throw PulseError(
            .unavailable, "There is no model named “\(printable(WebURL.withoutUser(name)))”.",
            // The command stands last, so that it can be copied.
            hint: (near.isEmpty ? [question, own] : [own, question, command]).compactMap(\.self)
                .joined(separator: " "))
    }

    /// Suggests names for a mistyped one: those that differ only in punctuation (`Qwen3:1.7b`), else those that contain
    /// it, because names are long, else the one with the smallest edit distance.
    static func suggestions(for word: String, among names: [String]) -> [String] {
        func spelling(_ name: String) -> String { String(name.lowercased().map { ":_ ".contains($0) ? "-" : $0 }) }
        let plain = spelling(word)
        // `ollama:qwen3:4b` and `qwen3-4b` are the same.
        func isSame(_ name: String) -> Bool { spelling(name) == plain || spelling(name).hasSuffix("-" + plain) }
        if word.count >= 3 {
            let same = names.filter(isSame)
            if !same.isEmpty { return Array(same.prefix(4)) }
            let containing = names.filter { spelling($0).contains(plain) }
            if !containing.isEmpty { return Array(containing.prefix(4)) }
        }
        return EditDistance.nearest(to: plain, among: names).map { [$0] } ?? []
    }

    // MARK: - Finding files

    /// The status of a model's file, by its name and size. `verify` reads the file.
    public func status(of entry: ModelCatalogEntry) -> Status {
        // The user's file takes precedence, because it was put there on purpose.
        let (present, shipped) = (userPath(of: entry), shippedPath(of: entry))
        let (presentSize, shippedSize) = (Self.size(present), Self.size(shipped))
        if presentSize == entry.size { return .present(path: present) }
        if shippedSize == entry.size { return .shipped(path: shipped) }
        if let presentSize { return .damaged(path: present, bytes: presentSize) }
        if let shippedSize { return .damaged(path: shipped, bytes: shippedSize) }
        if let begun = Self.size(partPath(of: entry)), begun > 0 { return .partial(bytes: begun) }
        return .absent
    }

    /// Resolves the value of `--model`: another program's model (`ollama:qwen3:4b` or `qwen3:4b`), a path (it has a `/`
    /// or ends in `.gguf`; the shell expands `~`), or a name of the catalogue. Looks only at names and sizes.
    ///
    /// Throws `.unavailable`.
    public func resolve(_ nameOrPath: String) throws -> ResolvedModel {
        if let (program, name) = OtherProgram.named(in: nameOrPath) { return resolved(try found(name, of: program)) }
        if Self.isPath(nameOrPath) { return try resolve(path: nameOrPath) }
        if !manifest.models.contains(where: { $0.name == nameOrPath }),
            let found = others.models().first(where: { $0.name == nameOrPath })
        {
            return resolved(found)
        }
        let entry = try entry(named: nameOrPath)
        let status = status(of: entry)
        if let path = status.path { return try resolved(entry, at: path) }
        // The user named it, so a file of another program will do.
        if let found = elsewhere(entry).first { return resolved(found) }
        switch status {
        case .damaged(let path, let bytes):
            throw PulseError(
                .unavailable, "\(path) has \(bytes) bytes where \(entry.size) are expected.", hint: entry.remedy)
        case .partial(let bytes):
            let percent = bytes * 100 / entry.size
            throw PulseError(
                .unavailable, "Only \(percent)% of the model \(entry.name) is downloaded.", hint: entry.remedy)
        case .shipped, .present, .absent:
            throw PulseError(.unavailable, "The model \(entry.name) is not on this machine.", hint: entry.remedy)
        }
    }

    /// Whether `resolve` treats the text as a path.
    public static func isPath(_ nameOrPath: String) -> Bool {
        OtherProgram.named(in: nameOrPath) == nil && (nameOrPath.contains("/") || nameOrPath.hasSuffix(".gguf"))
    }

    /// Whether the name is that of another program's model.
    public static func isReference(_ name: String) -> Bool { OtherProgram.named(in: name) != nil }

    /// The path of the downloaded file, which may be incomplete; nil: there is none.
    public func downloadedPath(of entry: ModelCatalogEntry) -> String? {
        Self.size(userPath(of: entry)).map { _ in userPath(of: entry) }
    }

    /// Another program's model by its name. Throws `.unavailable` with similar names.
    private func found(_ name: String, of program: OtherProgram) throws -> FoundModel {
        let models = others.models().filter { $0.program == program }
        if let found = models.first(where: { $0.name == name }) ?? models.first(where: { $0.isNamed(name) }) {
            return found
        }
        let near = Self.suggestions(for: name, among: models.map(\.name)).map { "\(program.rawValue):\($0)" }
        throw PulseError(
            .unavailable, "\(program.title) keeps no model named “\(printable(name))” on this machine.",
            hint: near.isEmpty
                ? "To see what other programs keep here: pulse-digest models"
                : "Did you mean \(near.joined(separator: ", "))?")
    }

    /// Resolves another program's file, with its entry if the catalogue has it.
    public func resolved(_ found: FoundModel) -> ResolvedModel {
        let entry = manifest.models.first { found.isFile(of: $0, rememberedIn: cacheFolder) }
        return ResolvedModel(name: entry?.name ?? found.reference, path: found.path, entry: entry, found: found)
    }

    /// Other programs' copies of a model of the catalogue.
    public func elsewhere(_ entry: ModelCatalogEntry) -> [FoundModel] {
        others.models().filter { $0.isFile(of: entry, rememberedIn: cacheFolder) }
    }

    private func resolve(path: String) throws -> ResolvedModel {
        guard let stamp = FileStamp(path: path) else {
            throw PulseError(
                .unavailable, "There is no model file at \(path).",
                hint: manifest.models.first { $0.file == path }.map { "The catalogue calls that model \($0.name)." })
        }
        guard stamp.isRegular else { throw PulseError(.unavailable, "\(path) is not a file.") }
        let entry = manifest.models.first { entry in
            [userPath(of: entry), shippedPath(of: entry)].contains { candidate in
                FileStamp(path: candidate).map { $0.isSameFile(as: stamp) && $0.size == entry.size } ?? false
            }
        }
        if let entry, entry.base != nil { return try resolved(entry, at: path) }
        let file = (path as NSString).lastPathComponent
        return ResolvedModel(
            name: entry?.name ?? (file.hasSuffix(".gguf") ? String(file.dropLast(5)) : file), path: path, entry: entry)
    }

    /// The model of an entry whose file is there. libllama exits for some damaged adapters, so the hash is checked.
    private func resolved(_ entry: ModelCatalogEntry, at path: String) throws -> ResolvedModel {
        guard let base = entry.base else { return ResolvedModel(name: entry.name, path: path, entry: entry) }
        let hash = FileHash(cacheFolder: cacheFolder, cancellation: Cancellation()) { _, _ in }
        guard try hash.remembered(of: path) == entry.sha256 else {
            throw PulseError(.unavailable, "\(path) is damaged.", hint: entry.remedy)
        }
        return ResolvedModel(name: entry.name, path: try resolve(base).path, entry: entry, adapter: path)
    }

    func userPath(of entry: ModelCatalogEntry) -> String { "\(userFolder)/\(entry.file)" }

    func partPath(of entry: ModelCatalogEntry) -> String { userPath(of: entry) + ".part" }

    private func shippedPath(of entry: ModelCatalogEntry) -> String { "\(shippedFolder)/\(entry.file)" }

    private static func size(_ path: String) -> Int64? {
        FileStamp(path: path).flatMap { $0.isRegular ? $0.size : nil }
    }

    /// The status of a catalogue's model on this machine, by names and sizes alone.
    public enum Status: Sendable, Equatable {
        /// Installed with the program.
        case shipped(path: String)
        /// In the user's models folder.
        case present(path: String)
        /// A file has its name, but another size than in the catalogue.
        case damaged(path: String, bytes: Int64)
        /// A download was started and not finished.
        case partial(bytes: Int64)
        case absent

        /// The path, if the file has the right size.
        public var path: String? {
            switch self {
            case .shipped(let path), .present(let path): path
            case .damaged, .partial, .absent: nil
            }
        }
    }

    /// A machine's resources for a model.
    public struct Machine: Sendable, Hashable {
        /// Free bytes; nil: not known.
        public let memory: UInt64?
        /// Physical cores that the process may use.
        public let cores: Int

        public init(memory: UInt64?, cores: Int) {
            self.memory = memory
            self.cores = cores
        }

        /// Whether a model fits, by its file's size alone.
        public func holds(_ size: Int64) -> Bool {
            memory.map { ModelCatalogEntry.memoryEstimate(size: size) <= $0 } ?? true
        }

        /// Whether a digest takes at most two minutes with this many weights.
        public func isQuick(_ parameters: Int64) -> Bool {
            ModelCatalogEntry.digestEstimate(parameters: parameters, cores: cores) <= 120
        }
    }

    /// Of the models on this machine that are worth using, the one with the lowest published error rate that fits. If
    /// none fits, the smallest. Nil: there is none.
    public func best(on machine: Machine) -> ResolvedModel? {
        let here = manifest.models.filter { $0.isWorthIt && status(of: $0).path != nil }
        let fitting = here.filter { machine.holds($0.size) }
        // The estimate may be too high; the engine's plan is exact.
        let best = fitting.isEmpty ? here.min { $0.size < $1.size } : fitting.min { $0.rank < $1.rank }
        return best.flatMap { entry in
            status(of: entry).path.map { ResolvedModel(name: entry.name, path: $0, entry: entry) }
        }
    }

    /// The model that suits a machine best: it fits, a digest takes at most two minutes, and its published error rate
    /// is the lowest. If none is that fast, the fastest. Nil: none fits.
    public func recommended(on machine: Machine) -> ModelCatalogEntry? {
        let fitting = manifest.models.filter { $0.isWorthIt && machine.holds($0.size) }
        let quick = fitting.filter { machine.isQuick($0.parameters) }
        guard !quick.isEmpty else { return fitting.min { $0.parameters < $1.parameters } }
        return quick.min { $0.rank < $1.rank }
    }
}

/// A resolved `--model`: a file to load, and its entry in the catalogue.
public struct ResolvedModel: Sendable, Equatable {
    /// The catalogue's name, or the file's name without `.gguf`.
    public let name: String
    public let path: String
    /// Nil if the catalogue does not have the file.
    public let entry: ModelCatalogEntry?
    /// Where the file is from, if it is another program's.
    public var found: FoundModel?
    /// The file of the adapter that is put on the model; nil: there is none.
    public var adapter: String?

    /// The file that the catalogue knows the hash of.
    var ownFile: String { adapter ?? path }

    /// Whether it writes a language, as far as the catalogue says.
    public func writes(_ language: Language) -> Bool { entry?.languages?.contains(language.code) ?? true }

    /// The class that decides how strictly its output is checked, by the number of weights if it is known.
    public func reliability(parameters: Int64?) -> ModelReliability {
        entry?.reliability ?? ModelReliability(parameters: parameters, errorRate: nil)
    }

    /// Identifies the files without reading them: the name, and each one's size and change time; nil if one is missing.
    public var fingerprint: String? {
        var text = name
        for file in [path, adapter].compactMap(\.self) {
            guard let stamp = FileStamp(path: file) else { return nil }
            text += " \(stamp.size) \(stamp.modified)"
        }
        return text
    }
}

extension PulseError {
    static let cancelled = PulseError(.interrupted, "Cancelled.", hint: "Run the command again to go on.")
}

/// Makes untrusted text (of a server, an address, the catalogue) safe to print.
func printable(_ text: String) -> String { PlainText.line(text, limit: 200) }
