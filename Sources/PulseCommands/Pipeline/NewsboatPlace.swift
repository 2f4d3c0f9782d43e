import Foundation

/// Where newsboat keeps its cache, and its list of feeds, whose tags tell the categories.
struct NewsboatPlace {
    let cache: String
    /// nil where there is none beside it.
    let urls: String?

    /// - Parameter path: The cache, where the user named it. Else newsboat's own order: `~/.newsboat` where that
    ///   exists, and the XDG folders otherwise (newsboat's manual, "Files").
    init(_ path: String?, environment: [String: String]) throws(Failure) {
        let home = environment["HOME"] ?? NSHomeDirectory()
        let data = environment["XDG_DATA_HOME"] ?? home + "/.local/share"
        let configuration = environment["XDG_CONFIG_HOME"] ?? home + "/.config"
        let exists = FileManager.default.fileExists(atPath:)
        if let path {
            cache = path
            let beside = (path as NSString).deletingLastPathComponent
            urls = [beside.isEmpty ? "urls" : beside + "/urls", configuration + "/newsboat/urls"].first(where: exists)
            return
        }
        let places = [
            (home + "/.newsboat/cache.db", home + "/.newsboat/urls"),
            (data + "/newsboat/cache.db", configuration + "/newsboat/urls"),
        ]
        guard let place = places.first(where: { exists($0.0) }) else {
            throw Failure(
                .noInput,
                "newsboat's cache is neither at \(places[0].0) nor at \(places[1].0). Name it: pulse-digest import newsboat PATH"
            )
        }
        cache = place.0
        urls = exists(place.1) ? place.1 : nil
    }
}
