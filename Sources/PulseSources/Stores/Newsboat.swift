import Foundation
import PulseCore

extension FeedReaderDatabase {
    /// https://newsboat.org
    static let newsboat = FeedReaderDatabase(
        name: "newsboat", program: "newsboat", summary: "newsboat's cache.db",
        details: """
            Without a path it is looked for where newsboat keeps it. newsboat keeps no reading times: articles of
            the first import count as read when they were published, and are marked as an estimate; after that, as read when
            an import first finds them read.
            """,
        defaultPaths: { NewsboatFiles.candidates(in: $0).map(\.cache) }, files: ["cache.db"],
        isOurs: {
            $0.has("rss_item", "id", "guid", "title", "author", "url", "feedurl", "pubDate", "content", "unread")
                && $0.has("rss_feed", "rssurl", "title")
        },
        schemas: { _, tables in
            // `content_mime_type` exists since 2.22. newsbeuter, newsboat's predecessor, has no `deleted`.
            let isKept = tables.has("rss_item", "deleted") ? "item.deleted = 0" : "1"
            return [
                ReaderSchema(
                    tables: "rss_item AS item LEFT JOIN rss_feed AS feed ON feed.rssurl = item.feedurl",
                    rowID: "item.id", isKept: isKept, isRead: "item.unread = 0",
                    // Flags are letters that the user defines; each marks an item for later.
                    isStarred: tables.has("rss_item", "flags") ? "coalesce(item.flags, '') <> ''" : "0",
                    guid: "item.guid", feed: "item.feedurl", url: "item.url", title: "item.title",
                    content: "item.content", contentType: tables.optional("rss_item", "content_mime_type", as: "item"),
                    author: "item.author", source: "feed.title", publishedAt: "item.pubDate")
            ]
        },
        // The tags in the file `urls` become categories; the one beside the cache is tried first.
        feeds: { path, environment in
            let beside = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("urls").path
            let urls = [beside] + NewsboatFiles.candidates(in: environment).map(\.urls)
            guard let found = urls.first(where: FileManager.default.fileExists(atPath:)) else { return [:] }
            return try NewsboatFiles.categories(urls: found).mapValues { ReaderFeed(category: $0) }
        })
}

/// The paths of newsboat's files (newsboat(1), "FILES").
struct NewsboatFiles {
    let cache: String
    /// The file of feeds and their tags.
    let urls: String

    /// The possible paths, the likeliest first: newsboat prefers the XDG folders.
    static func candidates(in environment: ImportEnvironment) -> [NewsboatFiles] {
        let homes = [environment.home] + environment.sandboxes.filter { $0.contains("newsboat") }
        let config = environment.folder("XDG_CONFIG_HOME", or: ".config")
        return environment.dataFolders(of: "newsboat").map {
            NewsboatFiles(cache: $0 + "/newsboat/cache.db", urls: config + "/newsboat/urls")
        } + homes.map { NewsboatFiles(cache: $0 + "/.newsboat/cache.db", urls: $0 + "/.newsboat/urls") }
    }

    /// The category of each feed in a `urls` file: the first tag that is one of Pulse's categories, else the first tag.
    /// A line is a feed's URL and its tags, quoted if they contain spaces (newsboat(1), "Tagging").
    static func categories(urls path: String) throws -> [String: String] {
        var reader = try LineReader(path: path)
        var categories: [String: String] = [:]
        while let line = try reader.next() {
            let words = words(String(decoding: line.bytes, as: UTF8.self))
            guard let feed = words.first, !feed.hasPrefix("#") else { continue }
            // "~Title" renames a feed and "!" hides it.
            let tags = words.dropFirst().filter { !$0.hasPrefix("~") && !$0.hasPrefix("!") }
            categories[feed] = tags.first { PulseCore.Category.known.contains(PulseCore.Category($0)) } ?? tags.first
        }
        return categories
    }

    /// Splits at white space outside of double quotes. A backslash escapes the next character.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        var isEscaped = false
        for character in line {
            if isEscaped {
                word.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character.isWhitespace, !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}
