import Foundation
package import PulseCore
package import PulseSources
import PulseStore

/// What can be imported without a path: the readers on this machine, and the accounts that were set up.
package struct ImportSources: Sendable {
    private let importer: Importer
    private var app: AppEnvironment { importer.app }

    package init(_ importer: Importer) { self.importer = importer }

    package struct Candidate {
        /// Its name in reports.
        package let name: String
        package let kind: SourceKind?
        /// Opens it anew, since a source can be read only once.
        package let open: () throws -> any ArticleSource
        /// Whether it was imported before or set up, and so needs no confirmation.
        package let isKnown: Bool
    }

    /// - Parameter isDryRun: Whether nothing is going to be stored.
    package func all(isDryRun: Bool = false) throws -> [Candidate] { try readers() + accounts(isDryRun: isDryRun) }

    package var browsers: [SourceFinder.Found] {
        SourceFinder.all(in: importer.environment, withBrowsers: true).filter(\.kind.isBrowser)
    }

    /// Silently imports what was imported before or set up, for a run that nobody watches.
    ///
    /// - Parameter withAccounts: Whether servers are asked, too; local sources take a moment only.
    /// - Returns: The errors of those that failed.
    package func importKnown(withAccounts: Bool = true) async throws -> [PulseError] {
        let importer = Importer(in: app, settings: importer.settings, reporter: importer.reporter.quiet)
        var faults: [PulseError] = []
        var candidates: [Candidate] = []
        do { candidates += try readers() } catch { faults.append(error.asPulseError) }
        if withAccounts {
            do { candidates += try accounts() } catch { faults.append(error.asPulseError) }
        }
        for candidate in candidates where candidate.isKnown {
            do {
                let (tally, texts) = try await importer.run(try candidate.open(), of: candidate.kind)
                if var texts, texts.isAgreed == true {
                    // It may take a minute, which is shown on a terminal.
                    texts.reporter = self.importer.reporter
                    if let fault = await texts.fetch().1 { throw fault }
                }
                if let fault = tally.fault(isStored: true) { throw fault }
            } catch let error as PulseError where error.code != .interrupted {
                faults.append(
                    PulseError(
                        error.code, "\(candidate.name) was not imported: \(error.message)", hint: error.hint,
                        cause: "\(candidate.name): \(error.reason)"))
            }
        }
        return faults
    }

    private func readers() throws -> [Candidate] {
        let environment = importer.environment
        let known = app.history.exists ? try app.history.open().origins() : []
        let found = SourceFinder.all(in: environment, withBrowsers: !importer.settings.hosts.isEmpty)
        return found.map { found in
            Candidate(
                name: "\(found.kind.name) (\(found.path))", kind: found.kind,
                open: { try found.kind.source(at: found.path, in: environment) },
                isKnown: known.contains(found.kind.origin(at: found.path)))
        } + knownBrowsers(known)
    }

    /// The browsers whose sites were named in an earlier import, if none are named now.
    private func knownBrowsers(_ known: Set<String>) -> [Candidate] {
        guard importer.settings.hosts.isEmpty else { return [] }
        return BrowserSites.all(in: app).compactMap { sites in
            guard let kind = sites.kind, FileManager.default.fileExists(atPath: sites.path) else { return nil }
            return Candidate(
                name: "\(kind.name) (\(sites.path))", kind: kind,
                open: { try importer.source(of: sites, kind) },
                isKnown: known.contains(kind.origin(at: sites.path)))
        }
    }

    private func accounts(isDryRun: Bool = false) throws -> [Candidate] {
        try Accounts(in: app).all().map { account in
            Candidate(
                name: account.origin, kind: nil,
                open: { try account.source(in: app, isForgetful: isDryRun) }, isKnown: true)
        }
    }
}

/// The sites of a browser that an earlier import named, for imports that name none. Each history has its own.
struct BrowserSites: Codable, Hashable {
    /// The name of its `SourceKind`.
    let browser: String
    /// Of its database.
    let path: String
    let hosts: [String]
    /// Whether texts are fetched from the sites; nil: not decided yet.
    var fetches: Bool?

    private static let name = "sites.json"

    /// The sites of this history; none if they cannot be read.
    static func all(in app: AppEnvironment) -> [BrowserSites] { every(in: app)[app.history.identity] ?? [] }

    /// The sites of a browser, at its database or a folder above it; nil: at any path.
    static func find(_ kind: SourceKind, at path: String?, in app: AppEnvironment) -> BrowserSites? {
        let path = path.map(absolute)
        return all(in: app).first { known in
            known.browser == kind.name && (path.map { known.path == $0 || known.path.hasPrefix($0 + "/") } ?? true)
        }
    }

    /// New sites of a database replace the earlier ones.
    ///
    /// - Parameters:
    ///   - hosts: Empty: those that are known.
    ///   - fetches: Nil: as it was.
    /// - Returns: The earlier sites, if they have changed.
    @discardableResult static func remember(
        _ hosts: [String], fetches: Bool?, of kind: SourceKind, at path: String, in app: AppEnvironment
    ) throws -> [String]? {
        let known = find(kind, at: path, in: app)
        let new = BrowserSites(
            browser: kind.name, path: absolute(path), hosts: hosts.isEmpty ? known?.hosts ?? [] : hosts,
            fetches: fetches ?? known?.fetches)
        guard new != known, !new.hosts.isEmpty else { return nil }
        var every = every(in: app)
        every[app.history.identity, default: []].removeAll { $0.path == new.path }
        every[app.history.identity, default: []].append(new)
        try StateFile<[String: [BrowserSites]]>(folder: app.state(), name: name).write(every)
        return new.hosts == known?.hosts ? nil : known?.hosts ?? []
    }

    private static func every(in app: AppEnvironment) -> [String: [BrowserSites]] {
        StateFile<[String: [BrowserSites]]>.value(of: name, below: app.locations.state) ?? [:]
    }

    private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    var kind: SourceKind? { SourceKind.all.first { $0.name == browser && $0.isBrowser } }
}
