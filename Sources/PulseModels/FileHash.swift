import CCrypto
import Foundation
import PulseCore
import PulsePlatform
import PulseText

/// Computes the SHA-256 of a file, or reads it from a cache.
struct FileHash {
    let cacheFolder: String
    let cancellation: Cancellation
    /// Called once per mebibyte with the bytes hashed so far and the file's size.
    let progress: (Int64, Int64) -> Void

    /// The cached hash, else `computed(of:)`.
    func remembered(of path: String) throws -> String {
        if let sha256 = Sidecar(of: path, in: cacheFolder).sha256 { return sha256 }
        return try computed(of: path)
    }

    /// Reads the whole file and caches its hash.
    func computed(of path: String) throws -> String {
        let file = try OpenFile(reading: path)
        let sha256 = try hash(file)
        Sidecar(of: path, in: cacheFolder).remember(sha256, stamp: try file.stamp())
        return sha256
    }

    /// Reads the whole file without caching its hash.
    ///
    /// Throws `.cannotRead`, also if the file changes meanwhile, and what `cancellation` throws.
    func hash(_ file: borrowing OpenFile) throws -> String {
        let stamp = try file.stamp()
        let hash = try SHA256()
        try file.forEachChunk { bytes, end in
            try cancellation.check()
            try hash.update(bytes)
            progress(end, stamp.size)
        }
        guard try file.stamp() == stamp else {
            throw PulseError(
                .cannotRead, "\(file.path) was changed while it was being read.",
                hint: "Try again when nothing writes to it.")
        }
        return try hash.finish()
    }
}

/// A cached SHA-256 of a large file, in a small file of its own.
///
/// It is valid while the large file's size and modification time stay the same. It protects from accidents and not from
/// attacks: whoever can write to this folder can probably write to the model too.
struct Sidecar {
    private let path: String
    private let file: String

    private struct Contents: Codable {
        let size: Int64
        /// Nanoseconds since 1970.
        let mtime: Int64
        let sha256: String
    }

    init(of path: String, in folder: String) {
        let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
        self.path = path
        // The hash of the path distinguishes files of the same name.
        let key = Hexadecimal.text(of: FNV1a.hash(of: absolute.utf8))
        file = "\(folder)/\(key)-\((absolute as NSString).lastPathComponent).sha256.json"
    }

    /// The hash if it is valid. A damaged sidecar counts as missing.
    var sha256: String? {
        guard let stamp = FileStamp(path: path), let data = FileManager.default.contents(atPath: file),
            let contents = try? JSONDecoder().decode(Contents.self, from: data),
            contents.size == stamp.size, contents.mtime == stamp.modified, contents.sha256.utf8.count == 64
        else { return nil }
        return contents.sha256
    }

    func forget() { unlink(file) }

    /// A failure to write only costs time later, so it is no error.
    func remember(_ sha256: String, stamp: FileStamp) {
        let contents = Contents(size: stamp.size, mtime: stamp.modified, sha256: sha256)
        try? AtomicFile.restore(try JSONEncoder().encode(contents), to: file, mode: 0o644)
    }
}

/// Computes a SHA-256 (FIPS 180-4). Owns a digest context of libcrypto.
struct SHA256: ~Copyable {
    private let context: OpaquePointer

    init() throws {
        guard let context = EVP_MD_CTX_new() else { throw Self.failure }
        // EVP_DigestInit(3): "Returns 1 for success and 0 for failure", as all of them do.
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw Self.failure
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) throws {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else { throw Self.failure }
    }

    /// The digest of all updates, as 64 lower-case hexadecimal digits.
    consuming func finish() throws -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        // "After calling EVP_DigestFinal_ex() no additional calls to EVP_DigestUpdate() can be made": hence consuming.
        guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw Self.failure }
        return Hexadecimal.text(of: digest)
    }

    /// Whether the text is a hash: 64 lower-case hexadecimal digits.
    static func isText(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    private static var failure: PulseError {
        PulseError(
            .cannotRead, "The system's libcrypto cannot compute SHA-256, so no model can be verified here.",
            hint: "Reinstall OpenSSL.", cause: "EVP_sha256")
    }
}

extension ModelCatalog {
    /// Checks a model's file against the size and the SHA-256 in the catalogue, and returns its path.
    ///
    /// With `rehash`, the file is read even if its hash is cached. Throws `.unavailable` (a missing or different file),
    /// `.cannotRead`, `.interrupted`.
    public func verify(
        _ entry: ModelCatalogEntry, rehash: Bool = false,
        progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async throws -> String {
        try await verify(resolve(entry.name), rehash: rehash, progress: progress)
    }

    /// The same for any file whose SHA-256 the catalogue or the storing program has.
    public func verify(
        _ model: ResolvedModel, rehash: Bool = false, progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async throws -> String {
        if let base = model.entry?.base { _ = try await verify(entry(named: base), rehash: rehash, progress: progress) }
        guard let expected = model.entry?.sha256 ?? model.found?.sha256 else {
            throw PulseError(
                .unavailable, "No SHA-256 is known of \(model.path): the catalogue does not have that model.")
        }
        let sha256 = try await model.sha256(in: cacheFolder, rehash: rehash, progress: progress)
        guard sha256 == expected else {
            throw PulseError(
                .unavailable,
                "\(model.ownFile) is not the file the catalogue names: its sha256 begins with \(sha256.prefix(12)),"
                    + " not \(expected.prefix(12)).", hint: model.entry?.remedy)
        }
        return model.ownFile
    }
}

extension ResolvedModel {
    /// The cached SHA-256; nil if the file would have to be read. `cacheFolder` is that of `ModelCatalog`.
    public func rememberedSHA256(in cacheFolder: String) -> String? { Sidecar(of: ownFile, in: cacheFolder).sha256 }

    /// The SHA-256, as 64 lower-case hexadecimal digits. The file is read if its hash is not cached, or with `rehash`.
    ///
    /// Throws `.cannotRead` or `.interrupted`.
    public func sha256(
        in cacheFolder: String, rehash: Bool = false, progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async throws -> String {
        let file = ownFile
        return try await BlockingThread.run(cancelledBy: .cancelled) { cancellation in
            let hash = FileHash(cacheFolder: cacheFolder, cancellation: cancellation) { bytes, total in
                progress(PullProgress(phase: .verifying, bytes: bytes, total: total))
            }
            return try rehash ? hash.computed(of: file) : hash.remembered(of: file)
        }
    }
}
