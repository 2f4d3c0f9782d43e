import Foundation
import PulseCore
import PulseSources
import Testing

/// Titles and texts by their specifications, and as publishers write them.
@Suite(.timeLimit(.minutes(2))) struct FeedTextTests {
    private func atom(_ entry: String) throws -> Article {
        let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>tag:a</id>\(entry)</entry></feed>"
        return try #require(try Fixture.feed(xml: feed).entries.first)
    }

    private func rss(_ item: String) throws -> Article {
        try #require(try Fixture.feed(xml: Fixture.items("<item><guid>a</guid>\(item)</item>")).entries.first)
    }

    /// RFC 4287, 3.1.1: without a type it is text.
    @Test(arguments: [
        ("<title>", "The &lt;select&gt; element", "The <select> element"),
        ("<title>", "A &lt;b&gt;bold&lt;/b&gt; claim", "A <b>bold</b> claim"),
        ("<title type='text'>", "The &lt;b&gt; element", "The <b> element"),
        ("<title type='html'>", "A &lt;b&gt;bold&lt;/b&gt; &amp;amp; claim", "A bold & claim"),
        ("<title type='html'>", "The &amp;lt;b&amp;gt; element", "The <b> element"),
        ("<title type='html'>", "&lt;p&gt;A &lt;b&gt;bold claim", "A bold claim"),
        (
            "<title type='xhtml'>", "<div xmlns='http://www.w3.org/1999/xhtml'>A <i>b</i> &lt;c&gt;</div>", "A b <c>"
        ),
    ])
    func titlesOfAtom(tag: String, title: String, shown: String) throws {
        #expect(try atom("\(tag)\(title)</title>").title == shown)
    }

    /// Plain text by the RSS Advisory Board's profile, in which most publishers encode HTML once more.
    @Test(arguments: [
        ("Cats &amp; dogs", "Cats & dogs"), ("Cats &amp;amp; dogs &amp;#8217;", "Cats & dogs ’"),
        ("A &lt;b&gt;bold&lt;/b&gt; claim", "A bold claim"), ("One&lt;br&gt;two", "One two"),
        ("<![CDATA[A <em class=\"x\">bold claim]]>", "A bold claim"), ("1 &lt; 2 &gt; 0", "1 < 2 > 0"),
        ("a&lt;script&gt;x()&lt;/script&gt; b", "a b"), ("A <i>b</i> c", "A b c"),
        ("Super&lt;wbr&gt;market opens", "Supermarket opens"), ("The &lt;wbr&gt; element", "The <wbr> element"),
    ])
    func titlesOfRSS(title: String, shown: String) throws {
        #expect(try rss("<title>\(title)</title>").title == shown)
        #expect(try rss("<title>x</title><media:title type='plain'>\(title)</media:title>").title == "x")
    }

    private static let elements = [
        "select", "script", "textarea", "title", "style", "noscript", "iframe", "option", "template", "canvas",
        "dialog", "b", "br", "p", "svg", "video", "string", "head", "plaintext", "form",
    ]

    /// A text about an element is not hidden by it.
    @Test(arguments: elements) func nothingAfterAnElementInATextIsLost(name: String) throws {
        let text = "The <\(name)> element in 2026"
        let escaped = "The &lt;\(name)&gt; element in 2026"
        for title in [
            try atom("<title>\(escaped)</title>"), try rss("<title>\(escaped)</title>"),
            try rss("<title><![CDATA[\(text)]]></title>"), try json("\"title\":\"\(text)\""),
        ].map(\.title) {
            #expect(title == text)
        }
        #expect(try atom("<title>x</title><summary>\(escaped)</summary>").text == text)
        #expect(try atom("<title>x</title><content>\(escaped)</content>").content == text)
        // HTML by what publishers do: the tag may go, the words stay.
        for html in [
            try rss("<title>x</title><description>\(escaped)</description>").text,
            try rss("<title>x</title><description>&lt;p&gt;Read.&lt;/p&gt;\(escaped)</description>").text,
            try atom("<title>x</title><content type='html'>\(escaped)</content>").content,
            try json("\"title\":\"x\",\"content_html\":\"<i>The</i> <\(name) class='a'> element in 2026\"").content,
        ] {
            let words = html.split { $0.isWhitespace || $0 == ">" }
            #expect(words.contains("The") && words.suffix(3) == ["element", "in", "2026"], "\(html)")
        }
    }

    @Test func whatIsClosedAndInvisibleIsDropped() throws {
        let html = "a<select><option>b</option></select><script>c</script><!-- d --> <iframe src='x'></iframe>e"
        #expect(try rss("<title>x</title><description><![CDATA[\(html)]]></description>").text == "a e")
        #expect(try rss("<title>x</title><description><![CDATA[<p>a</p><!-- b]]></description>").text.contains("a"))
    }

    /// Publishers leave the type of HTML out.
    @Test(arguments: ["summary", "content"]) func htmlWithoutATypeIsHTMLAllTheSame(name: String) throws {
        let entry = try atom("<title>x</title><\(name)>&lt;p&gt;One.&lt;/p&gt;&lt;p&gt;Two &amp;amp; three.</\(name)>")
        #expect(entry.text == "One.\n\nTwo & three.")
    }

    @Test func aNarrowDescriptionIsAParagraph() throws {
        let lines = [
            "The old stone bridge at Marrow, which", "opened in 1950, closed on Friday after",
            "the river rose three metres in a night.",
        ]
        let item = "<title>x</title><description>\(lines.joined(separator: "\n"))</description>"
        #expect(try rss(item).text == lines.joined(separator: " "))
    }

    /// By feeds that escape what is escaped already.
    @Test(arguments: [
        ("&amp;lt;p&amp;gt;One.&amp;lt;/p&amp;gt;&amp;lt;p&amp;gt;Two &amp;amp;amp; three.", "One.\n\nTwo & three."),
        ("<![CDATA[ &lt;div&gt;One &lt;b&gt;word&lt;/b&gt;.&lt;/div&gt;]]>", "One word."),
        ("<![CDATA[&lt;p&gt; begins a paragraph.]]>", "<p> begins a paragraph."),
        ("<![CDATA[Write &lt;p&gt;text&lt;/p&gt;.]]>", "Write <p>text</p>."),
    ])
    func htmlThatIsEscapedTwice(description: String, text: String) throws {
        #expect(try rss("<title>x</title><description>\(description)</description>").text == text)
    }

    private func json(_ fields: String) throws -> Article {
        let feed = #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"a","# + fields + "}]}"
        return try #require(try Fixture.feed(xml: feed).entries.first)
    }

    @Test func titlesOfJSONFeed() throws {
        #expect(try json("\"title\":\"Cats &amp; dogs&#8217; 1 < 2\"").title == "Cats & dogs’ 1 < 2")
    }

    @Test(arguments: [
        "Uncategorized", "Uncategorised", "Sem categoria", "SIN CATEGORÍA", "Non classé", "Allgemein", "Без рубрики",
        "未分類",
    ])
    func theNameOfNoCategoryIsNone(name: String) throws {
        #expect(try rss("<title>x</title><category>\(name)</category>").category == .general)
        let two = try rss("<title>x</title><category>\(name)</category><category>Ferries</category>")
        #expect(two.category.name == "ferries")
    }

    // MARK: Addresses

    @Test func aListWithPasswordsKeepsThemToItself() throws {
        let opml = """
            <opml version='2.0'><body>
            <outline type='rss' text='1' xmlUrl='https://ana:secret@a.example/feed'/>
            <outline type='rss' text='2' xmlUrl='https://Bücher.example/feed'/>
            <outline type='rss' text='3' xmlUrl='https://xn--bcher-kva.example/feed/'/>
            <outline type='rss' text='4' xmlUrl='feed:https://ana:sec/ret@a.example/feed'/>
            </body></opml>
            """
        let list = try FeedList.parse(Data(opml.utf8), name: "list", now: Fixture.now)
        #expect(list.feeds.map(\.address) == ["https://xn--bcher-kva.example/feed"])
        #expect(list.refused.map(\.address) == ["https://a.example/feed", "feed:https://a.example/feed"])
        #expect(list.refused[0].reason.contains("password"))
    }
}
