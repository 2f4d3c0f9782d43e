public import PulseCore
import PulseSQL

extension Store {
    /// So many of the articles that hold the words are compared: those that came into the history last. In a short
    /// history that is all of them.
    static let mostCompared = 1000
    /// Up to so many articles, a beginning of a word is looked up by FTS5 itself, which reads through every article that
    /// holds a word beginning so.
    static let shortHistory = 20_000
    /// In a longer one, so many words that begin so are taken, in the order of the alphabet.
    static let mostContinuations = 256

    /// The articles that hold every one of the words, whatever their case and accents, in title, teaser, text or
    /// source; the last word may be the beginning of one. Best match first, then newest.
    ///
    /// What was typed is words and never a query language. Without a letter or a digit in it nothing is found.
    ///
    /// The cost does not grow with the history: of many matches the latest `mostCompared` are compared, and in a long
    /// history the last word is taken for a beginning only where it is not found often enough as a word.
    ///
    /// Articles that are not in the index yet (`unindexed`) are not found.
    public func search(_ words: String, limit: Int) throws(StoreError) -> [Reading] {
        try search(words, limit: limit, shortHistory: Store.shortHistory)
    }

    func search(_ words: String, limit: Int, shortHistory: Int) throws(StoreError) -> [Reading] {
        guard limit > 0, let words = SearchWords(words) else { return [] }
        try attempt { () throws(SQLError) in try connection.addRelevance() }
        let articles = try attempt { () throws(SQLError) in try connection.integer(Queries.latestRow) ?? 0 }
        guard articles > shortHistory, let beginning = words.beginning else {
            return try matches(words.unfinished, of: words, limit: limit)
        }
        let whole = try matches(words.whole, of: words, limit: limit)
        if whole.count == limit { return whole }
        let terms = try continuations(of: beginning)
        return terms.isEmpty ? whole : try matches(words.continued(terms), of: words, limit: limit)
    }

    private func matches(_ query: String, of words: SearchWords, limit: Int) throws(StoreError) -> [Reading] {
        try select(
            Queries.search,
            [
                .text(query), .integer(Int64(limit)), .integer(Int64(max(limit, Store.mostCompared))),
                .integer(Int64(words.count)),
            ])
    }

    /// Terms of the index that begin so, each found by one step into it.
    private func continuations(of beginning: String) throws(StoreError) -> [String] {
        try attempt { () throws(SQLError) in
            // https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module. Of its three kinds this one shows a
            // term without counting in how many articles it is. It lives in the connection, not in the file.
            try connection.execute(
                "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab('main', 'words', 'instance')")
            let next = try connection.prepare(Queries.nextTerm)
            var terms: [String] = []
            var from = beginning
            while terms.count < Store.mostContinuations {
                next.reset()
                try next.bind([.text(from), .text(beginning + "\u{10ffff}")])
                guard try next.step(), let term = next.text(0) else { break }
                terms.append(term)
                // What comes after the term and before every longer one: no token holds a space.
                from = term + " "
            }
            return terms
        }
    }
}
