/// Where newsboat keeps its files (newsboat(1), "FILES").
public struct NewsboatFiles: Sendable, Hashable {
    public let cache: String
    /// The list of feeds and their tags.
    public let urls: String

    /// The places to look in, the likeliest first: the XDG folders, which newsboat takes where it finds them, then
    /// the dotted folder.
    public static func candidates(home: String, environment: [String: String]) -> [NewsboatFiles] {
        // XDG Base Directory Specification: a path that is not absolute is to be ignored.
        func folder(_ name: String, or standard: String) -> String {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + standard
        }
        return [
            NewsboatFiles(
                cache: folder("XDG_DATA_HOME", or: "/.local/share") + "/newsboat/cache.db",
                urls: folder("XDG_CONFIG_HOME", or: "/.config") + "/newsboat/urls"),
            NewsboatFiles(cache: home + "/.newsboat/cache.db", urls: home + "/.newsboat/urls"),
        ]
    }
}
