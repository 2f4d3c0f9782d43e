/// How far bringing (or verifying) a model has come.
public struct PullProgress: Sendable, Equatable {
    public enum Phase: Sendable, Equatable {
        /// Another program is bringing the same model; this one waits for it.
        case waiting
        /// Bytes are arriving, from the network or from a file.
        case transferring
        /// The connection failed for `reason`; it is tried again after `delay`.
        case retrying(reason: String, delay: Duration)
        /// The file is being hashed.
        case verifying
    }

    public let phase: Phase
    /// Bytes done in this phase: in the file so far, or hashed so far. What an earlier run brought counts.
    public let bytes: Int64
    /// Bytes of the whole file.
    public let total: Int64

    public init(_ phase: Phase, bytes: Int64, total: Int64) {
        self.phase = phase
        self.bytes = bytes
        self.total = total
    }

    /// From 0 to 1.
    public var fraction: Double { total > 0 ? min(1, Double(bytes) / Double(total)) : 0 }
}
