/// Ends one request of a call, and leaves the others alone. May be used from any thread, before and while the call runs.
import Synchronization

public final class RequestCancellation: Sendable, Hashable {
    private let isThrown = Atomic(false)

    public init() {}

    /// The request ends with what it has: its completion's finish is `.cancelled`.
    public func cancel() {
        isThrown.store(true, ordering: .relaxed)
    }

    public var isCancelled: Bool { isThrown.load(ordering: .relaxed) }

    /// One handle is like no other.
    public static func == (one: RequestCancellation, other: RequestCancellation) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
