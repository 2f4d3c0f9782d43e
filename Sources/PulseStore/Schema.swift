import PulseCore
import PulsePlatform

/// The tables of a store, and how a database file is recognised as one.
///
/// - All times are milliseconds since 1970-01-01T00:00Z.
/// - `articles.read_at`, `.read_exact` and `.read_origin` repeat one row of `reads`: the earliest exact one, else the
///   earliest. Triggers on `reads` update them, so that a period is one range of one index.
/// - An article that two sources know by two ids is one row; `aliases` has all ids but the first.
/// - `content` is the last column: it may be megabytes, and SQLite reads a row only up to the last column it needs.
/// - The search index `words` is an external-content FTS5 table, without a second copy of the texts
///   (https://www.sqlite.org/fts5.html#external_content_tables). `Store.index` adds new articles when a search needs
///   them, because indexing takes as long as the rest of an import, and most days have no search. Articles are indexed
///   in the order of their ids, and a new row gets the highest id. FTS5 has a row in `words_docsize` for each indexed
///   article, so the articles above the last of these are not indexed yet. Triggers apply changes and deletions of
///   indexed articles. `automerge`, which merges four segments at a time, is off, because it took more than half of
///   the time; FTS5 then merges sixteen at a time
///   (https://www.sqlite.org/fts5.html#the_automerge_configuration_option).
/// - `told` says when an article was in a digest that was delivered to a reader. `told_at` is 0 if the digest was
///   made and never sent, and `Store.beforeFirst` for articles from before the reader's first digest.
/// - `source_rows` has a hash of each imported row of other programs' databases, to skip unchanged rows next time.
/// - `digests` and `answers` hold JSON and its format's version, `form`: a row of another version, or a damaged one, is
///   ignored. `digests.key` is the hash of a digest's contents; `delivery` is how it was delivered (`Delivery`), and
///   `reader` to whom; `profile` is the profile it was made with, empty for none. `answers` is a cache whose `id` only
///   grows, so that the oldest rows have the smallest.
/// - `bookmarks` has texts of its own, because most bookmarked articles were not read, and everything in `articles`
///   was. `saved_at` is null if the source has no time.
/// - `removed` has hashes of what the reader removed, which imports are to leave out. `list` is `article` or
///   `bookmark`.
/// - `feeds.identity` is the normalised address, and `refresh` is JSON of `Feed.FetchState`. `name` is the title as it
///   is compared, and the server: see `Store.name(of:)`; null until a program of this schema has written the feed.
/// - `entries` has the feeds' entries. `state` is `EntryState`. Only new ones appear in digests, for each reader once:
///   `entries_told` has the readers (`EntryRecipient.name`). A gone row has no texts and stays as long as its feed may
///   bring the entry again. `page` identifies the linked page in other feeds and in the history; it is null for front
///   pages, and where the feed links several entries to one page. `listed_at` is when the feed last had the entry.
/// - `vectors` has the encoder's vectors of an article's passages (`PassageVectors`) and their format, `form`: a row of
///   another format is ignored. A row is deleted when the article's text changes.
/// - `report_vectors` has the vector by which a report is compared (`CompactVector`), by the id of an article or entry,
///   with its format, `form`, and a hash of the encoded text: it is outdated when either changes.
/// - `upgrades` has the version of the program that made the store, and of each that migrated it.
enum Schema {
    /// The `user_version` of a store: see `Migrations`.
    static let version = Migrations.base + Migrations.steps.count

    /// "PlsD", in the header's application_id, which SQLite reserves for "the specific type of the file"
    /// (https://www.sqlite.org/pragma.html#pragma_application_id).
    static let applicationID: Int64 = 0x506c_7344

    enum State: Equatable {
        /// An empty database, as left by a program that was killed while creating it.
        case empty
        case version(Int)
        /// Another program's database.
        case foreign
    }

    static func state(of connection: borrowing Connection) throws -> State {
        // In one transaction, because a store that is being created looks foreign for a moment.
        try connection.transaction(.deferred) {
            let application = try connection.integer("PRAGMA application_id") ?? 0
            let version = try connection.integer("PRAGMA user_version") ?? 0
            if application == applicationID { return .version(Int(version)) }
            if application != 0 || version != 0 { return .foreign }
            return try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 ? .empty : .foreign
        }
    }

    /// Creates the tables of an empty database, unless another process already has.
    static func create(in connection: borrowing Connection) throws {
        try connection.transaction(.immediate) {
            guard try connection.integer("PRAGMA user_version") == 0 else { return }
            try make(connection)
        }
    }

    /// Drops and recreates all tables.
    static func reset(_ connection: borrowing Connection) throws {
        // The latest first, because they refer to earlier ones. FTS5 drops its own ("shadow") tables.
        let tables = try connection.rows(
            """
            SELECT name FROM sqlite_schema AS made JOIN pragma_table_list AS listed USING (name)
            WHERE schema = 'main' AND listed.type IN ('table', 'virtual') ORDER BY made.rowid DESC
            """
        ) { $0.text(0) ?? "" }
        for table in tables { try connection.execute("DROP TABLE \"\(table)\"") }
        try make(connection)
    }

    private static func make(_ connection: borrowing Connection) throws {
        try connection.execute(tables)
        for step in Migrations.steps { try connection.execute(step) }
        try mark(connection)
    }

    static func mark(_ connection: borrowing Connection) throws {
        // Both are in the file's header, and so part of the transaction.
        try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
        try connection.query(
            "INSERT INTO upgrades (schema, program) VALUES (?1, ?2)",
            [.integer(Int64(version)), .text(Release.version)])
    }

    /// The schema of 0.1.0, `Migrations.base`. Never edited: changes are steps of `Migrations`.
    static let tables = """
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
        CREATE TRIGGER reads_inserted AFTER INSERT ON reads
        -- A first read comes with its article, and changes nothing.
        WHEN EXISTS (
            SELECT 1 FROM articles
            WHERE id = new.article AND (read_at, read_exact, read_origin) <> (new.read_at, new.is_exact, new.origin)
        ) BEGIN
            \(updateRead)
        END;
        CREATE TRIGGER reads_updated AFTER UPDATE ON reads BEGIN
            \(updateRead)
        END;

        CREATE VIRTUAL TABLE words USING fts5 (
            title, summary, content, source,
            content = 'articles', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
        INSERT INTO words (words, rank) VALUES ('automerge', 0);
        CREATE TRIGGER articles_deleted AFTER DELETE ON articles
        WHEN EXISTS (SELECT 1 FROM words_docsize WHERE id = old.id)
        BEGIN
            INSERT INTO words (words, rowid, title, summary, content, source)
            VALUES ('delete', old.id, old.title, old.summary, old.content, old.source);
        END;
        CREATE TRIGGER articles_updated AFTER UPDATE OF title, summary, content, source ON articles
        WHEN (old.title, old.summary, old.content, old.source)
            <> (new.title, new.summary, new.content, new.source)
            AND EXISTS (SELECT 1 FROM words_docsize WHERE id = old.id)
        BEGIN
            INSERT INTO words (words, rowid, title, summary, content, source)
            VALUES ('delete', old.id, old.title, old.summary, old.content, old.source);
            INSERT INTO words (rowid, title, summary, content, source)
            VALUES (new.id, new.title, new.summary, new.content, new.source);
        END;

        CREATE TABLE told (
            article INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
            reader TEXT NOT NULL,
            told_at INTEGER NOT NULL,
            PRIMARY KEY (article, reader)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX told_by_reader ON told (reader, told_at);

        CREATE TABLE imports (
            origin TEXT PRIMARY KEY,
            first_at INTEGER NOT NULL,
            last_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE source_rows (
            origin TEXT NOT NULL,
            row INTEGER NOT NULL,
            hash INTEGER NOT NULL,
            PRIMARY KEY (origin, row)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE digests (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL,
            made_at INTEGER NOT NULL,
            delivery INTEGER NOT NULL,
            reader TEXT NOT NULL,
            profile TEXT NOT NULL,
            form INTEGER NOT NULL,
            payload TEXT NOT NULL
        ) STRICT;
        CREATE INDEX digests_by_time ON digests (made_at);

        CREATE TABLE answers (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            made_at INTEGER NOT NULL,
            form INTEGER NOT NULL,
            payload TEXT NOT NULL
        ) STRICT;

        CREATE TABLE bookmarks (
            id INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            origin TEXT NOT NULL,
            saved_at INTEGER,
            added_at INTEGER NOT NULL,
            url TEXT,
            author TEXT,
            source TEXT NOT NULL,
            category TEXT NOT NULL,
            language TEXT,
            published_at INTEGER,
            title TEXT NOT NULL,
            summary TEXT NOT NULL,
            content TEXT NOT NULL
        ) STRICT;
        CREATE INDEX bookmarks_by_url ON bookmarks (url) WHERE url IS NOT NULL;

        CREATE TABLE removed (
            list TEXT NOT NULL,
            hash TEXT NOT NULL,
            removed_at INTEGER NOT NULL,
            PRIMARY KEY (list, hash)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE feeds (
            id INTEGER PRIMARY KEY,
            identity TEXT NOT NULL UNIQUE,
            address TEXT NOT NULL,
            title TEXT NOT NULL,
            site TEXT,
            folder TEXT,
            added_at INTEGER NOT NULL,
            is_named INTEGER NOT NULL,
            refresh TEXT NOT NULL
        ) STRICT;

        CREATE TABLE entries (
            id INTEGER PRIMARY KEY,
            feed INTEGER NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
            identifier TEXT NOT NULL,
            key TEXT NOT NULL,
            page TEXT,
            state TEXT NOT NULL,
            fetched_at INTEGER NOT NULL,
            listed_at INTEGER NOT NULL,
            url TEXT,
            author TEXT,
            source TEXT NOT NULL,
            category TEXT NOT NULL,
            language TEXT,
            published_at INTEGER,
            title TEXT NOT NULL,
            summary TEXT NOT NULL,
            content TEXT NOT NULL,
            UNIQUE (feed, identifier)
        ) STRICT;
        CREATE INDEX entries_by_identifier ON entries (identifier);
        CREATE INDEX entries_by_key ON entries (key);
        CREATE INDEX entries_by_page ON entries (page) WHERE page IS NOT NULL;
        CREATE INDEX entries_by_state ON entries (state, fetched_at);
        CREATE INDEX entries_by_feed ON entries (feed, state, listed_at);

        CREATE TABLE entries_told (
            entry INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
            profile TEXT NOT NULL,
            told_at INTEGER NOT NULL,
            PRIMARY KEY (entry, profile)
        ) STRICT, WITHOUT ROWID;
        """

    /// Updates the article's copy of the read that counts, if it changed.
    private static let updateRead = """
        UPDATE articles
        SET read_at = best.read_at, read_exact = best.is_exact, read_origin = best.origin
        FROM (
            SELECT read_at, is_exact, origin FROM reads WHERE article = new.article
            ORDER BY is_exact DESC, read_at, origin LIMIT 1
        ) AS best
        WHERE articles.id = new.article
            AND (articles.read_at, articles.read_exact, articles.read_origin)
                <> (best.read_at, best.is_exact, best.origin);
        """
}
