public import Foundation

/// A stretch of time, from its first instant up to and including its last.
public struct Period: Sendable, Hashable, Codable {
    public let from: Date
    public let to: Date

    public init(from: Date, to: Date) {
        self.from = min(from, to)
        self.to = max(from, to)
    }

    /// The given number of hours up to an instant.
    public init(hours: Double, endingAt end: Date) {
        self.init(from: end.addingTimeInterval(-hours * 3600), to: end)
    }

    public func contains(_ date: Date) -> Bool { from <= date && date <= to }

    /// Seconds.
    public var duration: TimeInterval { to.timeIntervalSince(from) }
}
