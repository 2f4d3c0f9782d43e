/// One step of the schema's history. The list is append-only: a step that was released is never changed, because
/// stores that have taken it exist on people's machines.
struct Migration: Sendable {
    let sql: String

    /// Every step, oldest first. A store's `user_version` is the number of steps it has taken.
    static let all: [Migration] = [articles, digests, indexing]

    /// Version 1: articles, who told that they were read and when, the words to search them by, the imports' journal.
    ///
    /// - All times are milliseconds since 1970-01-01T00:00Z.
    /// - `articles.read_at`, `.read_exact` and `.read_origin` repeat the read that counts (the earliest exact one, else
    ///   the earliest), kept by the triggers on `reads`, so that a window of time is one range of one index.
    /// - An article known to two sources by two identifiers is one row; `aliases` keeps the identifiers after the first.
    /// - `content` is the last column: it may be megabytes, and SQLite reads a row only as far as it must.
    /// - The search index is an external-content FTS5 table (https://www.sqlite.org/fts5.html#external_content_tables):
    ///   it holds no second copy of the texts, and its triggers are the ones that page prescribes.
    static let articles = Migration(
        sql: """
            CREATE TABLE articles (
                id INTEGER PRIMARY KEY,
                identifier TEXT NOT NULL UNIQUE,
                key TEXT NOT NULL,
                url TEXT,
                author TEXT,
                source TEXT NOT NULL,
                category TEXT NOT NULL,
                language TEXT,
                published_at INTEGER,
                read_at INTEGER NOT NULL,
                read_exact INTEGER NOT NULL,
                read_origin TEXT NOT NULL,
                title TEXT NOT NULL,
                summary TEXT NOT NULL,
                content TEXT NOT NULL
            ) STRICT;
            CREATE INDEX articles_by_key ON articles (key);
            CREATE INDEX articles_by_url ON articles (url) WHERE url IS NOT NULL;
            CREATE INDEX articles_by_read ON articles (read_at DESC, identifier);
            CREATE INDEX articles_by_category ON articles (category);
            CREATE INDEX articles_by_source ON articles (source);
            CREATE INDEX articles_approximate ON articles (read_exact) WHERE read_exact = 0;

            CREATE TABLE aliases (
                identifier TEXT PRIMARY KEY,
                article INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX aliases_by_article ON aliases (article);

            CREATE TABLE reads (
                article INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
                origin TEXT NOT NULL,
                read_at INTEGER NOT NULL,
                is_exact INTEGER NOT NULL,
                PRIMARY KEY (article, origin)
            ) STRICT, WITHOUT ROWID;
            CREATE TRIGGER reads_inserted AFTER INSERT ON reads BEGIN
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
            CREATE TRIGGER reads_updated AFTER UPDATE ON reads BEGIN
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

            CREATE VIRTUAL TABLE words USING fts5 (
                title, summary, content, source,
                content = 'articles', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
            CREATE TRIGGER articles_inserted AFTER INSERT ON articles BEGIN
                INSERT INTO words (rowid, title, summary, content, source)
                VALUES (new.id, new.title, new.summary, new.content, new.source);
            END;
            CREATE TRIGGER articles_deleted AFTER DELETE ON articles BEGIN
                INSERT INTO words (words, rowid, title, summary, content, source)
                VALUES ('delete', old.id, old.title, old.summary, old.content, old.source);
            END;
            CREATE TRIGGER articles_updated AFTER UPDATE OF title, summary, content, source ON articles BEGIN
                INSERT INTO words (words, rowid, title, summary, content, source)
                VALUES ('delete', old.id, old.title, old.summary, old.content, old.source);
                INSERT INTO words (rowid, title, summary, content, source)
                VALUES (new.id, new.title, new.summary, new.content, new.source);
            END;

            CREATE TABLE imports (
                origin TEXT PRIMARY KEY,
                first_at INTEGER NOT NULL,
                last_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)
}
