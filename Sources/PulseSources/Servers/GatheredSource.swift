public import Foundation
public import PulseCore

/// The batches of a server, several in one: its pages are short, and each batch waits for the disk when it is stored.
public final class GatheredSource: ArticleSource {
    public var origin: String { source.origin }
    public var name: String { source.name }

    private let source: any ArticleSource
    private var isAtEnd = false
    /// What came before it was handed out first.
    private var fault: PulseError?

    /// A batch is as many articles, or what comes in as long.
    private static let most = (readings: 1000, time: Duration.seconds(2))

    public init(_ source: any ArticleSource) { self.source = source }

    public func next(previousImport: Date?) async throws(PulseError) -> ImportBatch? {
        if let fault { throw fault }
        var gathered: ImportBatch?
        let start = ContinuousClock.now
        do throws(PulseError) {
            while !isAtEnd, gathered?.readings.count ?? 0 < Self.most.readings,
                start.duration(to: .now) < Self.most.time
            {
                guard let batch = try await source.next(previousImport: previousImport) else {
                    isAtEnd = true
                    break
                }
                gathered = gathered ?? ImportBatch()
                gathered?.append(batch)
            }
        } catch {
            guard gathered != nil else { throw error }
            fault = error
        }
        return gathered
    }

    public func noteStored(isLast: Bool) throws(PulseError) { try source.noteStored(isLast: isLast) }
}
