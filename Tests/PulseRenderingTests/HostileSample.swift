import Foundation
import PulseCore

/// A digest of titles that try to be something else, in many languages, made as the program makes one.
enum HostileSample {
    static let longTitle = "Long " + String(repeating: "wörter ohne Ende ", count: 90) + "Ende"
    static let longWord = String(repeating: "x", count: 1200)

    /// Title, source, URL, language, category.
    private static let sources: [(String, String, String?, String?, String)] = [
        (
            "<script>alert(\"1\")</script> & <img src=x onerror=alert(1)>", "The <b>Herald</b>",
            "https://herald.example/a?b=1&c=\"><script>", "en", "world"
        ),
        (
            "Council votes\r\nBcc: eve@example.org\r\n\r\n<p>second body</p>", "Post", "javascript:alert(1)", nil,
            "world"
        ),
        (
            "Câmara aprova a reconstrução da ponte — “enfim”, diz a prefeita", "Diário",
            "https://diario.example/ponte_(2026)", "pt-BR", "world"
        ),
        ("المجلس يصوّت على إعادة بناء الجسر (2026)", "الأخبار", "https://akhbar.example/خبر/1", "ar", "world"),
        (
            "\u{202e}desrever\u{202c} 🎉👩🏽‍🚀 1. # > - [x](http://evil.example) `code` *bold* _under_ | cell |",
            "Ásia [Hoje]", "http://bücher.example/x y", "\"><b>", "technology"
        ),
        ("1. First of all", "", "ftp://files.example/x", nil, "technology"),
        ("", "No Title Weekly", "https://example.org/untitled", "en", "technology"),
        (longTitle, "Long", "https://long.example/", "de", "<i>odd</i> category"),
        (longWord, "Longer", nil, nil, "<i>odd</i> category"),
        ("What is long", "Long", "http://long.example/?a=1&b=2", nil, "general"),
    ]

    private static let contents = [
        6: "A text without a title, which says what it says.", 9: "\(longWord) \(longTitle).",
    ]

    static let readings = sources.enumerated().map { index, source in
        Reading(
            article: Article(
                id: "id-\(index)", url: source.2, title: source.0,
                content: contents[index] ?? source.0, source: source.1,
                category: Category(source.4), language: source.3),
            readAt: Sample.now.addingTimeInterval(Double(-4000 * (index + 1))), origin: "test")
    }

    static func digest(_ language: Language = .english) -> Digest {
        func section(_ stories: [[Int]], _ text: String, omitted: Int = 0) -> Digest.Section {
            let stories = stories.map { Story($0.map { readings[$0] }) }
            let articles = stories.flatMap(\.readings).map(\.article)
            return Digest.Section(
                category: articles[0].category, text: text, sentences: Attribution(articles).sentences(of: text),
                stories: stories, omitted: omitted, shortened: omitted)
        }
        let sections = [
            section(
                [[0], [1, 2], [3]],
                "The council votes on <script>alert(\"1\")</script> & more. Câmara aprova a reconstrução da ponte. المجلس يصوّت على إعادة بناء الجسر. Elephants sang 77 songs in Timbuktu.",
                omitted: 2),
            section([[4], [5], [6]], "1. # > [x](http://evil.example) `code` *bold* _under_ first of all."),
            section([[7], [8]], ""),
            section([[9]], "\(longWord) \(longTitle)."),
        ]
        return Digest(
            date: Sample.now, period: Period(hours: 48, endingAt: Sample.now), language: language,
            model: ModelIdentity(name: "a <model>", sha256: nil), sections: sections,
            readings: sections.flatMap(\.stories).flatMap(\.readings), daysInARow: 3, timing: Timing())
    }
}
