/// Reading models' files to tell whether they are what the catalogue says.
extension Catalog {
    /// Compares a model's file with the catalogue's size and sha256, and returns its path.
    ///
    /// With `rehash` the file is read even where its sidecar remembers the answer. Throws `.absent`, `.mismatch`,
    /// `.cannotRead` or `.cancelled`.
    public func verify(
        _ entry: CatalogEntry, rehash: Bool = false, progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async throws(ModelError) -> String {
        let path = try resolve(entry.name).path
        let sha256 = try await sha256(of: path, rehash: rehash, progress: progress)
        guard sha256 == entry.sha256 else {
            throw ModelError(
                .mismatch,
                "\(path) is not the file the catalogue names: its sha256 begins with \(sha256.prefix(12)),"
                    + " not \(entry.sha256.prefix(12)). \(entry.remedy)")
        }
        return path
    }

    /// The sha256 of a model's file where its sidecar has it; nil where the file would have to be read.
    public func rememberedSHA256(of model: ResolvedModel) -> String? {
        FileStamp(path: model.path).flatMap {
            Sidecar.remembered(for: model.path, stamp: $0, cacheFolder: cacheFolder)
        }
    }

    /// The sha256 of a model's file, as 64 lower-case hexadecimal digits, from its sidecar where that still holds.
    ///
    /// Throws `.cannotRead` or `.cancelled`.
    public func sha256(
        of model: ResolvedModel, progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async throws(ModelError) -> String {
        try await sha256(of: model.path, rehash: false, progress: progress)
    }

    private func sha256(
        of path: String, rehash: Bool, progress: @escaping @Sendable (PullProgress) -> Void
    ) async throws(ModelError) -> String {
        let cacheFolder = cacheFolder
        return try await BlockingThread.run { cancellation throws(ModelError) in
            let hash = FileHash(cacheFolder: cacheFolder, cancellation: cancellation) { bytes, total in
                progress(PullProgress(.verifying, bytes: bytes, total: total))
            }
            return try rehash ? hash.computed(of: path) : hash.remembered(of: path)
        }
    }
}
