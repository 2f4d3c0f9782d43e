-- FreshRSS 1.28's db.sqlite: the tables of FreshRSS/FreshRSS, app/SQL/install.sql.sqlite.php, and
-- `lastUserModified`, which EntryDAO adds. The rows are invented. All times are of 2026-02-28 and 2026-03-01.
CREATE TABLE category (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name VARCHAR(191) NOT NULL,
    kind SMALLINT DEFAULT 0, lastUpdate BIGINT DEFAULT 0, error SMALLINT DEFAULT 0, attributes TEXT, UNIQUE (name));
CREATE TABLE feed (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, url VARCHAR(32768) NOT NULL, kind SMALLINT DEFAULT 0,
    category INTEGER DEFAULT 0, name VARCHAR(191) NOT NULL, website VARCHAR(32768), description TEXT,
    lastUpdate BIGINT DEFAULT 0, priority TINYINT(2) NOT NULL DEFAULT 10, pathEntries VARCHAR(4096),
    httpAuth VARCHAR(1024), error BOOLEAN DEFAULT 0, ttl INT NOT NULL DEFAULT 0, attributes TEXT,
    cache_nbEntries INT DEFAULT 0, cache_nbUnreads INT DEFAULT 0);
CREATE TABLE entry (id BIGINT NOT NULL, guid VARCHAR(767) NOT NULL, title VARCHAR(8192) NOT NULL, author VARCHAR(1024),
    content TEXT, link VARCHAR(16383) NOT NULL, date BIGINT, lastSeen BIGINT DEFAULT 0,
    lastUserModified BIGINT DEFAULT 0, hash BINARY(16), is_read BOOLEAN NOT NULL DEFAULT 0,
    is_favorite BOOLEAN NOT NULL DEFAULT 0, id_feed INTEGER, tags VARCHAR(2048), attributes TEXT,
    PRIMARY KEY (id), UNIQUE (id_feed, guid));
INSERT INTO category (id, name) VALUES (1, 'Uncategorized'), (2, 'Science &amp; sea');
INSERT INTO feed (id, url, category, name, httpAuth) VALUES
    (1, 'https://gazette.example/feed?a=1&amp;b=2', 1, 'Fish &amp; Chips', 'ana:secret'),
    (2, 'https://lab.example/atom.xml', 2, 'The Lab', NULL);
INSERT INTO entry (id, guid, title, author, content, link, date, lastUserModified, is_read, is_favorite, id_feed) VALUES
    (1772271100000001, 'https://gazette.example/ferry', 'Ferry &amp; &quot;storm&quot;: 3 &lt; 4', ';Ana &amp; Eva; Rui',
     '<p>The ferry runs&nbsp;again.</p>', 'https://gazette.example/ferry?x=1&amp;y=2', 1772271000, 1772352000, 1, 0, 1),
    (1772271100000002, 'n-17', 'Tides', NULL, '<p>Twelve cm.</p>', 'https://lab.example/tides', 1772215200, 1772355600,
     1, 1, 2),
    (1772271100000003, 'n-18', 'Read before 1.28', NULL, '<p>x</p>', 'https://lab.example/18', 1772100000, 0, 1, 0, 2),
    (1772271100000004, 'n-19', 'Starred, not read', NULL, '<p>x</p>', 'https://lab.example/19', 1772200000, 1772355601,
     0, 1, 2),
    (1772271100000005, 'n-20', 'Not read', NULL, '<p>x</p>', 'https://lab.example/20', 1772200000, 0, 0, 0, 2);
