extension Migration {
    /// Version 2: what a model wrote, kept so that nothing is computed twice and nothing told is lost.
    ///
    /// - `digests` is the archive: every digest, with what it was made from (`inputs`, whose hash is `key`) and the
    ///   finished value (`payload`). `day`s are not kept: which day an instant belongs to is the reader's time zone's
    ///   business when it is asked for.
    /// - `summaries` is a cache of bounded size. `id` only grows, so that the oldest are the smallest: see
    ///   `Store.mostSummaries`.
    /// - Both hold JSON, and the version of its form: a row of another form, or a damaged one, counts as none.
    static let digests = Migration(
        sql: """
            CREATE TABLE digests (
                id INTEGER PRIMARY KEY,
                key TEXT NOT NULL,
                made_at INTEGER NOT NULL,
                language TEXT NOT NULL,
                model TEXT NOT NULL,
                form INTEGER NOT NULL,
                inputs TEXT NOT NULL,
                payload TEXT NOT NULL
            ) STRICT;
            CREATE INDEX digests_by_key ON digests (key, made_at);
            CREATE INDEX digests_by_time ON digests (made_at);

            CREATE TABLE summaries (
                id INTEGER PRIMARY KEY,
                key TEXT NOT NULL UNIQUE,
                made_at INTEGER NOT NULL,
                language TEXT NOT NULL,
                model TEXT NOT NULL,
                form INTEGER NOT NULL,
                payload TEXT NOT NULL
            ) STRICT;
            """)
}
