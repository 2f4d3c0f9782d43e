-- Written from the schema of Safari's History.db; see ../README.md. Times are seconds since 2001.
CREATE TABLE history_items (id INTEGER PRIMARY KEY AUTOINCREMENT,url TEXT NOT NULL UNIQUE,domain_expansion TEXT NULL,visit_count INTEGER NOT NULL,daily_visit_counts BLOB NOT NULL,weekly_visit_counts BLOB NULL,autocomplete_triggers BLOB NULL,should_recompute_derived_visit_counts INTEGER NOT NULL,visit_count_score INTEGER NOT NULL,status_code INTEGER NOT NULL DEFAULT 0);
CREATE TABLE history_visits (id INTEGER PRIMARY KEY AUTOINCREMENT,history_item INTEGER NOT NULL REFERENCES history_items(id) ON DELETE CASCADE,visit_time REAL NOT NULL,title TEXT NULL,load_successful BOOLEAN NOT NULL DEFAULT 1,http_non_get BOOLEAN NOT NULL DEFAULT 0,synthesized BOOLEAN NOT NULL DEFAULT 0,redirect_source INTEGER NULL UNIQUE REFERENCES history_visits(id),redirect_destination INTEGER NULL UNIQUE REFERENCES history_visits(id),origin INTEGER NOT NULL DEFAULT 0,generation INTEGER NOT NULL DEFAULT 0,attributes INTEGER NOT NULL DEFAULT 0,score INTEGER NOT NULL DEFAULT 0);
INSERT INTO history_items VALUES (1,'http://gazette.example/r/ferry','gazette',1,x'00',NULL,NULL,0,100,0);
INSERT INTO history_items VALUES (2,'http://gazette.example/2026/ferry?utm_source=letter','gazette',1,x'00',NULL,NULL,0,100,0);
INSERT INTO history_items VALUES (3,'http://gazette.example/2026/bridge','gazette',2,x'00',NULL,NULL,0,100,0);
INSERT INTO history_items VALUES (4,'http://gazette.example/2026/gone','gazette',1,x'00',NULL,NULL,0,100,0);
INSERT INTO history_items VALUES (5,'http://other.example/2026/tides','other',1,x'00',NULL,NULL,0,100,0);
INSERT INTO history_visits (id,history_item,visit_time,title) VALUES (2,2,817025897.25,'Ferry line reopens after repairs');
INSERT INTO history_visits (id,history_item,visit_time,title,redirect_destination) VALUES (1,1,817025897.0,NULL,2);
INSERT INTO history_visits (id,history_item,visit_time,title) VALUES (3,3,817025911.5,'Council votes on the bridge'),(4,3,817026911.5,'Council votes on the bridge');
INSERT INTO history_visits (id,history_item,visit_time,title,load_successful) VALUES (5,4,817025950.0,'Gone',0);
INSERT INTO history_visits (id,history_item,visit_time,title) VALUES (6,5,817025999.0,'Tides rise by a hand');
