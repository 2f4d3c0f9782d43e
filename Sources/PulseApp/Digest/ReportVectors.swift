import Foundation
import PulseCore
import PulseDigest
import PulseInference
import PulsePlatform
import PulseRendering
import PulseStore

/// The vectors for comparing reports: read from the store, and made if they are missing.
package struct ReportVectors: Sendable {
    private let history: History
    private let locations: Locations
    private let reporter: Reporter

    package init(in app: AppEnvironment, reporter: Reporter) {
        (history, locations, self.reporter) = (app.history, app.locations, reporter)
    }

    /// The longest wait for vectors. Reports that have none by then are compared by their words.
    static let patience: Duration = .milliseconds(2500)
    /// Up to `ofADay` reports may take `forADay` if the cores are busy: telling a story only once is worth the wait.
    private static let (ofADay, forADay): (Int, Duration) = (240, .seconds(14))
    /// The most time to spend after an import, whose report is printed by then, and in a run that nobody waits for.
    private static let afterImport: Duration = .seconds(5)
    static let atNight: Duration = .seconds(300)
    /// The most articles after an import; the next digest has no older ones.
    private static let mostNew = 400
    /// The number of reports that are stored at a time.
    private static let keptAtATime = 64

    /// The vectors of articles that may report the same event. If this fails, words are compared.
    ///
    /// - Parameter articles: The most important first, because there may be no time for all.
    func meanings(of articles: [Article], within time: Duration) async throws -> Meanings {
        do {
            return try await made(of: articles, within: time)
        } catch let error as PulseError where error.code != .interrupted {
            reporter.detail("reports are compared by their words only: \(error)")
            return .none
        }
    }

    /// Only the stored vectors.
    func kept(of articles: [Article]) -> Meanings {
        do {
            guard articles.count > 1, let map = try Self.map(in: locations) else { return .none }
            return Meanings(map, try kept(map, of: Self.texts(of: articles)))
        } catch {
            reporter.detail("reports are compared by their words only: \(error.asPulseError)")
            return .none
        }
    }

    private static func texts(of articles: [Article]) -> [String: String] {
        Dictionary(articles.map { ($0.id, StoryMap.text(of: $0)) }) { first, _ in first }
    }

    private func kept(_ map: StoryMap, of texts: [String: String]) throws -> [String: CompactVector] {
        try history.open().reportVectors(of: texts, form: map.form).mapValues(CompactVector.init(bytes:))
    }

    /// Makes the vectors of the newest articles, which the next digest will ask for. To be called after an import, or a
    /// refresh of feeds.
    ///
    /// - Parameter isWaiting: Whether the articles are unread entries.
    /// - Throws: `.interrupted` alone, because the import itself has succeeded.
    package func makeNewest(isWaiting: Bool = false) async throws {
        do {
            let store = try history.open()
            let newest =
                isWaiting
                ? try store.unread().prefix(Self.mostNew).map(\.article)
                : try store.newestArticles(limit: Self.mostNew)
            _ = consume store
            _ = try await made(of: newest, within: Self.afterImport, inBackground: true)
        } catch let error as PulseError where error.code != .interrupted {
            reporter.detail("vectors of reports were not made: \(error)")
        }
    }

    /// The stored vectors, and those that could be made in that time. One article alone needs none.
    private func made(
        of articles: [Article], within time: Duration, inBackground: Bool = false
    ) async throws -> Meanings {
        guard articles.count > 1, let map = try Self.map(in: locations) else { return .none }
        let texts = Self.texts(of: articles)
        var vectors = try kept(map, of: texts)
        var seen = Set(vectors.keys)
        var rest = articles.map(\.id).filter { seen.insert($0).inserted }[...]
        guard !rest.isEmpty else { return Meanings(map, vectors) }
        // First, because new threads inherit their priority from the thread that starts them.
        if inBackground { Background.enter() }
        // In the background, where other programs get the cores first, the time is not extended.
        let isOfADay = rest.count <= Self.ofADay && !inBackground
        let deadline = ContinuousClock.now + (isOfADay ? max(time, Self.forADay) : time)
        let encoder = try Encoder.ofMeanings(in: locations, savesMemory: inBackground)
        var ready: [(id: String, text: String, bytes: [UInt8])] = []
        while .now < deadline, let id = rest.popFirst() {
            if Task.isCancelled { throw PulseError.interrupted }
            let text = texts[id] ?? ""
            let plain = try await encoder.vectors(of: [text])[0]
            // What the encoder cannot read is compared by its words.
            guard plain.contains(where: { $0 != 0 }) else { continue }
            let vector = map.vector(plain)
            vectors[id] = vector
            ready.append((id, text, vector.bytes))
            if ready.count >= Self.keptAtATime { keep(&ready, form: map.form) }
        }
        keep(&ready, form: map.form)
        return Meanings(map, vectors)
    }

    /// Nil where the program has no such file.
    private static func map(in locations: Locations) throws -> StoryMap? {
        let path = (locations.resources ?? "") + "/models/pulse-story.map"
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        return try StoryMap([UInt8](bytes))
    }

    /// Vectors that cannot be stored are used all the same.
    private func keep(_ ready: inout [(id: String, text: String, bytes: [UInt8])], form: Int) {
        do {
            try history.open(.readWrite).keepReportVectors(ready, form: form)
        } catch {
            reporter.detail("vectors were not kept: \(error.asPulseError)")
        }
        ready = []
    }
}
