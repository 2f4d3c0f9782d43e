import Foundation
public import PulseCore
import PulsePlatform
import PulseText

/// The models that can be used by name: the manifest, and the two folders their files may be in.
public struct Catalog: Sendable {
    public let manifest: Manifest
    /// The folder that came with the program; never written to.
    private let shippedFolder: String
    /// The user's folder, where `models pull` puts files. It need not exist yet.
    let userFolder: String
    /// The folder that remembers hashes. It need not exist yet.
    let cacheFolder: String
    /// Where other programs keep models.
    public let others: OtherPrograms

    public init(
        manifest: Manifest, shippedFolder: String, userFolder: String, cacheFolder: String,
        others: OtherPrograms
    ) {
        self.manifest = manifest
        self.shippedFolder = shippedFolder
        self.userFolder = userFolder
        self.cacheFolder = cacheFolder
        self.others = others
    }

    /// Throws `.unavailable`, with the nearest names there are and the command that gets what they name.
    public func entry(named name: String) throws(PulseError) -> CatalogEntry {
        if let entry = manifest.models.first(where: { $0.name == name }) { return entry }
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
        throw PulseError(
            .unavailable, "There is no model named “\(printable(name))”.",
            hint: [question, command, "A model of your own: --model PATH takes a GGUF file."].compactMap(\.self)
                .joined(separator: " "))
    }

    /// The models that somebody probably meant: those whose names are the word in another spelling (`Qwen3:1.7b`), or
    /// contain it, since those names are long and people know a part of them, or else the one with the nearest
    /// spelling.
    static func suggestions(for word: String, among names: [String]) -> [String] {
        func spelling(_ name: String) -> String {
            String(name.lowercased().map { ":_ ".contains($0) ? "-" : $0 })
        }
        let plain = spelling(word)
        // `ollama:qwen3:4b` is one spelling of `qwen3-4b`.
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

    /// Judged by name and size alone; `verify` reads the file.
    public func status(of entry: CatalogEntry) -> ModelStatus {
        // The user's file comes first: it was put there on purpose.
        let present = userPath(of: entry)
        let shipped = shippedPath(of: entry)
        let presentSize = Self.size(present)
        let shippedSize = Self.size(shipped)
        if presentSize == entry.size { return .present(path: present) }
        if shippedSize == entry.size { return .shipped(path: shipped) }
        if let presentSize { return .damaged(path: present, bytes: presentSize) }
        if let shippedSize { return .damaged(path: shipped, bytes: shippedSize) }
        if let begun = Self.size(partPath(of: entry)), begun > 0 { return .partial(bytes: begun) }
        return .absent
    }

    /// What `--model` takes: what another program keeps (`ollama:qwen3:4b`), a path (it holds a `/` or ends in `.gguf`;
    /// the shell expands `~`), or else a name of the catalogue. Only names and sizes are looked at.
    ///
    /// Throws `.unavailable`.
    public func resolve(_ nameOrPath: String) throws(PulseError) -> ResolvedModel {
        if let (program, name) = OtherProgram.named(in: nameOrPath) { return resolved(try found(name, of: program)) }
        if Self.isPath(nameOrPath) { return try resolve(path: nameOrPath) }
        let entry = try entry(named: nameOrPath)
        let status = status(of: entry)
        if let path = status.path { return ResolvedModel(name: entry.name, path: path, entry: entry) }
        // The user has named it, and where it lies is no matter.
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

    /// Whether `resolve` takes it for a path.
    public static func isPath(_ nameOrPath: String) -> Bool {
        OtherProgram.named(in: nameOrPath) == nil && (nameOrPath.contains("/") || nameOrPath.hasSuffix(".gguf"))
    }

    // MARK: - Other programs

    /// Whether it names what another program keeps.
    public static func isReference(_ name: String) -> Bool { OtherProgram.named(in: name) != nil }

    /// A file that was downloaded, whole or not.
    public func downloadedPath(of entry: CatalogEntry) -> String? {
        Self.size(userPath(of: entry)).map { _ in userPath(of: entry) }
    }

    /// What another program keeps under a name. Throws `.unavailable`, with the nearest of its names.
    private func found(_ name: String, of program: OtherProgram) throws(PulseError) -> FoundModel {
        let kept = others.models().filter { $0.program == program }
        if let found = kept.first(where: { $0.name == name }) ?? kept.first(where: { $0.isNamed(name) }) {
            return found
        }
        let near = Self.suggestions(for: name, among: kept.map(\.name)).map { "\(program.rawValue):\($0)" }
        throw PulseError(
            .unavailable, "\(program.title) keeps no model named “\(printable(name))” on this machine.",
            hint: near.isEmpty
                ? "`pulse-digest models` lists what other programs keep here."
                : "Did you mean \(near.joined(separator: ", "))?")
    }

    /// The file as what the catalogue knows it as, where it does.
    public func resolved(_ found: FoundModel) -> ResolvedModel {
        let entry = manifest.models.first { found.isFile(of: $0, rememberedIn: cacheFolder) }
        return ResolvedModel(name: entry?.name ?? found.reference, path: found.path, entry: entry, found: found)
    }

    /// The files of a model of the catalogue that other programs keep.
    public func elsewhere(_ entry: CatalogEntry) -> [FoundModel] {
        others.models().filter { $0.isFile(of: entry, rememberedIn: cacheFolder) }
    }

    private func resolve(path: String) throws(PulseError) -> ResolvedModel {
        guard let stamp = FileStamp(path: path) else {
            throw PulseError(
                .unavailable, "There is no model file at \(path).",
                hint: manifest.models.first { $0.file == path }.map { "The catalogue calls that model \($0.name)." })
        }
        guard stamp.isRegular else { throw PulseError(.unavailable, "\(path) is not a file.") }
        let entry = manifest.models.first { entry in
            [userPath(of: entry), shippedPath(of: entry)].contains { place in
                FileStamp(path: place).map { $0.isSameFile(as: stamp) && $0.size == entry.size } ?? false
            }
        }
        let file = (path as NSString).lastPathComponent
        return ResolvedModel(
            name: entry?.name ?? (file.hasSuffix(".gguf") ? String(file.dropLast(5)) : file), path: path, entry: entry)
    }

    func userPath(of entry: CatalogEntry) -> String { "\(userFolder)/\(entry.file)" }

    func partPath(of entry: CatalogEntry) -> String { userPath(of: entry) + ".part" }

    private func shippedPath(of entry: CatalogEntry) -> String { "\(shippedFolder)/\(entry.file)" }

    private static func size(_ path: String) -> Int64? {
        FileStamp(path: path).flatMap { $0.isRegular ? $0.size : nil }
    }

    // MARK: - Reading files

    /// Compares a model's file with the catalogue's size and sha256, and returns its path.
    ///
    /// With `rehash` the file is read even if its hash is remembered. Throws `.unavailable` if the file is absent or
    /// another one, `.cannotRead` or `.interrupted`.
    public func verify(
        _ entry: CatalogEntry, rehash: Bool = false, progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async throws(PulseError) -> String {
        try await verify(resolve(entry.name), rehash: rehash, progress: progress)
    }

    /// The same for a file that the catalogue knows, or whose program names it by its sha256.
    public func verify(
        _ model: ResolvedModel, rehash: Bool = false, progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async throws(PulseError) -> String {
        guard let expected = model.entry?.sha256 ?? model.found?.sha256 else {
            throw PulseError(
                .unavailable, "No SHA-256 is known of \(model.path): the catalogue does not have that model.")
        }
        let sha256 = try await sha256(of: model, rehash: rehash, progress: progress)
        guard sha256 == expected else {
            throw PulseError(
                .unavailable,
                "\(model.path) is not the file the catalogue names: its sha256 begins with \(sha256.prefix(12)),"
                    + " not \(expected.prefix(12)).", hint: model.entry?.remedy)
        }
        return model.path
    }

    /// The sha256 of a model's file if it is remembered; nil if the file would have to be read.
    public func rememberedSHA256(of model: ResolvedModel) -> String? {
        Sidecar(of: model.path, in: cacheFolder).sha256
    }

    /// The sha256 of a model's file, as 64 lower-case hexadecimal digits. The file is read if its hash is not
    /// remembered, or with `rehash`.
    ///
    /// Throws `.cannotRead` or `.interrupted`.
    public func sha256(
        of model: ResolvedModel, rehash: Bool = false,
        progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async throws(PulseError) -> String {
        let cacheFolder = cacheFolder
        return try await BlockingThread.run(cancelledBy: .cancelled) { cancellation throws(PulseError) in
            let hash = FileHash(cacheFolder: cacheFolder, cancellation: cancellation) { bytes, total in
                progress(PullProgress(phase: .verifying, bytes: bytes, total: total))
            }
            return try rehash ? hash.computed(of: model.path) : hash.remembered(of: model.path)
        }
    }
}

/// Where a model of the catalogue stands on this machine, judged by names and sizes alone.
public enum ModelStatus: Sendable, Equatable {
    /// It came with the program.
    case shipped(path: String)
    /// It is in the user's models folder.
    case present(path: String)
    /// There is a file of its name with another size than the catalogue's.
    case damaged(path: String, bytes: Int64)
    /// A download was begun and not finished.
    case partial(bytes: Int64)
    case absent

    /// The whole file, as far as its size tells.
    public var path: String? {
        switch self {
        case .shipped(let path), .present(let path): path
        case .damaged, .partial, .absent: nil
        }
    }
}

/// What `--model` turned out to mean: a file to load, and what the catalogue knows about it.
public struct ResolvedModel: Sendable, Equatable {
    /// The catalogue's name, or the file's name without `.gguf`.
    public let name: String
    public let path: String
    /// nil for a file that the catalogue does not know.
    public let entry: CatalogEntry?
    /// Who keeps it, if that is another program.
    public var found: FoundModel?

    /// How strictly it is checked.
    ///
    /// - Parameter parameters: Those of its file, if they were counted.
    public func writerClass(parameters: Int64?) -> WriterClass {
        entry?.writerClass ?? WriterClass(parameters: parameters, errorRate: nil)
    }

    /// Tells the file from every other without opening it: its name, its size in bytes, and when it was last changed,
    /// in nanoseconds. nil if there is no file.
    public var fingerprint: String? {
        FileStamp(path: path).map { "\(name) \($0.size) \($0.modified)" }
    }
}

// MARK: - Choosing

extension Catalog {
    /// What a machine has for a model.
    public struct Machine: Sendable, Hashable {
        /// Bytes that are free; nil: not known.
        public let memory: UInt64?
        /// Physical cores that may compute.
        public let cores: Int

        public init(memory: UInt64?, cores: Int) {
            self.memory = memory
            self.cores = cores
        }

        /// Whether a model fits, by its size alone.
        public func holds(_ entry: CatalogEntry) -> Bool { memory.map { entry.memoryEstimate <= $0 } ?? true }
    }

    /// The model that writes if none is named: of those that were pulled and are worth it, the one that errs least by
    /// what is published, and fits. nil: none was pulled.
    public func best(on machine: Machine) -> ResolvedModel? {
        let models = manifest.models.compactMap { entry -> ResolvedModel? in
            guard entry.isWorthIt, let path = status(of: entry).path else { return nil }
            return ResolvedModel(name: entry.name, path: path, entry: entry)
        }
        let fitting = models.filter { $0.entry.map(machine.holds) ?? false }
        // One that does not fit by its size may do so all the same; the engine's plan knows.
        guard !fitting.isEmpty else { return models.min { $0.entry?.size ?? 0 < $1.entry?.size ?? 0 } }
        return fitting.min { $0.entry?.rank ?? .worst < $1.entry?.rank ?? .worst }
    }

    /// The one model of the catalogue that suits a machine best: it fits, a digest takes no longer than two minutes, and
    /// it errs least by what is published. Where none is as fast, the fastest. nil: none fits.
    public func recommended(on machine: Machine) -> CatalogEntry? {
        let fitting = manifest.models.filter { $0.isWorthIt && machine.holds($0) }
        let quick = fitting.filter { $0.digestEstimate(cores: machine.cores) <= 120 }
        guard !quick.isEmpty else { return fitting.min { $0.parameters < $1.parameters } }
        return quick.min { $0.rank < $1.rank }
    }
}

extension CatalogEntry {
    /// Fewer errors come first, and of two with as many the smaller model.
    struct Rank: Comparable {
        let percent: Double
        let size: Int64

        static let worst = Rank(percent: 100, size: .max)

        static func < (left: Rank, right: Rank) -> Bool { (left.percent, left.size) < (right.percent, right.size) }
    }

    var rank: Rank { Rank(percent: errors?.percent ?? 100, size: size) }

    /// About how many bytes of memory the engine needs: the weights, half of them again as llama.cpp rearranges them,
    /// and the cache. The plan of a file that is here is exact.
    public var memoryEstimate: UInt64 { UInt64(size) + UInt64(size) / 2 + 512 << 20 }

    /// About how many seconds a digest of 25 stories takes to write.
    public func digestEstimate(cores: Int) -> Double { Self.digestEstimate(parameters: parameters, cores: cores) }

    /// The same by a file's own number of parameters. On two cores 25 stories took 13.6 seconds with 135 million of
    /// them, and 49 to 58 with 1.24 billion (docs/performance.md): the line through these.
    public static func digestEstimate(parameters: Int64, cores: Int) -> Double {
        25 * (0.7 + 2.8 * Double(parameters) / 1e9) / Double(max(1, cores))
    }
}

extension PulseError {
    static let cancelled = PulseError(.interrupted, "Cancelled.", hint: "Run the command again to go on.")
}

/// Words from outside (a server, an address, the catalogue) made safe to print.
func printable(_ text: String) -> String { PlainText.line(text, limit: 200) }
