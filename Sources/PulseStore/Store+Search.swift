public import PulseCore
import PulseSQL

extension Store {
    /// The articles that hold every one of the words, whatever their case and accents, in title, teaser, text or
    /// source; the last word may be the beginning of one. Best match first, then newest.
    ///
    /// What was typed is words and never a query language. Without a letter or a digit in it nothing is found.
    public func search(_ words: String, limit: Int) throws(StoreError) -> [Reading] {
        guard let query = SearchWords.query(words) else { return [] }
        return try select(Queries.search, [.text(query), .integer(Int64(max(0, limit)))])
    }
}
