import Foundation
import PulseSources

/// Which of newsboat's files are meant.
struct NewsboatPlace {
    let cache: String
    /// The list of feeds, whose tags tell the categories; nil where there is none.
    let urls: String?

    /// - Parameter path: The cache, where the user named it; nil to look where newsboat keeps it.
    init(_ path: String?, environment: [String: String]) throws(Failure) {
        let home = Locations.home(in: environment)
        let candidates = NewsboatFiles.candidates(home: home, environment: environment)
        let exists = FileManager.default.fileExists(atPath:)
        if let path {
            cache = path
            let beside = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("urls").path
            urls = ([beside] + candidates.map(\.urls)).first(where: exists)
            return
        }
        guard let files = candidates.first(where: { exists($0.cache) }) else {
            throw Failure(
                .noInput,
                "newsboat's cache is neither at \(candidates.map(\.cache).joined(separator: " nor at ")). "
                    + "Name it: pulse-digest import newsboat PATH")
        }
        cache = files.cache
        urls = exists(files.urls) ? files.urls : nil
    }
}
