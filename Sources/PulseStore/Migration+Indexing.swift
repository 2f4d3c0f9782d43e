extension Migration {
    /// Version 3: the words of an article go into the search index after the article, not with it. Indexing a text takes
    /// eight times as long as storing it, and a search that never comes needs none.
    ///
    /// - `indexing` has one row: articles up to the row `last` are in the index. Rows only grow, so those that are not in
    ///   it are one range. SQLite gives the highest row anew where it was deleted, so `last` never exceeds it.
    /// - The triggers on `words` say what they said in version 1, of the articles that are in the index.
    /// - `reads_inserted` says what it said, where there is something to be said: a first read comes with its article.
    static let indexing = Migration(
        sql: """
            CREATE TABLE indexing (last INTEGER NOT NULL) STRICT;
            INSERT INTO indexing (last) SELECT coalesce(max(id), 0) FROM articles;

            DROP TRIGGER articles_inserted;
            DROP TRIGGER articles_deleted;
            DROP TRIGGER articles_updated;
            CREATE TRIGGER articles_deleted AFTER DELETE ON articles
            WHEN old.id <= (SELECT last FROM indexing) BEGIN
                INSERT INTO words (words, rowid, title, summary, content, source)
                VALUES ('delete', old.id, old.title, old.summary, old.content, old.source);
                UPDATE indexing SET last = min(last, (SELECT coalesce(max(id), 0) FROM articles));
            END;
            CREATE TRIGGER articles_updated AFTER UPDATE OF title, summary, content, source ON articles
            WHEN old.id <= (SELECT last FROM indexing) BEGIN
                INSERT INTO words (words, rowid, title, summary, content, source)
                VALUES ('delete', old.id, old.title, old.summary, old.content, old.source);
                INSERT INTO words (rowid, title, summary, content, source)
                VALUES (new.id, new.title, new.summary, new.content, new.source);
            END;

            DROP TRIGGER reads_inserted;
            CREATE TRIGGER reads_inserted AFTER INSERT ON reads
            WHEN EXISTS (
                SELECT 1 FROM articles
                WHERE id = new.article AND (read_at, read_exact, read_origin) <> (new.read_at, new.is_exact, new.origin)
            ) BEGIN
                UPDATE articles
                SET read_at = best.read_at, read_exact = best.is_exact, read_origin = best.origin
                FROM (
                    SELECT read_at, is_exact, origin FROM reads WHERE article = new.article
                    ORDER BY is_exact DESC, read_at, origin LIMIT 1
                ) AS best
                WHERE articles.id = new.article
                    AND (articles.read_at, articles.read_exact, articles.read_origin)
                        <> (best.read_at, best.is_exact, best.origin);
            END;
            """)
}
