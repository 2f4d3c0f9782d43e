public import PulseCore
import PulsePlatform
import PulseText

extension Query {
    static let reportVectors = """
        SELECT identifier, text, vector FROM report_vectors
        WHERE form = ?1 AND identifier IN (SELECT value FROM json_each(?2))
        """
    static let newestArticles = "SELECT \(ReadingRow.columns) FROM articles ORDER BY read_at DESC, identifier LIMIT ?1"
}

/// The vectors by which reports are compared, of read articles and of unread entries.
extension Store {
    /// The vectors of articles that have one of this format, by article id. `texts` has the encoded texts by id: a
    /// vector of another text is outdated.
    public func reportVectors(of texts: [String: String], form: Int) throws -> [String: [UInt8]] {
        var vectors: [String: [UInt8]] = [:]
        let values: [SQLValue] = [.integer(Int64(form)), SQLValue(Payload.text(Array(texts.keys)))]
        try attempt {
            try connection.query(Query.reportVectors, values) { row in
                guard let id = row.text(0), let text = texts[id], row.text(1) == ShortHash.of(text) else { return }
                row.withBytes(2) { vectors[id] = Array($0) }
            }
        }
        return vectors
    }

    /// The articles that were read last.
    public func newestArticles(limit: Int) throws -> [Article] {
        try rows(Query.newestArticles, [.integer(Int64(limit))]) { ReadingRow.article($0).article }
    }

    /// Keeps vectors of articles, by article id, as long as the store has an article or entry of that id.
    public func keepReportVectors(_ vectors: [(id: String, text: String, bytes: [UInt8])], form: Int) throws {
        try transaction {
            let keep = try connection.prepare(
                """
                INSERT OR REPLACE INTO report_vectors (identifier, form, text, vector) SELECT ?1, ?2, ?3, ?4
                WHERE EXISTS (SELECT 1 FROM articles WHERE identifier = ?1)
                    OR EXISTS (SELECT 1 FROM entries WHERE identifier = ?1 AND state <> 'gone')
                """)
            for (id, text, bytes) in vectors {
                try keep.run([.text(id), .integer(Int64(form)), .text(ShortHash.of(text)), .blob(bytes)])
            }
        }
    }
}
