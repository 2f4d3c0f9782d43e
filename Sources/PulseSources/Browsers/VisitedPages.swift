import Foundation
import PulseText

/// Tells by the addresses of visited pages which are articles, and which are front pages, searches, logins or videos.
struct VisitedPages {
    /// The folders of visited pages: `site.example/world` if `/world/a-long-slug` was visited.
    private var folders: Set<String> = []
    /// The hosts with a visited page that looks like an article.
    private var hosts: Set<String> = []

    private static let mostFolders = 8
    private static let mostNameWords = 6

    mutating func add(_ address: String) {
        guard Self.looksLikeArticle(address), let url = WebURL.canonical(address), let host = WebURL.host(url) else {
            return
        }
        hosts.insert(host)
        var folder = Self.location(url)
        for _ in 0..<Self.mostFolders {
            guard let slash = folder.lastIndex(of: "/") else { break }
            folder = folder[..<slash]
            // Its parents are known, too.
            guard folders.insert(String(folder)).inserted else { break }
        }
    }

    /// - Parameter url: Canonical, and of a web page.
    func isArticle(_ url: String) -> Bool {
        let location = Self.location(url)
        let parts = Self.parts(of: location)
        guard !parts.isEmpty, !parts.contains(where: Self.isOne(of: Self.others)) else { return false }
        // “/topics/why-the-bridge-was-closed” may be an article; “/topics/bridges” is a list.
        if Self.endsLong(parts) { return true }
        if folders.contains(String(location)) || parts.contains(where: Self.isOne(of: Self.listings)) { return false }
        // “/world/europe”, on a site whose articles have longer names.
        let isPlain = !url.contains("?") && parts.allSatisfy { $0.allSatisfy { $0.isLetter } }
        return !(isPlain && WebURL.host(url).map(hosts.contains) == true)
    }

    /// Whether the path looks like an article's: it ends in a slug of several words, or is below a year.
    static func looksLikeArticle(_ address: String) -> Bool {
        guard let url = WebURL.canonical(address), !WebURL.isFrontPage(url) else { return false }
        let parts = parts(of: location(url))
        guard !parts.contains(where: isOne(of: others)) else { return false }
        return parts.dropLast().contains { $0.wholeMatch(of: /(19|20)\d\d/) != nil } || endsLong(parts)
    }

    /// Whether a name is that of the site at a host: “The New York Times” of `www.nytimes.com`, “BBC News” of
    /// `bbc.co.uk`. The host contains the name, or the part of it that names the site consists of the words of the name
    /// or their initials.
    static func isName(_ name: String, of host: String) -> Bool {
        let isCapitalised = name.split(separator: " ").allSatisfy { $0.first?.isLowercase == false }
        let all = Words.all(in: Words.folded(name))
        let words = all.filter { !common.contains($0) }
        guard !words.isEmpty, all.count <= mostNameWords else { return false }
        let letters = host.filter { $0.isLetter || $0.isNumber }
        if [all, words].map({ $0.joined() }).contains(where: { $0.count > 3 && letters.contains($0) }) { return true }
        let labels = host.split(separator: ".").dropLast().map { $0.filter { $0 != "-" } }
        if labels.contains(words.joined()) { return true }
        // Of `news.site.co.uk`, `site`.
        guard isCapitalised, let label = labels.last(where: { !registries.contains($0) }) else { return false }
        return [all, words].contains { words in
            let rests = words.reduce(into: Set([label[...]])) { rests, word in
                rests = Set(
                    rests.flatMap { rest in
                        [word[...], word.prefix(1)].filter { rest.hasPrefix($0) }.map { rest.dropFirst($0.count) }
                    })
            }
            return words.count > 1 && rests.contains("")
        }
    }

    // MARK: - Addresses

    /// Host and path, without the slash at the end.
    private static func location(_ url: String) -> Substring {
        var rest = url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...].prefix { $0 != "?" && $0 != "#" }
        while rest.last == "/" { rest.removeLast() }
        return rest
    }

    /// The path's parts, decoded: browsers store “í” as `%C3%AD`.
    private static func parts(of location: Substring) -> [String] {
        location.split(separator: "/").dropFirst().map { $0.removingPercentEncoding ?? String($0) }
    }

    /// Whether it ends in a slug of several words, perhaps followed by a number.
    private static func endsLong(_ parts: [String]) -> Bool {
        parts.suffix(2).contains { $0.split { $0 == "-" || $0 == "_" }.count > 3 }
    }

    /// Whether a part of a path, without an extension such as `.html`, is one of the words.
    private static func isOne(of words: Set<String>) -> (String) -> Bool {
        { words.contains(Words.folded(String($0.prefix { $0 != "." }))) }
    }

    private static let lists = EmbeddedLists.words(PackageResources.address_words_txt)
    private static let others = lists["others", default: []]
    private static let listings = lists["listings", default: []]
    private static let common = lists["common", default: []]
    private static let registries = lists["registries", default: []]
}
