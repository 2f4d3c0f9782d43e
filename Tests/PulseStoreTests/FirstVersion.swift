import PulseCore
import PulseSQL

@testable import PulseStore

extension Scratch {
    /// Writes a store as version 1 of the schema made it, by the statements of that time and not through `Store`.
    /// - Returns: What it holds, newest first.
    func makeFirstVersion() throws -> [Reading] {
        let connection = try Connection(path: path, access: .readWriteCreate)
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute(Migration.all[0].sql)
        try connection.execute(
            """
            INSERT INTO articles (id, identifier, key, url, author, source, category, language, published_at, read_at,
                read_exact, read_origin, title, summary, content)
            VALUES
                (1, 'a', '\(ArticleKey.make(from: "a"))', 'https://x.example/a', 'Ana', 'The Herald', 'world', 'en',
                    1772300000000, 1772366400000, 1, 'jsonl', 'Council votes for bridge', 'Teaser', 'Text of it.'),
                (2, 'b', '\(ArticleKey.make(from: "b"))', NULL, NULL, '', 'general', NULL, NULL, 1772280000000, 0,
                    'newsboat', 'B', '', '');
            INSERT INTO reads (article, origin, read_at, is_exact) VALUES
                (1, 'jsonl', 1772366400000, 1), (2, 'newsboat', 1772280000000, 0);
            INSERT INTO aliases (identifier, article) VALUES ('a-too', 1);
            INSERT INTO imports (origin, first_at, last_at) VALUES ('jsonl', 1772366400000, 1772366400000);
            PRAGMA application_id = \(Schema.applicationID);
            PRAGMA user_version = 1;
            """)
        return [
            Reading(
                article: Article(
                    id: "a", url: "https://x.example/a", title: "Council votes for bridge", summary: "Teaser",
                    content: "Text of it.", author: "Ana", source: "The Herald", category: Category("world"),
                    language: "en", publishedAt: Instant.date(1_772_300_000_000)),
                readAt: noon, origin: "jsonl"),
            Reading(
                article: Article(id: "b", title: "B"), readAt: Instant.date(1_772_280_000_000), origin: "newsboat",
                isExact: false),
        ]
    }
}
