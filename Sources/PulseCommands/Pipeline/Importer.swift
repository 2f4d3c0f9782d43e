import Foundation
import PulseCore
import PulseRendering
import PulseSources
import PulseStore

/// Brings readings from a source into the store, many at a time: what is in stays in, whatever comes after.
struct Importer {
    let context: Context

    /// Articles of one transaction: enough to be quick, few enough that another program which wants to write gets its
    /// turn within a moment.
    private static let batch = 500
    /// The same of lines, which may hold a word or a book: as many as come to so many bytes, or so many lines.
    private static let chunk = (bytes: 16 << 20, lines: 20_000)
    /// How many lines that are wrong are told of one by one.
    private static let problemsTold = 20

    /// While lines are stored, the next ones are parsed.
    ///
    /// - Parameter path: `-` for standard input.
    func jsonLines(_ path: String) async throws(Failure) {
        let name = path == "-" ? "standard input" : path
        var lines = try reader(path, name: name)
        let store = try context.store(.readWrite)
        let parser = JSONLines(now: context.now)
        let status = context.statusLine()
        defer { status.clear() }
        var counts = ImportCounts()
        var problems = 0
        func take(_ parsed: [Result<Reading, LineProblem>]) throws(Failure) {
            var readings: [Reading] = []
            for result in parsed {
                switch result {
                case .success(let reading): readings.append(reading)
                case .failure(let problem):
                    problems += 1
                    if problems <= Importer.problemsTold {
                        status.clear()
                        context.console.say("\(name), \(problem)")
                    }
                }
            }
            try record(&readings, in: store, &counts)
            if counts.total > 0 { status.show("\(counts.total) articles") }
        }
        var parsed: [Result<Reading, LineProblem>] = []
        var fault: Failure?
        while fault == nil {
            // With lines in hand that are not stored yet, none is waited for.
            let chunk = nextChunk(&lines, mayWait: parsed.isEmpty, &fault)
            if chunk.isEmpty { break }
            async let next = chunk.compactMap(parser.reading)
            try take(parsed)
            parsed = await next
            // Whoever writes slowly may want to see what is in.
            if !lines.isReady {
                try take(parsed)
                parsed = []
            }
        }
        try take(parsed)
        // What was read before it could be read no more is in.
        if let fault { throw fault }
        try note(JSONLines.origin, in: store)
        try index(store)
        status.clear()
        try report(counts)
        guard problems == 0 else {
            let others = problems - Importer.problemsTold
            throw Failure(
                .badData,
                "\(Counted.text(problems, "line", "lines")) of \(name) could not be taken"
                    + (others > 0 ? " (\(others) of them not shown)" : "") + "; everything else was.")
        }
    }

    /// - Parameter path: newsboat's `cache.db`; nil to look where newsboat keeps it.
    func newsboat(_ path: String?) throws(Failure) {
        let place = try NewsboatPlace(path, environment: context.environment)
        let store = try context.store(.readWrite)
        let status = context.statusLine()
        defer { status.clear() }
        var counts = ImportCounts()
        var cache = try cache(at: place, in: store)
        while true {
            var readings: [Reading]
            do {
                readings = try cache.next(Importer.batch)
            } catch {
                throw Failure(error)
            }
            if readings.isEmpty { break }
            try record(&readings, in: store, &counts)
            status.show("\(counts.total) articles")
        }
        try note(NewsboatCache.origin, in: store)
        try index(store)
        status.clear()
        try report(counts)
        if cache.skipped > 0 {
            context.note("\(Counted.text(cache.skipped, "item", "items")) without a title and a text left out.")
        }
    }

    // MARK: - Steps

    private func reader(_ path: String, name: String) throws(Failure) -> LineReader {
        guard path != "-" else { return LineReader(descriptor: context.console.input, name: name) }
        do {
            return try LineReader(path: path)
        } catch {
            throw Failure(error)
        }
    }

    private func cache(at place: NewsboatPlace, in store: borrowing Store) throws(Failure) -> NewsboatCache {
        let previous: Date?
        do {
            previous = try store.lastImport(from: NewsboatCache.origin)
        } catch {
            throw Failure(error)
        }
        do {
            return try NewsboatCache(path: place.cache, now: context.now, previousImport: previous, urls: place.urls)
        } catch {
            throw Failure(error)
        }
    }

    /// The lines that are parsed together, and not many of them where the rest is to be waited for; none at the end.
    private func nextChunk(
        _ lines: inout LineReader, mayWait: Bool, _ fault: inout Failure?
    ) -> [LineReader.Line] {
        var chunk: [LineReader.Line] = []
        var bytes = 0
        do {
            while bytes < Importer.chunk.bytes, chunk.count < Importer.chunk.lines,
                chunk.isEmpty || mayWait && chunk.count < Importer.batch || lines.isReady, let line = try lines.next()
            {
                bytes += line.bytes.count
                chunk.append(line)
            }
        } catch {
            fault = Failure(error)
        }
        return chunk
    }

    /// Stores what was gathered, unless the user has had enough.
    private func record(
        _ readings: inout [Reading], in store: borrowing Store, _ counts: inout ImportCounts
    ) throws(Failure) {
        if Task.isCancelled { throw Failure(.interrupted, "") }
        guard !readings.isEmpty else { return }
        do {
            counts += try store.record(readings)
        } catch {
            throw Failure(error)
        }
        readings.removeAll(keepingCapacity: true)
    }

    /// What is soon done is done: the words of a few articles are indexed, those of many when they are searched for.
    private func index(_ store: borrowing Store) throws(Failure) {
        do {
            if try store.unindexed() <= Store.indexedAtOnce { try store.index() }
        } catch {
            throw Failure(error)
        }
    }

    private func note(_ origin: String, in store: borrowing Store) throws(Failure) {
        do {
            try store.noteImport(from: origin, at: context.now)
        } catch {
            throw Failure(error)
        }
    }

    private func report(_ counts: ImportCounts) throws(Failure) {
        guard !context.settings.isQuiet else { return }
        try context.console.write(
            Counted.text(counts.total, "article", "articles")
                + ": \(counts.added) new, \(counts.updated) updated, \(counts.unchanged) known\n")
    }
}
