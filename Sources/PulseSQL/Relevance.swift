import CSQLite

extension Connection {
    /// Gives this connection the function `relevance(table, words, weight, weight…)` for full-text queries: how well a row
    /// answers, the better the smaller, as FTS5's own `bm25()` has it.
    ///
    /// It is BM25 (https://www.sqlite.org/fts5.html#the_bm25_function) without the weight of each word's rarity. To learn
    /// that, bm25() reads through every row that holds the word before it can judge the first one; where all words are
    /// wanted, rarity orders hardly anything. This reads the row it judges and no other.
    ///
    /// - `words`: how many phrases of the query are words of their own; the phrases behind them, alternatives for the
    ///   last word, count as one.
    /// - `weight`: how much an occurrence in each column counts.
    public func addRelevance() throws(SQLError) {
        // https://www.sqlite.org/fts5.html#extending_fts5: the pointer comes through a statement of this form.
        var api: UnsafeMutablePointer<fts5_api>?
        var statement: OpaquePointer?
        var result = sqlite3_prepare_v2(handle, "SELECT fts5(?1)", -1, &statement, nil)
        guard result == SQLITE_OK else { throw SQLError(connection: handle, result: result) }
        withUnsafeMutablePointer(to: &api) { place in
            sqlite3_bind_pointer(statement, 1, place, "fts5_api_ptr", nil)
            sqlite3_step(statement)
        }
        sqlite3_finalize(statement)
        guard let api, let create = api.pointee.xCreateFunction else {
            throw SQLError(extendedCode: SQLITE_ERROR, reason: "this SQLite has no FTS5")
        }
        result = create(api, "relevance", nil, relevance, nil)
        guard result == SQLITE_OK else { throw SQLError(connection: handle, result: result) }
    }
}

/// How soon more occurrences of a word add no more, and how much a long row pays for its length: the constants of
/// SQLite's bm25().
private let saturation = 1.2
private let lengthShare = 0.75

private func relevance(
    _ api: UnsafePointer<Fts5ExtensionApi>?, _ context: OpaquePointer?, _ answer: OpaquePointer?, _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let api = api?.pointee, let values else { return }
    let arguments = UnsafeBufferPointer(start: values, count: Int(count))
    let words = max(1, Int(sqlite3_value_int64(arguments.first ?? nil)))
    let weights = arguments.dropFirst().map { sqlite3_value_double($0) }
    var occurrences = [Double](repeating: 0, count: words)
    var instances: Int32 = 0
    var rows: sqlite3_int64 = 0
    var tokens: sqlite3_int64 = 0
    var length: Int32 = 0
    var result = api.xInstCount(context, &instances)
    if result == SQLITE_OK { result = api.xRowCount(context, &rows) }
    if result == SQLITE_OK { result = api.xColumnTotalSize(context, -1, &tokens) }
    if result == SQLITE_OK { result = api.xColumnSize(context, -1, &length) }
    var instance: Int32 = 0
    while result == SQLITE_OK, instance < instances {
        var phrase: Int32 = 0
        var column: Int32 = 0
        var offset: Int32 = 0
        result = api.xInst(context, instance, &phrase, &column, &offset)
        let weight = weights.indices.contains(Int(column)) ? weights[Int(column)] : 1
        occurrences[min(Int(phrase), words - 1)] += weight
        instance += 1
    }
    guard result == SQLITE_OK else {
        sqlite3_result_error_code(answer, result)
        return
    }
    let average = max(1, Double(tokens) / Double(max(1, rows)))
    let penalty = saturation * (1 - lengthShare + lengthShare * Double(length) / average)
    let score = occurrences.reduce(0) { $0 + $1 * (saturation + 1) / ($1 + penalty) }
    sqlite3_result_double(answer, -score)
}
