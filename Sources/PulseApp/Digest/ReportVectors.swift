import Foundation
package import PulseCore
import PulseDigest
import PulseInference
import PulsePlatform
import PulseRendering
import PulseStore

/// The vectors by which reports are compared: kept in the store, and made there where they are missing.
package struct ReportVectors {
    private let history: History
    private let locations: Locations
    private let reporter: Reporter

    package init(in app: AppEnvironment, reporter: Reporter) {
        (history, locations, self.reporter) = (app.history, app.locations, reporter)
    }

    /// The longest time that somebody waits for them. Reports that have none by then are compared by their words.
    static let patience: Duration = .milliseconds(2500)
    /// The longest time after an import, whose report is printed by then; and in a run that nobody waits for.
    private static let afterImport: Duration = .seconds(5)
    static let atNight: Duration = .seconds(300)
    /// The most articles after an import: of older ones, the next digest has none.
    private static let mostNew = 400
    /// The numbers of reports that are encoded, and that are stored, at a time.
    private static let (atATime, keptAtATime) = (8, 64)

    /// What is known of articles that others may tell, too. Where something fails, words decide.
    ///
    /// - Parameter articles: The most important first, because there may be no time for all.
    func meanings(of articles: [Article], within time: Duration) async throws(PulseError) -> Meanings {
        do throws(PulseError) {
            guard articles.count > 1, let map = try Self.map(in: locations) else { return .none }
            let texts = Dictionary(articles.map { ($0.id, StoryMap.text(of: $0)) }) { first, _ in first }
            var vectors = try history.reading { store throws(PulseError) in
                try store.reportVectors(of: texts, form: map.form)
            }.mapValues(CompactVector.init(bytes:))
            var seen = Set(vectors.keys)
            let missing = articles.map(\.id).filter { seen.insert($0).inserted }
            if !missing.isEmpty {
                try await make(missing, texts, map, until: .now + time) { id, vector in vectors[id] = vector }
            }
            return Meanings(map, vectors)
        } catch {
            if error.code == .interrupted { throw error }
            reporter.detail("reports are compared by their words only: \(error)")
            return .none
        }
    }

    /// Makes the vectors of the newest articles, which the next digest will ask for. To be called after an import.
    ///
    /// - Throws: `.interrupted` alone, because the import itself has succeeded.
    package func makeNewest() async throws(PulseError) {
        do throws(PulseError) {
            let newest = try history.reading { store throws(PulseError) in try store.newestArticles(limit: Self.mostNew)
            }
            // One alone has nothing to be compared with.
            guard newest.count > 1, let map = try Self.map(in: locations) else { return }
            let texts = Dictionary(newest.map { ($0.id, StoryMap.text(of: $0)) }) { first, _ in first }
            let known = try history.reading { store throws(PulseError) in
                try store.reportVectors(of: texts, form: map.form)
            }
            let new = newest.map(\.id).filter { known[$0] == nil }
            guard !new.isEmpty else { return }
            // First, because new threads inherit their priority from the thread that starts them.
            Background.enter()
            try await make(new, texts, map, until: .now + Self.afterImport) { _, _ in }
        } catch {
            if error.code == .interrupted { throw error }
            reporter.detail("vectors of reports were not made: \(error)")
        }
    }

    /// Nil where the program has no such file.
    private static func map(in locations: Locations) throws(PulseError) -> StoryMap? {
        let path = (locations.resources ?? "") + "/models/pulse-story.map"
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        return try StoryMap([UInt8](bytes))
    }

    private func make(
        _ ids: [String], _ texts: [String: String], _ map: StoryMap, until deadline: ContinuousClock.Instant,
        take: (String, CompactVector) -> Void
    ) async throws(PulseError) {
        let encoder = try AnswerChecker.openEncoder(in: locations)
        var ready: [(id: String, text: String, bytes: [UInt8])] = []
        var rest = ids[...]
        while !rest.isEmpty, .now < deadline {
            if Task.isCancelled { throw .interrupted }
            let next = Array(rest.prefix(Self.atATime))
            rest = rest.dropFirst(Self.atATime)
            let encoded = try await encoder.vectors(of: next.map { texts[$0] ?? "" })
            for (id, numbers) in zip(next, encoded) {
                let vector = map.vector(numbers)
                take(id, vector)
                ready.append((id, texts[id] ?? "", vector.bytes))
            }
            if ready.count >= Self.keptAtATime { keep(&ready, form: map.form) }
        }
        keep(&ready, form: map.form)
    }

    /// A history that cannot be written can be told all the same.
    private func keep(_ ready: inout [(id: String, text: String, bytes: [UInt8])], form: Int) {
        do throws(PulseError) {
            try history.writing { store throws(PulseError) in try store.keepReportVectors(ready, form: form) }
        } catch {
            reporter.detail("vectors were not kept: \(error)")
        }
        ready = []
    }
}
