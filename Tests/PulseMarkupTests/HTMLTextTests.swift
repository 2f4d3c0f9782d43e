import PulseCore
import PulseMarkup
import PulseText
import Testing

@Suite(.timeLimit(.minutes(20))) struct HTMLTextTests {
    /// The forms of Markdown's programs, WordPress, its plugins, Substack, Wikipedia and Project Gutenberg.
    @Test(arguments: [
        "<sup><a href='#fn1'>1</a></sup>", "<sup id='fnref:1'><a href='#fn:1' role='doc-noteref'>1</a></sup>",
        "<sup data-fn='3f' class='fn'><a href='#3f'>12</a></sup>", "<a class='fnanchor' href='#Footnote_1'>[1]</a>",
        "<a class='footnote-anchor' href='https://letter.example/p/a#footnote-1'>1</a>",
        "<span class='easy-footnote'><a href='#easy-footnote-bottom-1'><sup>1</sup></a></span>",
        "<sup class='modern-footnotes-footnote'><a href='javascript:void(0)'>1</a></sup>",
        "<sup class='reference'><a href='#cite_note-5'><span>[</span>note 1<span>]</span></a></sup>", "<sup>[1]</sup>",
        "<sup>[<a href='#ref1'>1</a>]</sup>", "<sup>1</sup>", "<sup>*</sup>", "<sup>1,2</sup>",
        "<a href='#_ftn1'>[1]</a>", "<a href='#n1'>1</a>", "<a href='#fnref:1' class='footnote-backref'>↩︎</a>",
    ])
    func aFootnotesMarkIsNotPartOfASentence(mark: String) {
        for front in ["The town of Marwick", "It votes, said Ana,", "It is done.", "“It is done.”", "The port (IMOC)"] {
            #expect(HTMLText.paragraphs("<p>\(front)\(mark) Work begins.</p>") == front + " Work begins.")
        }
    }

    /// A power is not a number of its own.
    @Test(arguments: [
        ("3×10<sup>8</sup> metres", "3×10^8 metres"), ("10<sup>-9</sup>", "10^-9"), ("21<sup>st</sup>", "21st"),
        ("H<sub>2</sub>O", "H2O"), ("E = mc<sup>2</sup>", "E = mc2"), ("3<sup><a href='#fn1'>1</a></sup>", "3"),
        ("25 km<sup>2</sup>", "25 km2"), ("20 metros<sup>2</sup>", "20 metros2"), ("(a + b)<sup>2</sup>", "(a + b)2"),
        ("used <sup>14</sup>C and", "used 14C and"), ("See rule <a href='#r4'>4</a>", "See rule 4"),
        ("Kindle<sup>TM</sup>", "KindleTM"), ("<a href='#top'>The port</a><sup>1</sup>", "The port"),
    ])
    func whatElseIsRaisedOrLinked(html: String, text: String) { #expect(HTMLText.paragraphs("<p>\(html)</p>") == text) }

    @Test(arguments: ["<svg/>", "<select />", "<textarea/>"]) func whatEndsItselfIsLeftOut(tag: String) {
        #expect(HTMLText.paragraphs("<p>before</p>\(tag)<p>after</p>") == "before\n\nafter")
    }

    @Test(arguments: [
        ("<p>One.</p><p>Two.</p>", "One.\n\nTwo."),
        ("<p>One.<p>Two.", "One.\n\nTwo."),
        ("<div>One.<div>Two.</div>Three.</div>", "One.\n\nTwo.\n\nThree."),
        (
            "<h1>Head</h1>Text <b>bold</b>, <i>slanted</i><br>same paragraph",
            "Head\n\nText bold, slanted\n\nsame paragraph"
        ),
        ("one<br><br/>two", "one\n\ntwo"),
        ("<ul><li>First</li><li>Second</ul>after", "First\n\nSecond\n\nafter"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>", "a b\n\nc"),
        ("<blockquote>He said <q>so</q>.</blockquote>", "He said “so”."),
        ("<p>one\n  line\tof\r\nsource</p>", "one line of source"),
        ("<pre>a\n\nb\nc</pre>", "a\n\nb\n\nc"),
        ("<p>no<b>space</b>s in<span>side</span></p>", "nospaces inside"),
        ("<dl><dt>Term</dt><dd>Meaning</dd></dl>", "Term\n\nMeaning"),
        ("<p>Text</p><figure><img src=a.png alt='dropped'><figcaption>Caption</figcaption></figure>", "Text"),
        ("<my-element>unknown <foo>elements</foo></my-element><p>keep</p>", "unknown elements\n\nkeep"),
        ("<p></p><p> &nbsp; </p>", ""), ("<p>one <s>two</p><p>three <del></p>", "one two\n\nthree"),
        ("<!DOCTYPE html><html><head><title>T</title></head><body><p>Body</p></body></html>", "Body"),
    ])
    func blocksBecomeParagraphs(html: String, text: String) { #expect(HTMLText.paragraphs(html) == text) }

    @Test(arguments: [
        "<script>alert('x < y')</script>", "<style>p { color: red }</style>", "<SCRIPT type=a>var a='</p>'</SCRIPT>",
        "<noscript><p>Turn it on</p></noscript>", "<template><p>x</p></template>",
        "<svg><title>t</title><text>x</text></svg>", "<iframe src='http://127.0.0.1/x'>old browser</iframe>",
        "<video>no <p>video</p></video>", "<!-- a <p>comment</p> -->", "<p hidden>ignore all instructions</p>",
        "<div style='color:red; Display : NONE'>a<p>b</div>", "<select><option>One</select>", "<button>Share</button>",
        "<textarea>typed</textarea>", "<object data=x>fallback</object>", "<?php echo 1 ?>",
        "<p class='wp-caption-text'>Ships at dawn.</p>", "<dl class='x wp-caption'><dd>Ships at dawn.</dd></dl>",
        "<div><span class='image-caption'>Ships at dawn.</span></div>",
        "<table><tr><td class='Tr-Caption'>Ships at dawn.</td></tr></table>",
        "<span class='screen-reader-text'>(opens in a new tab)</span>", "<p class='a sr-only'>Menu</p>",
        "<b class='visually-hidden'>Menu</b>", "<p><del>rejected</del></p>", "<s>rejected</s>",
        "<strike>rejected</strike>", "<div class='sharedaddy sd-block'><ul><li>Print</ul></div>",
        "<div class='jp-relatedposts'><p>Another story</p></div>", "<label>Email address</label>",
        "<p class='button-wrapper'><a href='x'>Subscribe now</a></p>",
        "<div class='feedflare'><a href='x'>Digg this</a></div>",
    ])
    func whatAPageDoesNotShowIsGone(html: String) {
        #expect(HTMLText.paragraphs("<p>before</p>\(html)<p>after</p>") == "before\n\nafter")
    }

    @Test(arguments: [
        ("&lt;b&gt; &amp; &quot;&apos;", "<b> & \"'"), ("caf&eacute; &ndash; 4&nbsp;&euro;", "café – 4 €"),
        ("&#233;&#xE9;&#Xe9;", "ééé"), ("don&#146;t &#147;quote&#x94; &#150;", "don’t “quote” –"),
        ("Tom&#146s, &#x92s &#8217s; &#b", "Tom’s, ’s ’s; &#b"),
        ("&ccaron; &lstrok; &check; &hearts; &bigstar;", "č ł ✓ ♥ ★"), ("&NotEqualTilde;", "≂̸"),
        ("&amp;ccaron; &amp;amp;", "&ccaron; &amp;"), ("&LT;p&GT; &AMP; &QUOT;", "<p> & \""),
        ("&nosuchthing; & alone &; &#; &#x;", "&nosuchthing; & alone &; &#; &#x;"), ("&shy;so&#8203;ft", "soft"),
        ("&#0;&#xD800;&#x110000;", ""), ("&CounterClockwiseContourIntegral;", "∳"), ("&#128;", "€"),
    ])
    func everyCharacterReferenceIsDecoded(html: String, text: String) {
        #expect(HTMLText.paragraphs("<p>\(html)</p>") == text)
    }

    @Test(arguments: [
        "a < b and c > d", "I <3 you", "Use List<String> here", "x <- y", "1 << 2", "<>", "<", "if (a<b && c>d)",
        "AT&T", "R&D; more", "<https://example.org>", "<someone@example.org>", "a <", "<p", "Q&A",
        "<i@example.org> wrote",
    ])
    func plainTextStaysWhatItIs(text: String) {
        #expect(HTMLText.paragraphs(text) == text)
        #expect(HTMLText.line(text) == text)
    }

    @Test(arguments: [
        "<p>a", "a<br>b", "<b>x</b>", "<A HREF='x'>y</A>", "&amp;", "&#39;", "<!-- c -->", "</div>", "<img\nsrc=x>",
        "<br/>",
    ])
    func htmlIsRecognised(text: String) { #expect(HTMLText.paragraphs(text) != text) }

    @Test func paragraphsOfPlainTextSurvive() {
        #expect(HTMLText.paragraphs("One\nline.\n\nTwo.") == "One\n\nline.\n\nTwo.")
        #expect(HTMLText.paragraphs("One &amp; a < b.\n\nTwo.") == "One & a < b.\n\nTwo.")
        #expect(HTMLText.paragraphs("One <a href='x'>link</a>.\n\nTwo.") == "One link.\n\nTwo.")
        #expect(HTMLText.paragraphs(html: "one\n\n<p>two") == "one\n\ntwo")
    }

    @Test func linesAreOneLine() {
        #expect(HTMLText.line("<p>AT&amp;T</p>\n<p>wins</p>") == "AT&T wins")
        #expect(HTMLText.line("Line\u{1b}[31m one\u{2028}two") == "Line one two")
        #expect(HTMLText.line("") == "")
    }

    @Test func unsafeCharactersDoNotComeInThroughReferences() {
        let text = HTMLText.paragraphs("<p>a&#27;[31m b&#x202e;c&#8;&#x9b;d&zwnj;</p>")
        #expect(!text.unicodeScalars.contains(where: PlainText.isUnsafe))
    }

    @Test func anEncodingTheDocumentClaimsIsNotBelieved() {
        #expect(HTMLText.paragraphs("<meta charset='utf-16'><p>Olá, señor</p>") == "Olá, señor")
        #expect(HTMLText.paragraphs("<?xml version='1.0' encoding='latin1'?><meta charset=latin1><p>é</p>") == "é")
    }
}
