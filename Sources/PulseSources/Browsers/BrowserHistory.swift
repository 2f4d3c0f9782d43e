import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform
import PulseText

/// The schema of a browser family's history, and where to find it.
struct BrowserSchema: Sendable {
    /// The argument of `import`, and the origin of the articles.
    let name: String
    let program: String
    let summary: Message
    let details: Message
    /// The file's name in a profile's folder.
    let file: String
    /// The columns by which the database is recognised, by table.
    let columns: [String: Set<String>]
    /// Seconds from the database's epoch to 1970, to be added to its times.
    let epoch: Double
    /// The query for at most ?3 visits after time ?1 and id ?2, ordered by both. Columns: id, time in microseconds,
    /// URL, title, seconds in view (NULL: unknown), description, site name. Without reloads, downloads, frames and
    /// redirects.
    let visits: @Sendable (ReaderTables) -> String
    /// The query for visited URLs, their visit counts and titles.
    let pages: String
    var folders: @Sendable (ImportEnvironment) -> [String] = { _ in [] }
    /// The possible paths of the file below a folder that holds profiles, the likeliest first.
    var profiles: @Sendable (_ folder: String) -> [String] = { _ in [] }

    func isOurs(_ tables: [String: Set<String>]) -> Bool {
        columns.allSatisfy { $0.value.isSubset(of: tables[$0.key] ?? []) }
    }

    /// The database at a path: the file itself, that of a profile's folder, or that of the first profile of a folder of
    /// profiles.
    fileprivate func database(at path: String) throws -> String {
        guard FileStamp(path: path)?.isFolder == true else { return path }
        let files = [path + "/" + file] + profiles(path)
        if let found = files.first(where: { FileManager.default.fileExists(atPath: $0) }) { return found }
        throw PulseError(
            .noInput, "There is no profile of \(program) in \(PlainText.line(path, limit: 300)).",
            hint: "Name the folder of one: it holds a file \(file).")
    }

    /// The paths of `file` in the subfolders of `folder`: `Default` first, then by name, 10 after 9.
    static func profiles(in folder: String, holding file: String) -> [String] {
        ImportEnvironment.entries(of: folder)
            .filter { FileManager.default.fileExists(atPath: "\($0)/\(file)") }
            .sorted { left, right in
                let (first, second) = (left.hasSuffix("/Default"), right.hasSuffix("/Default"))
                return first == second ? left.localizedStandardCompare(right) == .orderedAscending : first
            }
            .map { "\($0)/\(file)" }
    }
}

extension SourceKind {
    static func browser(_ schema: BrowserSchema) -> SourceKind {
        SourceKind(
            name: schema.name, operands: "[PATH]", summary: schema.summary, details: schema.details,
            defaultPaths: { schema.folders($0).flatMap(schema.profiles) }, recognises: { schema.isOurs($0.tables) },
            open: { path, environment in try BrowserHistory(path: path, schema: schema, environment: environment) },
            isBrowser: true, folders: schema.folders)
    }
}

/// The pages of chosen sites that were read in a browser.
///
/// A visit counts as reading if the page was in view for ten seconds, which is also Feedbin's threshold, or if the time
/// in view is unknown. Front pages, searches and the like are not articles (`VisitedPages`).
final class BrowserHistory: ArticleSource {
    var origin: String { schema.name }
    var name: String { database.path }

    private let database: SourceDatabase
    private let schema: BrowserSchema
    private let hosts: [String]
    private let now: Date
    private let query: String
    private let batchSize: Int
    /// The time and the id of the previous batch's last visit.
    private var last: (time: Int64, id: Int64) = (.min, .min)
    /// The identities of the pages returned so far. A page counts once, at its first reading.
    private var pages: Set<String> = []
    /// The names that sites append to their page titles, by host; nil: not read yet.
    private var names: [String: Set<String>]?
    /// A host's sections: the words before the site's name in at least `fewestOfSection` titles, as in “| Business |
    /// Daily Herald”.
    private var sections: [String: Set<String>] = [:]
    private var visited = VisitedPages()

    private static let shortest = 10.0
    private static let (fewestOfSection, mostSectionWords) = (3, 2)

    /// - Parameter path: of the database or the profile's folder.
    init(path: String, schema: BrowserSchema, environment: ImportEnvironment, batchSize: Int = 5000) throws {
        database = try SourceDatabase(
            path: try schema.database(at: path), program: schema.program, busyTimeout: .seconds(1))
        let tables = try database.tables()
        guard schema.isOurs(tables) else { throw database.foreign(tables.keys) }
        self.schema = schema
        self.batchSize = batchSize
        now = environment.now
        query = schema.visits(ReaderTables(tables))
        hosts = environment.hosts.map { WebURL.host($0) ?? $0.trimmed.lowercased() }.filter { !$0.isEmpty }
        if hosts.isEmpty { throw try noHosts() }
    }

    func next(previousImport: Date?) throws -> ImportBatch? {
        if names == nil { names = try findSites() }
        let visits = try database.rows(
            query, [.integer(last.time), .integer(last.id), .integer(Int64(batchSize))]
        ) { row in
            Visit(
                id: row.integer(0) ?? 0, time: row.integer(1) ?? 0, url: row.text(2) ?? "", title: row.text(3) ?? "",
                seconds: row.real(4), description: row.text(5) ?? "", site: row.text(6)?.trimmed.nonEmpty)
        }
        guard let end = visits.last else { return nil }
        let repeats = zip(visits, visits.dropFirst()).count { ($0.time, $0.id) == ($1.time, $1.id) }
        guard last < (end.time, end.id), repeats < SourceDatabase.mostRepeats else { throw database.damage }
        last = (end.time, end.id)
        var batch = ImportBatch()
        for visit in visits {
            if let reason = add(visit, to: &batch) { batch.leftOut[reason, default: 0] += 1 }
        }
        return batch
    }

    private struct Visit {
        let id: Int64
        let time: Int64
        let url: String
        let title: String
        let seconds: Double?
        let description: String
        let site: String?
    }

    /// Adds the page of a visit, unless it was read before or is not a web page.
    /// - Returns: why the visit is left out; nil: it is not.
    private func add(_ visit: Visit, to batch: inout ImportBatch) -> LeftOut? {
        guard let url = WebURL.canonical(visit.url), let identity = WebURL.identity(url), let host = WebURL.host(url)
        else { return nil }
        guard WebURL.isHost(host, in: hosts) else { return .otherSites }
        guard visited.isArticle(url), names?[host]?.contains(visit.title.trimmed) != true else { return .noArticles }
        if let seconds = visit.seconds, seconds < Self.shortest {
            return pages.contains(identity) ? nil : .notSeenLong
        }
        let time = Date(timeIntervalSince1970: Double(visit.time) / 1e6 + schema.epoch)
        guard let readAt = SourceTime.plausible(time, now: now) else { return .noTime }
        guard pages.insert(identity).inserted else { return nil }
        let (title, site) = Self.parts(of: visit.title)
        let isName =
            site.map { site in
                names?[host]?.contains(site) == true || VisitedPages.isName(site, of: host)
                    || visit.site.map { Words.name($0) == Words.name(site) } == true
            } ?? false
        let draft = ArticleDraft(
            listed: url, title: isName ? headline(title, of: host) : visit.title, summary: visit.description,
            source: visit.site ?? (isName ? site : nil))
        batch.add(listed: draft, readAt: min(readAt, now), isExact: true, origin: origin)
        return nil
    }

    /// The title without the site's section behind it.
    private func headline(_ title: String, of host: String) -> String {
        guard let section = Self.section(of: title), sections[host]?.contains(section) == true else { return title }
        return Self.parts(of: title).title
    }

    /// What may be a section at the end of a title without the site's name.
    private static func section(of title: String) -> String? {
        guard let section = parts(of: title).site, title.hasSuffix(" | " + section),
            section.first?.isLowercase == false, section.split(separator: " ").count <= mostSectionWords
        else { return nil }
        return section
    }

    /// Splits a window title at its last separator into title and site name; nil: there is none.
    private static func parts(of window: String) -> (title: String, site: String?) {
        let last = PageTitle.separators.compactMap { window.range(of: $0, options: .backwards) }
            .max { $0.lowerBound < $1.lowerBound }
        guard let last, let title = String(window[..<last.lowerBound]).trimmed.nonEmpty,
            let site = String(window[last.upperBound...]).trimmed.nonEmpty
        else { return (window, nil) }
        return (title, site)
    }

    /// Finds the names of sites, by host: the last parts of titles that fit the host (`VisitedPages.isName`), else the
    /// one that over three quarters of the site's articles share; a part that fewer share, such as “| Opinion”, is a
    /// section. Safari's list of pages has no titles.
    private func findSites() throws -> [String: Set<String>] {
        let pages = try database.rows(schema.pages) { ($0.text(0) ?? "", $0.text(2) ?? "") }
        var windows: [String: Set<String>] = [:]
        var names: [String: Set<String>] = [:]
        for (url, window) in pages {
            guard let host = WebURL.host(url), WebURL.isHost(host, in: hosts) else { continue }
            visited.add(url)
            if VisitedPages.looksLikeArticle(url) { windows[host, default: []].insert(window) }
            if let site = Self.parts(of: window).site, VisitedPages.isName(site, of: host) {
                names[host, default: []].insert(site)
            }
        }
        for (host, windows) in windows where names[host] == nil {
            let counts = windows.compactMap { Self.parts(of: $0).site }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            let shared = counts.first { site, count in
                count > 1 && 4 * count > 3 * windows.count && site.first?.isLowercase == false
            }
            names[host] = shared.map { [$0.key] }
        }
        for (host, windows) in windows {
            let titles = windows.map(Self.parts).filter { $0.site.map { names[host]?.contains($0) == true } ?? false }
            let counts = titles.compactMap { Self.section(of: $0.title) }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            sections[host] = Set(counts.filter { $0.value >= Self.fewestOfSection }.keys)
        }
        return names
    }

    /// The user must name the sites: importing a whole history would be a surprise.
    private func noHosts() throws -> PulseError {
        var counts: [String: (articles: Int, visits: Int)] = [:]
        let pages = try database.rows(schema.pages) { ($0.text(0) ?? "", Int($0.integer(1) ?? 0)) }
        for (url, count) in pages {
            guard var host = WebURL.host(url) else { continue }
            if host.hasPrefix("www.") { host.removeFirst(4) }
            // The counts are the file's, and so are untrusted.
            counts[host, default: (0, 0)].visits &+= count
            if VisitedPages.looksLikeArticle(url) { counts[host, default: (0, 0)].articles += 1 }
        }
        // Sorted by articles first: search engines, mail and shops have the most visits.
        let most = counts.sorted {
            ($1.value.articles, $1.value.visits, $0.key) < ($0.value.articles, $0.value.visits, $1.key)
        }.prefix(10).map { "\($0.key.excerpt) (\($0.value.visits))" }.joined(separator: ", ")
        return PulseError(
            .usage,
            most.isEmpty
                ? "\(name) holds no visited web pages."
                : "Of \(schema.program)'s history only sites that you name are read. Visited, news first: \(most).",
            hint: "To import those that you read: --host news.example, once for each")
    }
}
