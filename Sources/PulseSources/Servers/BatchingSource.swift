public import Foundation
import PulseCore
import PulsePlatform

/// Merges a server's batches: its pages are short, and storing each batch waits for the disk.
///
/// A server may send data without end, so a run is limited. The next run continues from there.
public final class BatchingSource: ArticleSource {
    public var origin: String { source.origin }
    public var name: String { source.name }

    private let source: any ArticleSource
    private var isAtEnd = false
    /// A failure that the next call throws, because the articles before it were returned first.
    private var failure: (any Error)?

    /// A batch ends at this number of readings, or after this time.
    private static let most = (readings: 1000, time: Duration.seconds(2))

    /// The limits of one run.
    public struct Share: Sendable {
        /// Including bookmarks.
        public var articles = 100_000
        /// Of all responses, decompressed.
        public var bytes = 512 << 20
        /// Spent waiting for the server.
        public var time = Duration.seconds(300)

        public init() {}
    }

    private let most: Int
    private let budget: HTTPBudget
    private var articles = 0

    public init(_ source: any ArticleSource, share: Share = Share()) {
        self.source = source
        most = share.articles
        budget = HTTPBudget(share.time, bytes: share.bytes)
    }

    public func next(previousImport: Date?) async throws -> ImportBatch? {
        if let failure { throw failure }
        var gathered: ImportBatch?
        let start = ContinuousClock.now
        do {
            while !isAtEnd, gathered?.readings.count ?? 0 < Self.most.readings,
                start.duration(to: .now) < Self.most.time
            {
                guard let batch = try await part(previousImport) else {
                    isAtEnd = true
                    break
                }
                gathered = gathered ?? ImportBatch()
                gathered?.append(batch)
            }
        } catch {
            guard gathered != nil else { throw error }
            failure = error
        }
        return gathered
    }

    private func part(_ previousImport: Date?) async throws -> ImportBatch? {
        guard articles < most, !budget.isSpent else { throw more }
        let batch = try await HTTPBudget.$current.withValue(budget) {
            do {
                return try await source.next(previousImport: previousImport)
            } catch let error as PulseError where error.code != .interrupted && budget.isSpent {
                throw more
            }
        }
        articles += (batch?.readings.count ?? 0) + (batch?.starred.count ?? 0)
        return batch
    }

    private var more: PulseError {
        PulseError(
            .tryAgain, "\(name) has more, or takes longer, than one import allows.",
            hint: "What came before is kept; import again to go on from there.", cause: "\(name): share taken")
    }

    public func noteStored(isLast: Bool) throws { try source.noteStored(isLast: isLast) }
}
