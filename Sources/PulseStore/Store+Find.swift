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
    /// Beginnings shorter than this are taken for a slip.
    public static let shortestPrefix = 4

    /// The article that a person means: its id, its URL, its key, or an unambiguous beginning of its id or its key.
    public func find(_ reference: String) throws(StoreError) -> Match {
        guard !reference.isEmpty else { return .none }
        let limit = SQLValue.integer(Int64(Store.mostCandidates))
        let named = Match(try select(Queries.byIdentifier, [.text(reference)]))
        if named != .none { return named }
        let linked = Match(try select(Queries.byURL, [.text(reference), limit]))
        if linked != .none { return linked }
        guard reference.utf8.count >= Store.shortestPrefix else { return .none }
        // Texts are compared by their bytes (BINARY collation): "g" comes after every hexadecimal digit, and U+10FFFF,
        // which no text ends with, after every character.
        let key = reference.lowercased()
        return Match(
            try select(
                Queries.byPrefix,
                [.text(key), .text(key + "g"), .text(reference), .text(reference + "\u{10ffff}"), limit]))
    }
}
