import Testing

@testable import PulseMarkup

/// Input made to break a parser. That these come back at all is most of what they test.
@Suite(.timeLimit(.minutes(20))) struct HTMLHostileTests {
    @Test(arguments: [
        "<p>word", "word</p></div></b>", "<b><i>word</b></i>", "<p class='x>word' >word</p>", "<p>word</p\n>",
        "<<p>>word", "word<", "<p>\u{0}wo\u{0}rd word</p>", "<p>word\u{fffe}</p>", "</br>word",
        "<html><html><body><body>word", "<table>word<tr>", "word<!-- never closed", "<![CDATA[x]]><p>word",
        "<p/>word<div/>", "<svg/>word", "<script/>word", "<p>word<script>never closed",
    ])
    func whateverIsWrongTheWordsStay(html: String) {
        #expect(HTMLText.paragraphs(html).contains("word"), "\(HTMLText.paragraphs(html))")
    }

    @Test func tenMegabytesOfText() {
        let html = "<p>" + String(repeating: "Some words. ", count: 900_000) + "</p><p>end</p>"
        let text = HTMLText.paragraphs(html)
        #expect(text.hasSuffix("words.\n\nend"))
        #expect(text.utf8.count == 900_000 * 12 - 1 + 5)
    }

    @Test func aHundredThousandParagraphs() {
        let text = HTMLText.paragraphs(String(repeating: "<p>x</p>", count: 100_000))
        #expect(text.utf8.count == 3 * 100_000 - 2)
    }

    @Test(arguments: ["<div>", "<b>", "<ul><li>", "<blockquote>", "<x>", "<table><tr><td>"])
    func nestingMayHaveNoEnd(tag: String) {
        let html = "<p>start</p>" + String(repeating: tag, count: 20_000) + "middle</nothing>" + "<p>end</p>"
        let text = HTMLText.paragraphs(html)
        #expect(text.hasPrefix("start") && text.contains("middle") && text.hasSuffix("end"))
    }

    @Test func deepAndThenEndTagsThatFitNothing() {
        let html = String(repeating: "<b>", count: 20_000) + "word" + String(repeating: "</i>", count: 100_000)
        #expect(HTMLText.paragraphs(html) == "word")
    }

    @Test func deepAndHidden() {
        let html =
            String(repeating: "<b>", count: 5000) + "seen<script>var hidden = '<p>'</script><!-- > hidden --> also"
        #expect(HTMLText.paragraphs(html) == "seen also")
    }

    @Test(
        arguments: ["<", "<a", "<a ", "&", "&a", "&#", "<!--", "</", "<a href='", "<?"])
    func markupMayNeverBeFinished(piece: String) {
        let text = HTMLText.paragraphs("<p>word</p>" + String(repeating: piece, count: 50_000))
        #expect(text.hasPrefix("word"))
    }

    @Test func manyUnknownTagsBeforeTheLastBracket() {
        let text = String(repeating: "<foo", count: 100_000) + ">"
        #expect(HTMLText.paragraphs(text) == text)
    }

    // MARK: What libxml2 is never handed

    func bounded(_ html: String) -> String { String(decoding: HTMLBounding.bounded(Array(html.utf8)), as: UTF8.self) }

    /// libxml2 compares each attribute of a tag with all before it.
    @Test(arguments: [" a", " a=1", " a='1'", "\ta = \"1\"", "/a", " =", " '", " a=1/", " a = >"])
    func attributesWithoutEnd(piece: String) {
        let tag = "<p" + String(repeating: piece, count: 20_000)
        let attributes = bounded(tag + ">text</p>").prefix { $0 != ">" }
        #expect(attributes.utf8.count <= 2 + (HTMLBounding.mostAttributes + 1) * 4 * piece.utf8.count)
        #expect(HTMLText.paragraphs(tag + ">text</p>").hasSuffix("text"))
    }

    @Test func aTagOfHalfAMegabyte() {
        let value = String(repeating: "x", count: 500_000)
        #expect(bounded("<img src='data:\(value)' hidden>text") == "<img hidden>text")
        #expect(HTMLText.paragraphs("<p title='>\(value)'>text</p>") == "text")
        #expect(HTMLText.paragraphs("<p title=\(value)>text</p>") == "text")
        #expect(HTMLText.paragraphs("<p>text</p><\(value)>") == "text")
    }

    @Test func ordinaryTagsStayAsTheyAre() {
        let long = "<a href='https://example.org/\(String(repeating: "x", count: 900))' title=\"a > b\">text</a> a < b"
        #expect(bounded(long) == long)
        #expect(bounded("<p hidden a=1>x</p>") == "<p hidden a=1>x</p>")
    }

    @Test func cdataIsTextAndItsMarksAreNot() {
        #expect(HTMLText.paragraphs("<p><![CDATA[One]]> and <![CDATA[two]]></p>") == "One and two")
        #expect(HTMLText.paragraphs(String(repeating: "<![CDATA[", count: 20_000) + "<p>text</p>") == "text")
        #expect(HTMLText.paragraphs("<p>text ]]></p>") == "text ]]>")
    }

    @Test(arguments: [
        "<!a>", "<?a>", "<!-->", "</i>", "<b><p>", "<li>", "<a href=x>", "&#233;", "&amp;", "&", "<", "<br>",
        "<script></script>", "<html a=1>", "\u{0}",
    ])
    func anyNumberOfMarksLeavesTheTextThatIsThere(piece: String) {
        let flood = String(repeating: piece, count: 100_000 / piece.utf8.count)
        #expect(HTMLText.paragraphs("<p>text</p>" + flood + "<p>end</p>").hasPrefix("text"))
        #expect(HTMLText.paragraphs(flood + "<p>end</p>").hasSuffix("end"))
    }

    @Test func aTextOfMegabytesOfTagsIsReadToItsEnd() {
        let flood = (0..<400_000).map { "<t\($0)>" }.joined()
        #expect(HTMLText.paragraphs("<p>text</p>" + flood + "<p>end</p>") == "text\n\nend")
    }
}
