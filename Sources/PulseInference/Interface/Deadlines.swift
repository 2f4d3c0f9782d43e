/// How long a generation may take; nil is for ever. Both are looked at between tokens and, on a processor, between
/// the steps inside one computation. The clock stands still while the machine sleeps.
public struct Deadlines: Sendable, Hashable {
    /// The longest time without a new token, or, while the prompt is read, without a finished chunk of it.
    public var stall: Duration?
    /// The longest time for all the requests of one call together.
    public var overall: Duration?

    public static let none = Deadlines()

    public init(stall: Duration? = nil, overall: Duration? = nil) {
        self.stall = stall
        self.overall = overall
    }
}
