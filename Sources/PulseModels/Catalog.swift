import Foundation
public import PulseCore
import PulseSystem
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

    public init(manifest: Manifest, shippedFolder: String, userFolder: String, cacheFolder: String) {
        self.manifest = manifest
        self.shippedFolder = shippedFolder
        self.userFolder = userFolder
        self.cacheFolder = cacheFolder
    }

    /// Throws `.unavailable`, with the nearest name there is.
    public func entry(named name: String) throws(PulseError) -> CatalogEntry {
        if let entry = manifest.models.first(where: { $0.name == name }) { return entry }
        let names = manifest.models.map(\.name)
        let near: Message =
            Self.suggestion(for: name, among: names).map { "Did you mean \($0)?" }
            ?? "The catalogue has \(names.joined(separator: ", "))."
        throw PulseError(
            .unavailable, "There is no model named “\(printable(name))”.",
            hint: [near, " A model of your own: --model PATH takes a GGUF file."].joined())
    }

    /// The model that somebody probably meant: one whose name contains the word, since those names are long and people
    /// know a part of them, or else the one with the nearest spelling. nil if nothing is near.
    static func suggestion(for word: String, among names: [String]) -> String? {
        let word = word.lowercased()
        if word.count >= 3, let containing = names.first(where: { $0.lowercased().contains(word) }) {
            return containing
        }
        return EditDistance.nearest(to: word, among: names)
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

    /// Deletes what was downloaded of a model, whole or in part.
    /// - Returns: whether there was anything.
    public func remove(_ entry: CatalogEntry) throws(PulseError) -> Bool {
        let files = [userPath(of: entry), partPath(of: entry)].filter { Self.size($0) != nil }
        for file in files { try WholeFile.remove(file) }
        return !files.isEmpty
    }

    /// What `--model` takes: a path (it holds a `/` or ends in `.gguf`; the shell expands `~`), or else a name of the
    /// catalogue. Only names and sizes are looked at.
    ///
    /// Throws `.unavailable`.
    public func resolve(_ nameOrPath: String) throws(PulseError) -> ResolvedModel {
        if Self.isPath(nameOrPath) { return try resolve(path: nameOrPath) }
        let entry = try entry(named: nameOrPath)
        switch status(of: entry) {
        case .shipped(let path), .present(let path):
            return ResolvedModel(name: entry.name, path: path, entry: entry)
        case .damaged(let path, let bytes):
            throw PulseError(
                .unavailable, "\(path) has \(bytes) bytes where \(entry.size) are expected.", hint: entry.remedy)
        case .partial(let bytes):
            let percent = bytes * 100 / entry.size
            throw PulseError(
                .unavailable, "Only \(percent)% of the model \(entry.name) is downloaded.", hint: entry.remedy)
        case .absent:
            throw PulseError(.unavailable, "The model \(entry.name) is not on this machine.", hint: entry.remedy)
        }
    }

    /// Whether `resolve` takes it for a path.
    public static func isPath(_ nameOrPath: String) -> Bool {
        nameOrPath.contains("/") || nameOrPath.hasSuffix(".gguf")
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
        let model = try resolve(entry.name)
        let sha256 = try await sha256(of: model, rehash: rehash, progress: progress)
        guard sha256 == entry.sha256 else {
            throw PulseError(
                .unavailable,
                "\(model.path) is not the file the catalogue names: its sha256 begins with \(sha256.prefix(12)),"
                    + " not \(entry.sha256.prefix(12)).", hint: entry.remedy)
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
}

/// What `--model` turned out to mean: a file to load, and what the catalogue knows about it.
public struct ResolvedModel: Sendable, Equatable {
    /// The catalogue's name, or the file's name without `.gguf`.
    public let name: String
    public let path: String
    /// nil for a file of the user's own.
    public let entry: CatalogEntry?

    /// Tells the file from every other without opening it: its name, its size in bytes, and when it was last changed,
    /// in nanoseconds. nil if there is no file.
    public var fingerprint: String? {
        FileStamp(path: path).map { "\(name) \($0.size) \($0.modified)" }
    }
}

extension PulseError {
    static let cancelled = PulseError(.interrupted, "Cancelled.", hint: "Run the command again to go on.")
}

/// Words from outside (a server, an address, the catalogue) made safe to print.
func printable(_ text: String) -> String { PlainText.line(text, limit: 200) }
