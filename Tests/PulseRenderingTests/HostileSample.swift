import Foundation
import PulseCore

/// A digest of titles that try to be something else, in many languages.
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
        ("A bank", "Bank", "https://bank.example@evil.example/", "en", "general"),
        ("Quoted", "Le `rm -rf ~`\n$(reboot) ' Journal", "https://evil.example%2f@x/", "en", "general"),
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

    /// The source that a heading and a command are made of.
    static let source = sources[11].1

    static func digest(_ language: Language = .english) -> Digest {
        func story(_ indices: Int...) -> Story { Story(indices.map { readings[$0] }) }
        func entry(_ story: Story, _ texts: String...) -> Digest.Entry {
            Sample.entry(story, texts.map { ($0, .written) })
        }
        return Digest(
            date: Sample.now, period: Period(hours: 48, endingAt: Sample.now), language: language,
            model: ModelIdentity(name: "a <model>\u{1b}[5m", sha256: nil),
            sections: [
                Digest.Section(
                    heading: .category(Category("world")),
                    entries: [
                        entry(story(0), "The council votes on <script>alert(\"1\")</script> & more."),
                        entry(story(2, 1), "Câmara aprova a reconstrução da ponte.\r\n\r\n1. Elephants sang."),
                        entry(story(3), "المجلس يصوّت على إعادة بناء الجسر."),
                    ], omitted: 2),
                Digest.Section(
                    heading: .category(Category("technology")),
                    entries: [entry(story(4), "1. # > [x](http://evil.example) `code` *bold* _under_ first of all.")],
                    titled: [story(5), story(6)]),
                Digest.Section(
                    heading: .category(Category("<i>odd</i> category")), entries: [entry(story(7))], titled: [story(8)],
                    omitted: 1),
                Digest.Section(
                    heading: .source(source),
                    entries: [entry(story(11), "\u{1b}]8;;https://evil.example\u{1b}\\click\u{1b}]8;;\u{1b}\\ here.")],
                    omitted: 9),
                Digest.Section(
                    heading: .more, entries: [entry(story(9), "\(longWord) \(longTitle)."), entry(story(10))]),
            ], daysInARow: 3, muted: 1, refused: 1)
    }
}
