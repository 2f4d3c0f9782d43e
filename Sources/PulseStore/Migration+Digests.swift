extension Migration {
    /// Version 2: what was told, and what a model wrote, kept so that nothing told is lost and nothing computed twice.
    ///
    /// - `digests` is the archive. Which day a digest belongs to is not kept: it is the reader's time zone's business when
    ///   it is asked for. `key` is the hash of what it tells: the same told again is not kept again.
    /// - `answers` is a cache of bounded size. `id` only grows, so that the oldest are the smallest: see
    ///   `Store.mostAnswers`.
    /// - Both hold JSON, and the version of its form: a row of another form, or a damaged one, counts as none.
    static let digests = Migration(
        sql: """
            CREATE TABLE digests (
                id INTEGER PRIMARY KEY,
                key TEXT NOT NULL,
                made_at INTEGER NOT NULL,
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
            """)
}
