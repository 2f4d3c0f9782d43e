import Foundation
import PulseCore
import PulseRendering
import PulseSources
import PulseStore

/// Brings readings from a source into the store, a few hundred at a time: what is in stays in, whatever comes after.
struct Importer {
    let context: Context

    /// How many readings are stored in one transaction: enough to be quick, few enough that another program which
    /// wants to write gets its turn.
    private static let batch = 500
    /// How many lines that are wrong are told of one by one.
    private static let problemsTold = 20

    /// - Parameter path: `-` for standard input.
    func jsonLines(_ path: String) throws(Failure) {
        let name = path == "-" ? "standard input" : path
        var lines = try reader(path, name: name)
        let store = try context.store(.readWrite)
        let parser = JSONLines(now: context.now)
        let status = context.statusLine()
        defer { status.clear() }
        var counts = ImportCounts()
        var readings: [Reading] = []
        var problems = 0
        while let line = try next(&lines) {
            switch parser.reading(from: line) {
            case .success(let reading): readings.append(reading)
            case .failure(let problem):
                problems += 1
                if problems <= Importer.problemsTold {
                    status.clear()
                    context.console.say("\(name), \(problem)")
                }
            case nil: break
            }
            if readings.count == Importer.batch {
                try record(&readings, in: store, &counts)
                status.show("\(counts.total) articles")
            }
        }
        try record(&readings, in: store, &counts)
        try note(JSONLines.origin, in: store)
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

    private func next(_ lines: inout LineReader) throws(Failure) -> LineReader.Line? {
        do {
            return try lines.next()
        } catch {
            throw Failure(error)
        }
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
