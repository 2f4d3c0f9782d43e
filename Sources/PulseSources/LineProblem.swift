/// Why one line was left out of an import. The others go in.
public struct LineProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    /// What is wrong with it, without its number and its full stop, such as `read_at is not a time: "yesterday"`.
    public let reason: String

    public init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }

    public var description: String { "line \(line): \(reason)" }
}
