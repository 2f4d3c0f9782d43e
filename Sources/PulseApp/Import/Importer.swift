import Foundation
package import PulseCore
package import PulseSources
package import PulseStore
import PulseText

package struct ImportSettings: Sendable {
    /// The sites to import from a browser's history.
    package var hosts: [String] = []
    /// The file's names for the fields of an article.
    package var columns: [String: String] = [:]
    /// Whether what was marked as read in bulk is left out.
    package var leavesOutBulk = false
    /// Whether texts are fetched from the web.
    package var isFetching = false

    package init() {}
}

/// Brings what a source holds into the history, batch by batch: what is stored stays, even if the rest fails.
package struct Importer: Sendable {
    let app: AppEnvironment
    package let settings: ImportSettings
    let reporter: Reporter
    private let standardInput: Int32

    package init(
        in app: AppEnvironment, settings: ImportSettings = ImportSettings(), standardInput: Int32 = 0,
        reporter: Reporter
    ) {
        (self.app, self.settings, self.standardInput, self.reporter) = (app, settings, standardInput, reporter)
    }

    /// How many bad lines are reported one by one.
    fileprivate static let badLinesShown = 20

    package var environment: ImportEnvironment { environment(hosts: settings.hosts) }

    private func environment(hosts: [String]) -> ImportEnvironment {
        ImportEnvironment(
            now: app.now, home: app.locations.home, variables: app.variables, standardInput: standardInput,
            hosts: hosts, columns: settings.columns, timeZone: app.timeZone)
    }

    package struct Tally: Sendable {
        package var counts = ImportCounts()
        package var read = 0
        /// Of those read, how many have an estimated time.
        package var estimated = 0
        /// Of those read, how many have a text.
        package var texts = 0
        package var starred = 0
        package var newBookmarks = 0
        package var unread = 0
        package var leftOut: [LeftOut: Int] = [:]
        package var badLines = 0
        package var examples: [Reading] = []

        /// The error for unreadable lines; nil: there were none.
        ///
        /// - Parameter isStored: Whether the others were imported, and not only read.
        package func fault(isStored: Bool) -> PulseError? {
            guard badLines > 0 else { return nil }
            let others = badLines - Importer.badLinesShown
            let skipped = Counted.text(badLines, "line was skipped", "lines were skipped")
            let hidden: Message = others > 0 ? " (\(others) of them not shown)" : ""
            let done =
                isStored
                ? Counted.text(counts.total, "article was imported", "articles were imported")
                : Counted.text(read, "article was read", "articles were read")
            return PulseError(.badData, "\(skipped)\(hidden); \(done).")
        }
    }

    /// A source of a kind; for a browser without named sites, with those that were named before.
    ///
    /// - Parameter path: A path, or `-` for standard input; nil to look where the source usually is.
    package func source(_ kind: SourceKind, at path: String?) throws -> any ArticleSource {
        if kind.isBrowser, settings.hosts.isEmpty, let known = BrowserSites.find(kind, at: path, in: app) {
            return try source(of: known, kind)
        }
        return try kind.source(at: path, in: environment)
    }

    /// A browser's source with the sites that were named before.
    func source(of known: BrowserSites, _ kind: SourceKind) throws -> any ArticleSource {
        try kind.source(at: known.path, in: environment(hosts: known.hosts))
    }

    /// - Parameter kind: Nil for an account.
    /// - Returns: The counts, also if some lines could not be read; and the articles whose texts may be fetched.
    @discardableResult package func run(
        _ source: any ArticleSource, of kind: SourceKind?
    ) async throws -> (Tally, texts: PageTextImport?) {
        let store = try app.history.open(.readWrite)
        let previous = try store.lastImport(from: source.origin)
        // With --no-bulk or --fetch, rows that were stored before are read again.
        let skipsKnown = !settings.leavesOutBulk && !settings.isFetching
        if skipsKnown { source.skip(try store.rows(from: source.origin)) }
        defer { reporter.clear() }
        var tally = Tally()
        var bulk = BulkFilter(isOn: settings.leavesOutBulk, now: app.now)
        let isBrowser = kind?.isBrowser == true
        var texts = PageTextImport(in: app, reporter: reporter)
        while let batch = try await next(of: source, previous, &bulk, &tally) {
            // First, since the next import skips the rows that are recorded with the readings.
            if !batch.starred.isEmpty {
                tally.newBookmarks += try store.keep(batch.starred, origin: source.origin, at: app.now)
            }
            let rows = skipsKnown ? batch.rows : [:]
            if !batch.readings.isEmpty || !rows.isEmpty {
                tally.counts += try store.record(batch.readings, from: source.origin, rows: rows)
            }
            tally.counts.unchanged += batch.known
            if settings.isFetching || isBrowser { texts.add(batch.readings) }
            try source.noteStored(isLast: false)
            reporter.show(Counted.text(tally.counts.total, "article", "articles"))
        }
        try store.noteImport(from: source.origin, at: app.now)
        if let kind, isBrowser {
            try remember(settings.hosts, of: kind, at: source.name, isFound: tally.counts.total > 0)
            texts.isAgreed = BrowserSites.find(kind, at: source.name, in: app)?.fetches
        } else if settings.isFetching {
            texts.isAgreed = true
        }
        return (tally, texts.count > 0 ? texts : nil)
    }

    /// Sites without readings are likely to be mistyped, and do not replace others.
    private func remember(_ hosts: [String], of kind: SourceKind, at path: String, isFound: Bool) throws {
        let names = PlainText.line(hosts.joined(separator: ", "))
        guard isFound || hosts.isEmpty else {
            return reporter.hint(
                "That history has nothing that was read on \(names). To list the sites in it: "
                    + "pulse-digest import \(kind.name)")
        }
        guard
            let before = try BrowserSites.remember(
                hosts, fetches: settings.isFetching ? true : nil, of: kind, at: path, in: app)
        else { return }
        reporter.hint("From now on, pulse-digest import and the nightly email bring in what you read on \(names).")
        let left = before.filter { !hosts.contains($0) }
        guard !left.isEmpty else { return }
        reporter.hint(
            "What you read on \(PlainText.line(left.joined(separator: ", "))) is no longer imported. To import several "
                + "sites, name each with --host.")
    }

    /// Stores whether texts are fetched from a browser's sites from now on.
    package func agree(toFetch isAgreed: Bool, _ source: any ArticleSource, of kind: SourceKind) throws {
        try BrowserSites.remember([], fetches: isAgreed, of: kind, at: source.name, in: app)
    }

    /// Counts a source's contents, as an import would find them now. Nothing is stored.
    package func tally(_ source: any ArticleSource) async throws -> Tally {
        let previous = app.history.exists ? try app.history.open().lastImport(from: source.origin) : nil
        defer { reporter.clear() }
        var tally = Tally()
        var bulk = BulkFilter(isOn: settings.leavesOutBulk, now: app.now)
        while try await next(of: source, previous, &bulk, &tally) != nil {
            reporter.show(Counted.text(tally.read, "article", "articles"))
        }
        return tally
    }

    /// The next batch, counted, and without what was marked in bulk where that is not wanted.
    private func next(
        of source: any ArticleSource, _ previous: Date?, _ bulk: inout BulkFilter, _ tally: inout Tally
    ) async throws -> ImportBatch? {
        let next: ImportBatch?
        do {
            next = try await source.next(previousImport: previous)
        } catch {
            try source.noteStored(isLast: true)
            throw error
        }
        guard var batch = next else {
            try source.noteStored(isLast: true)
            return nil
        }
        if Task.isCancelled { throw PulseError.interrupted }
        bulk.filter(&batch)
        for line in batch.badLines.prefix(max(0, Self.badLinesShown - tally.badLines)) {
            reporter.clear()
            reporter.problem("\(source.name), \(line.text)")
        }
        tally.read += batch.readings.count
        tally.estimated += batch.readings.count { !$0.isExact }
        tally.texts += batch.readings.count { !$0.article.content.isEmpty }
        tally.starred += batch.starred.count
        tally.unread += batch.unread
        tally.badLines += batch.badLines.count
        tally.leftOut.merge(batch.leftOut, uniquingKeysWith: +)
        tally.examples += batch.readings.prefix(3 - tally.examples.count)
        return batch
    }
}

/// Leaves out articles that were marked as read in bulk: more within one second than anybody reads.
///
/// Times that are only estimates are no evidence: those of the import itself, and those of publication.
private struct BulkFilter {
    let isOn: Bool
    let now: Date
    var counts: [Int: Int] = [:]

    mutating func filter(_ batch: inout ImportBatch) {
        guard isOn else { return }
        for second in batch.readings.compactMap(second) { counts[second, default: 0] += 1 }
        let all = batch.readings.count
        let bulk = batch.bulk
        batch.readings.removeAll { reading in
            bulk.contains(reading.article.id)
                || second(reading).map { counts[$0, default: 0] >= ImportBatch.fewestInBulk } ?? false
        }
        if batch.readings.count < all { batch.leftOut[.bulk, default: 0] += all - batch.readings.count }
    }

    /// Nil where the time is an estimate that many articles share.
    private func second(_ reading: Reading) -> Int? {
        guard reading.isExact || reading.readAt < now && reading.readAt != reading.article.publishedAt else {
            return nil
        }
        return Int(reading.readAt.timeIntervalSince1970.rounded(.down))
    }
}
