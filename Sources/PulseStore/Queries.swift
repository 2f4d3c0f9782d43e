/// The questions the program asks of the history. A test holds each against SQLite's own plan for it, so that none
/// comes to cost more as the history grows.
enum Queries {
    static let window = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE read_at BETWEEN ?1 AND ?2 ORDER BY read_at DESC, identifier
        """

    /// The latest since a moment, of a category or a publication where one is named.
    static let listed = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE read_at >= ?2 AND (?3 IS NULL OR category = ?3) AND (?4 IS NULL OR source = ?4)
        ORDER BY read_at DESC, identifier LIMIT ?1
        """

    /// How many these are.
    static let listedCount = """
        SELECT count(*) FROM articles
        WHERE read_at >= ?1 AND (?2 IS NULL OR category = ?2) AND (?3 IS NULL OR source = ?3)
        """

    /// The best matches first, by `relevance` with a word in the title counting most, then the newest. FTS5 finds
    /// matches in the order of their rows, so that the latest `?3` cost the same however many there are. Ranks on
    /// small columns alone and reads the texts only of what is shown.
    static let search = """
        WITH latest AS MATERIALIZED (
            SELECT rowid AS id, relevance(words, ?4, 8.0, 3.0, 1.0, 2.0) AS score
            FROM words WHERE words MATCH ?1 ORDER BY rowid DESC LIMIT ?3
        ), hits AS MATERIALIZED (
            SELECT hit.id, latest.score, hit.read_at, hit.identifier
            FROM latest JOIN articles AS hit ON hit.id = latest.id
            ORDER BY score, hit.read_at DESC, hit.identifier LIMIT ?2
        )
        SELECT \(ReadingRow.columns) FROM hits JOIN articles ON articles.id = hits.id
        ORDER BY hits.score, hits.read_at DESC, hits.identifier
        """

    static let nextTerm = "SELECT term FROM temp.terms WHERE term >= ?1 AND term < ?2 LIMIT 1"

    static let latestRow = "SELECT max(id) FROM articles"

    // MARK: The search index, behind the articles

    static let unindexed = "SELECT max(0, coalesce((SELECT max(id) FROM articles), 0) - last) FROM indexing"

    static let indexNext = """
        INSERT INTO words (rowid, title, summary, content, source)
        SELECT id, title, summary, content, source FROM articles
        WHERE id > (SELECT last FROM indexing) ORDER BY id LIMIT ?1
        """

    static let noteIndexed = """
        UPDATE indexing SET last = coalesce(
            (SELECT max(id) FROM (SELECT id FROM articles WHERE id > last ORDER BY id LIMIT ?1)), last)
        """

    // MARK: One article

    static let byIdentifier = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE id = coalesce(
            (SELECT id FROM articles WHERE identifier = ?1), (SELECT article FROM aliases WHERE identifier = ?1))
        """

    static let byURL = """
        SELECT \(ReadingRow.columns) FROM articles WHERE url = ?1
        ORDER BY read_at DESC, identifier LIMIT ?2
        """

    /// Keys and ids between two bounds each, by the index of either.
    static let byPrefix = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE key >= ?1 AND key < ?2 OR identifier >= ?3 AND identifier < ?4
        ORDER BY read_at DESC, identifier LIMIT ?5
        """

    static let latestReadBefore = "SELECT max(read_at) FROM articles WHERE read_at < ?1"

    // MARK: What a model wrote

    static let answer = "SELECT payload FROM answers WHERE key = ?1 AND form = ?2"

    static let latestDigest = "SELECT form, payload FROM digests ORDER BY made_at DESC, id DESC LIMIT 1"

    static let digestIsKept = "SELECT 1 FROM digests WHERE made_at >= ?1 AND made_at < ?2 AND key = ?3 LIMIT 1"

    static let digestByTime = """
        SELECT form, payload FROM digests WHERE made_at >= ?1 AND made_at < ?2 ORDER BY made_at DESC, id DESC LIMIT 1
        """

    static let digestBefore = "SELECT max(made_at) FROM digests WHERE made_at < ?1"

    static let digestAfter = "SELECT min(made_at) FROM digests WHERE made_at >= ?1"
}
