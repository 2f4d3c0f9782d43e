-- RSSium's RSSiumModel.sqlite: the entities of kgrsutos/RSSium, RSSium/RSSiumModel.xcdatamodeld, with the names that
-- Core Data gives. The rows are invented.
CREATE TABLE ZFEED (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISACTIVE INTEGER, ZLASTUPDATED TIMESTAMP,
    ZTITLE VARCHAR, ZICONURL VARCHAR, ZURL VARCHAR, ZID BLOB);
CREATE TABLE ZARTICLE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISBOOKMARKED INTEGER, ZISREAD INTEGER,
    ZISSTOREDOFFLINE INTEGER, ZFEED INTEGER, ZPUBLISHEDDATE TIMESTAMP, ZAUTHOR VARCHAR, ZCONTENT VARCHAR,
    ZSUMMARY VARCHAR, ZTITLE VARCHAR, ZURL VARCHAR, ZID BLOB);
INSERT INTO ZFEED (Z_PK, ZTITLE, ZURL) VALUES (1, 'The Harbour Gazette', 'https://gazette.example/feed.xml');
INSERT INTO ZARTICLE (Z_PK, ZISBOOKMARKED, ZISREAD, ZFEED, ZPUBLISHEDDATE, ZAUTHOR, ZCONTENT, ZSUMMARY, ZTITLE, ZURL)
VALUES
    (1, 0, 1, 1, 793963800, 'Ana Reis', '<p>The ferry runs again.</p>', 'The ferry', 'Ferry line reopens',
     'https://gazette.example/ferry'),
    (2, 1, 1, 1, 793965600.734, NULL, 'Five to four.', NULL, 'Council votes', ''),
    (3, 1, 0, 1, 793965600, NULL, 'To read later.', NULL, 'Saved', 'https://gazette.example/saved'),
    (4, 0, 0, 1, 793965600, NULL, 'x', NULL, 'Not read', 'https://gazette.example/new');
