/// A value as SQLite stores it (https://www.sqlite.org/datatype3.html), to be bound to a parameter.
public enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    public init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    public init(_ integer: Int64?) {
        self = integer.map { .integer($0) } ?? .null
    }

    public init(_ flag: Bool) {
        self = .integer(flag ? 1 : 0)
    }
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral integer: Int64) { self = .integer(integer) }
}
