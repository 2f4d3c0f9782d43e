public import PulseCore
import PulseSQL

/// What a reference to one article led to.
public enum Match: Sendable, Hashable {
    case none
    case one(Reading)
    /// The candidates, newest first; at most `Store.mostCandidates`.
    case ambiguous([Reading])

    init(_ readings: [Reading]) {
        switch readings.count {
        case 0: self = .none
        case 1: self = .one(readings[0])
        default: self = .ambiguous(readings)
        }
    }
}

extension Store {
    /// Of an ambiguous reference no more articles than these are listed.
    public static let mostCandidates = 20
    /// Prefixes of a key shorter than this are taken for a slip.
    public static let shortestPrefix = 4

    /// The article that a person means: its id, its URL, its key, or an unambiguous beginning of its key.
    public func find(_ reference: String) throws(StoreError) -> Match {
        guard !reference.isEmpty else { return .none }
        let limit = SQLValue.integer(Int64(Store.mostCandidates))
        let named = Match(try select(Queries.byIdentifier, [.text(reference)]))
        if named != .none { return named }
        let linked = Match(try select(Queries.byURL, [.text(reference), limit]))
        if linked != .none { return linked }
        let prefix = reference.lowercased()
        guard prefix.utf8.count >= Store.shortestPrefix, prefix.utf8.count <= 16,
            prefix.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return .none }
        // "g" comes after every hexadecimal digit.
        return Match(try select(Queries.byKey, [.text(prefix), .text(prefix + "g"), limit]))
    }
}
