-- 12
CREATE TABLE aliases (
    identifier TEXT PRIMARY KEY,
    article INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX aliases_by_article ON aliases (article);
CREATE TABLE answers (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    made_at INTEGER NOT NULL,
    form INTEGER NOT NULL,
    payload TEXT NOT NULL
) STRICT;
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
CREATE INDEX articles_approximate ON articles (read_exact) WHERE read_exact = 0;
CREATE INDEX articles_by_category ON articles (category);
CREATE INDEX articles_by_key ON articles (key);
CREATE INDEX articles_by_read ON articles (read_at DESC, identifier);
CREATE INDEX articles_by_source ON articles (source);
CREATE INDEX articles_by_url ON articles (url) WHERE url IS NOT NULL;
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
CREATE TRIGGER articles_vector_deleted AFTER DELETE ON articles BEGIN
    DELETE FROM report_vectors WHERE identifier = old.identifier;
END;
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
CREATE INDEX entries_by_feed ON entries (feed, state, listed_at);
CREATE INDEX entries_by_identifier ON entries (identifier);
CREATE INDEX entries_by_key ON entries (key);
CREATE INDEX entries_by_page ON entries (page) WHERE page IS NOT NULL;
CREATE INDEX entries_by_state ON entries (state, fetched_at);
CREATE TABLE entries_told (
    entry INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
    profile TEXT NOT NULL,
    told_at INTEGER NOT NULL,
    PRIMARY KEY (entry, profile)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER entries_vector_deleted AFTER DELETE ON entries BEGIN
    DELETE FROM report_vectors WHERE identifier = old.identifier;
END;
CREATE TRIGGER entries_vector_gone AFTER UPDATE OF state ON entries WHEN new.state = 'gone' BEGIN
    DELETE FROM report_vectors WHERE identifier = old.identifier;
END;
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
, name TEXT) STRICT;
CREATE INDEX feeds_by_name ON feeds (name);
CREATE TABLE imports (
    origin TEXT PRIMARY KEY,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
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
CREATE TABLE removed (
    list TEXT NOT NULL,
    hash TEXT NOT NULL,
    removed_at INTEGER NOT NULL,
    PRIMARY KEY (list, hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE report_vectors (
    identifier TEXT PRIMARY KEY,
    form INTEGER NOT NULL,
    text TEXT NOT NULL,
    vector BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE source_rows (
    origin TEXT NOT NULL,
    row INTEGER NOT NULL,
    hash INTEGER NOT NULL,
    PRIMARY KEY (origin, row)
) STRICT, WITHOUT ROWID;
CREATE TABLE told (
    article INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
    reader TEXT NOT NULL,
    told_at INTEGER NOT NULL,
    PRIMARY KEY (article, reader)
) STRICT, WITHOUT ROWID;
CREATE INDEX told_by_reader ON told (reader, told_at);
CREATE TABLE upgrades (
    schema INTEGER PRIMARY KEY,
    program TEXT NOT NULL
) STRICT;
CREATE TABLE vectors (
    article INTEGER PRIMARY KEY REFERENCES articles (id) ON DELETE CASCADE,
    form INTEGER NOT NULL,
    passages BLOB NOT NULL
) STRICT;
CREATE TRIGGER vectors_outdated AFTER UPDATE OF title, summary, content ON articles
WHEN (old.title, old.summary, old.content) <> (new.title, new.summary, new.content)
BEGIN
    DELETE FROM vectors WHERE article = old.id;
END;
CREATE VIRTUAL TABLE words USING fts5 (
    title, summary, content, source,
    content = 'articles', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE 'words_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'words_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'words_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
