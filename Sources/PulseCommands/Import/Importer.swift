import Foundation
import PulseCore
import PulsePlatform
import PulseRendering
import PulseSources
import PulseStore

/// Brings what a source holds into the history, batch by batch: what is stored stays, even if the rest fails.
struct Importer {
    let context: Context

    /// How many bad lines are reported one by one.
    private static let badLinesShown = 20

    var environment: ImportEnvironment { environment(hosts: context.settings.hosts) }

    private func environment(hosts: [String]) -> ImportEnvironment {
        ImportEnvironment(
            now: context.now, home: Locations.home(in: context.environment), variables: context.environment,
            standardInput: context.console.input, hosts: hosts, columns: context.settings.columns)
    }

    /// What a source turned out to hold.
    struct Tally {
        var counts = ImportCounts()
        var read = 0
        /// Of those read, how many have an estimated time.
        var estimated = 0
        /// Of those read, how many have a text.
        var texts = 0
        var starred = 0
        var newBookmarks = 0
        var unread = 0
        var leftOut: [LeftOut: Int] = [:]
        var badLines = 0
        /// The first few that were read.
        var examples: [Reading] = []
    }

    /// - Parameter path: a path, or `-` for standard input; nil to look where the source usually is.
    func run(_ kind: SourceKind, path: String?) async throws(PulseError) {
        if kind.isBrowser, context.settings.hosts.isEmpty,
            let known = BrowserSites.find(kind, at: path, in: context)
        {
            return try await run(source(of: known, kind), of: kind)
        }
        try await run(kind.source(at: path, in: environment), of: kind)
    }

    /// Of a browser, the sites that were named before.
    func source(of known: BrowserSites, _ kind: SourceKind) throws(PulseError) -> any ArticleSource {
        try kind.source(at: known.path, in: environment(hosts: known.hosts))
    }

    /// Imports a source, or with --dry-run says what it holds.
    /// - Parameter name: what the report begins with, where several sources are imported; nil for one alone.
    func run(_ source: any ArticleSource, of kind: SourceKind?, as name: String? = nil) async throws(PulseError) {
        let tally =
            context.settings.isDryRun
            ? try await count(source, of: kind, as: name) : try await store(source, of: kind, as: name)
        guard tally.badLines == 0 else {
            let others = tally.badLines - Self.badLinesShown
            let articles = context.settings.isDryRun ? tally.read : tally.counts.total
            let skipped = Counted.text(tally.badLines, "line was skipped", "lines were skipped")
            let hidden: Message = others > 0 ? " (\(others) of them not shown)" : ""
            let done =
                context.settings.isDryRun
                ? Counted.text(articles, "article was read", "articles were read")
                : Counted.text(articles, "article was imported", "articles were imported")
            throw PulseError(.badData, "\(skipped)\(hidden); \(done).")
        }
    }

    private func store(
        _ source: any ArticleSource, of kind: SourceKind?, as name: String?
    ) async throws(PulseError) -> Tally {
        let store = try context.store(.readWrite)
        let previous = try store.lastImport(from: source.origin)
        // What --no-bulk left out or --fetch would look at is among what was stored.
        let skipsKnown = !context.settings.leavesOutBulk && !context.settings.isFetching
        if skipsKnown { source.skip(try store.rows(from: source.origin)) }
        let status = context.statusLine()
        defer { status.clear() }
        var tally = Tally()
        var bulk = BulkFilter(isOn: context.settings.leavesOutBulk, now: context.now)
        var texts = PageTexts(context: context)
        while let batch = try await next(of: source, previous, &bulk, &tally, status) {
            // First, since the next import passes over rows that are noted with the readings.
            if !batch.starred.isEmpty {
                tally.newBookmarks += try store.keep(batch.starred, origin: source.origin, at: context.now)
            }
            let rows = skipsKnown ? batch.rows : [:]
            if !batch.readings.isEmpty || !rows.isEmpty {
                tally.counts += try store.record(batch.readings, from: source.origin, rows: rows)
            }
            tally.counts.unchanged += batch.known
            if context.settings.isFetching { texts.add(batch.readings) }
            try source.noteStored(isLast: false)
            status.show("\(tally.counts.total) articles")
        }
        try store.noteImport(from: source.origin, at: context.now)
        status.clear()
        try report(tally, of: kind, as: name)
        if let kind, kind.isBrowser, !context.settings.hosts.isEmpty,
            try BrowserSites.remember(context.settings.hosts, of: kind, at: source.name, in: context)
        {
            context.noteOnTerminal(
                "From now on, pulse-digest import and the nightly mail bring in what you read on these sites.")
        }
        if context.settings.isFetching { try await texts.fetch(into: store, with: CurlClient(PageFetcher.policy)) }
        return tally
    }

    /// Reads everything and stores nothing.
    private func count(
        _ source: any ArticleSource, of kind: SourceKind?, as name: String?
    ) async throws(PulseError) -> Tally {
        let tally = try await tally(source)
        let what: Message = kind.map { "\($0.summary) (\($0.name))" } ?? "\(source.origin)"
        let read = Counted.text(tally.read, "article read", "articles read")
        let estimated: Message = tally.estimated > 0 ? ", \(tally.estimated) of them at an estimated time" : ""
        let starred: Message = tally.starred > 0 ? "; \(tally.starred) starred" : ""
        let unread: Message = tally.unread > 0 ? "; \(tally.unread) unread" : ""
        let lines: [Message] = ["\(source.name): \(what)", "\(read)\(estimated)\(starred)\(unread)"] + leftOut(tally)
        for line in lines + [onlyTitles(tally, kind)].compactMap(\.self) { try context.console.tell("\(line)\n") }
        if !tally.examples.isEmpty {
            try context.console.tell("For example:\n")
            try context.console.write(HistoryText.list(tally.examples, style: context.style))
        }
        return tally
    }

    /// What a source holds, as an import would find it now.
    func tally(_ source: any ArticleSource) async throws(PulseError) -> Tally {
        let isThere = FileManager.default.fileExists(atPath: context.storePath)
        let previous =
            isThere
            ? try context.reading { store throws(PulseError) in try store.lastImport(from: source.origin) } : nil
        let status = context.statusLine()
        defer { status.clear() }
        var tally = Tally()
        var bulk = BulkFilter(isOn: context.settings.leavesOutBulk, now: context.now)
        while try await next(of: source, previous, &bulk, &tally, status) != nil {
            status.show("\(tally.read) articles")
        }
        return tally
    }

    /// The next batch, counted, and without what was marked in bulk where that is not wanted.
    private func next(
        of source: any ArticleSource, _ previous: Date?, _ bulk: inout BulkFilter, _ tally: inout Tally,
        _ status: StatusLine
    ) async throws(PulseError) -> ImportBatch? {
        let next: ImportBatch?
        do throws(PulseError) {
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
            status.clear()
            context.console.say("\(source.name), \(line.text)")
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

    private func report(_ tally: Tally, of kind: SourceKind?, as name: String?) throws(PulseError) {
        guard !context.settings.isQuiet else { return }
        let counts = tally.counts
        let (added, updated, known) = (counts.added, counts.updated, counts.unchanged)
        let found: Message =
            "\(Counted.text(counts.total, "article", "articles")): \(Counted.text(added)) new, "
            + "\(Counted.text(updated)) updated, \(Counted.text(known)) known\n"
        try context.console.tell(name.map { "\($0): \(found)" } ?? found)
        if counts.total == 0, tally.unread > 0 {
            context.note(Counted.text(tally.unread, "item is there, and unread.", "items are there, and unread."))
        }
        if tally.newBookmarks > 0 {
            context.note(Counted.text(tally.newBookmarks, "bookmark is new.", "bookmarks are new."))
        }
        if counts.removed > 0 {
            context.note(
                Counted.text(
                    counts.removed, "article that you removed from the history left out.",
                    "articles that you removed from the history left out."))
        }
        for line in leftOut(tally) { context.note(line) }
        if let line = onlyTitles(tally, kind) { context.noteOnTerminal(line) }
    }

    /// A file whose texts have another name than was looked for is read without them, and would not be noticed.
    private func onlyTitles(_ tally: Tally, _ kind: SourceKind?) -> Message? {
        guard tally.read > 0, tally.texts == 0, !context.settings.isFetching, tally.leftOut[.noTextKept] == nil,
            let kind, ["jsonl", "json", "csv"].contains(kind.name)
        else { return nil }
        return "None has a text. Where the file calls it otherwise: --map content=NAME; to get the pages: --fetch"
    }

    private func leftOut(_ tally: Tally) -> [Message] {
        // With --fetch the rest is said when it has been tried.
        tally.leftOut.filter { $0.key.isWhole || !context.settings.isFetching }
            .sorted { $0.key.words.description < $1.key.words.description }
            .map { reason, count in
                if !reason.isWhole { return "\(Counted.text(count, "item", "items")) \(reason.words)." }
                return count == 1
                    ? "Left out: \(Counted.text(count)) item \(reason.words)."
                    : "Left out: \(Counted.text(count)) items \(reason.words)."
            }
    }
}

/// Leaves out what was marked as read together with many others: as many within one second as nobody reads.
///
/// Times that are only estimates are no evidence: those of the import itself, and those of publication.
private struct BulkFilter {
    let isOn: Bool
    let now: Date
    /// How many were read, by the second.
    private var counts: [Int: Int] = [:]

    init(isOn: Bool, now: Date) {
        self.isOn = isOn
        self.now = now
    }

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
