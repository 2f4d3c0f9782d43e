import PulseRendering

/// What has been kept to save time, and the models that were fetched: how much of the disk they take.
struct CacheCheck: Check {
    let context: Context

    func findings() async -> [Finding] {
        [("cache", context.locations.cache), ("models", context.locations.models)].map { subject, folder in
            let size = FileSizes.size(ofFolder: folder)
            return .ok(subject, "\(folder): \(size == 0 ? "empty" : ModelText.size(size))")
        }
    }
}
