-- NetNewsWire 7.1.3's DB.sqlite3: the tables of Ranchero-Software/NetNewsWire,
-- Modules/ArticlesDatabase/Sources/ArticlesDatabase/ArticlesDatabase.swift. The rows are invented.
CREATE TABLE articles (articleID TEXT NOT NULL PRIMARY KEY, feedID TEXT NOT NULL, uniqueID TEXT NOT NULL, title TEXT,
    contentHTML TEXT, contentText TEXT, markdown TEXT, url TEXT, externalURL TEXT, summary TEXT, imageURL TEXT,
    bannerImageURL TEXT, datePublished DATE, dateModified DATE, searchRowID INTEGER, authors TEXT);
CREATE TABLE statuses (articleID TEXT NOT NULL PRIMARY KEY, read BOOL NOT NULL DEFAULT 0,
    starred BOOL NOT NULL DEFAULT 0, dateArrived DATE NOT NULL DEFAULT 0);
INSERT INTO articles (articleID, feedID, uniqueID, title, contentHTML, contentText, markdown, url, externalURL, summary,
    datePublished, authors) VALUES
    ('a1', 'https://gazette.example/feed.xml', '1', 'Ferry line reopens', '<p>The ferry runs again.</p>', NULL, NULL,
     'https://gazette.example/ferry', NULL, 'Teaser', 1772271000.0, '[{"name":"Ana Reis"},{"name":"B"}]'),
    ('a2', 'https://gazette.example/feed.xml', '2', NULL, NULL, 'A post without a title.', NULL,
     NULL, 'https://elsewhere.example/post', NULL, 1772215200.5, 'not JSON'),
    ('a3', 'https://lab.example/atom.xml', '3', 'Tides', NULL, NULL, 'The *tides* rose.', NULL, NULL, NULL, NULL, NULL),
    ('a4', 'https://lab.example/atom.xml', '4', 'Old before it came', '<p>x</p>', NULL, NULL,
     'https://lab.example/old', NULL, NULL, 1672531200.0, NULL),
    ('a5', 'https://lab.example/atom.xml', '5', 'Old and starred', '<p>x</p>', NULL, NULL,
     'https://lab.example/kept', NULL, NULL, 1672531200.0, NULL),
    ('a6', 'https://lab.example/atom.xml', '6', 'Not read', '<p>x</p>', NULL, NULL,
     'https://lab.example/new', NULL, NULL, 1772271000.0, NULL);
INSERT INTO statuses VALUES ('a1', 1, 0, 1772271100.0), ('a2', 1, 1, 1772215300.0), ('a3', 1, 0, 1772272800.0),
    ('a4', 1, 0, 1772271100.0), ('a5', 1, 1, 1772271100.0), ('a6', 0, 0, 1772271100.0),
    ('gone', 1, 0, 1772271100.0);
