import Foundation
import PulseTestSupport
import Testing

@testable import PulseMarkup

/// Each parser of this module with the shapes that are the worst for its loops: cost grows as the input does.
@Suite(.timeLimit(.minutes(10))) struct GrowthTests {
    private static func xml(_ name: String, _ make: @escaping @Sendable (Int) -> String) -> GrowthCase {
        GrowthCase("XMLReader: \(name)") {
            "<r>\(make($0))</r>"
        } _: {
            XMLReader.read($0, unnested: ["item"]) { _ in true }
        }
    }

    private static func html(_ name: String, _ make: @escaping @Sendable (Int) -> String) -> GrowthCase {
        GrowthCase("HTMLText: \(name)", make) { _ = HTMLText.paragraphs(html: $0) }
    }

    private static func line(_ name: String, _ make: @escaping @Sendable (Int) -> String) -> GrowthCase {
        GrowthCase("HTMLText.line: \(name)", make) {
            _ = HTMLText.line($0)
            _ = HTMLText.title($0)
            _ = HTMLText.isMarkup($0)
        }
    }

    private static func charset(_ name: String, _ label: String, _ bytes: [UInt8]) -> GrowthCase {
        .of("Charset: \(name)") { size in
            Data((0..<size).flatMap { _ in bytes })
        } _: {
            _ = Charset.decode(page: $0, contentType: "text/html; charset=\(label)")
        }
    }

    static let cases: [GrowthCase] =
        [
            "<a b=\"<a\" ", "<a b='<a' b=\"<a\" ", "<a", "<a ", "<a b", "<a b=", "<a b='", "<a b=\"", "<a b=x ", "<a/",
            "</a", "</a ", "</", "<", "&", "&a", "&#", "&amp;", "<![CDATA[", "<![CDATA[x]]>", "<!--", "<!-- -->", "<?",
            "<!", "<b/>", "<b>x</b>", "<b>", "</b>", "<item>", "<item><b>", "<b a='1' a='1'/>", "<x:b xmlns:x='u'/>",
            "<br>", "\u{1}", "\u{fffe}", " ", "<b\n\n", "<b a  = 'x'>", "'\"",
        ].map { xml($0, pieces($0)) }
        + [
            xml("attributes of one tag") { "<b " + (0..<$0).map { "a\($0)=''" }.joined(separator: " ") + "/>" },
            xml("names") { (0..<$0).map { "<n\($0)/>" }.joined() },
            xml("namespaces") { (0..<$0).map { "<p\($0):b xmlns:p\($0)='u\($0)'/>" }.joined() },
            xml("one long name") { "<b" + String(repeating: "b", count: $0) },
            xml("one long value") { "<b a='" + String(repeating: "&lt;", count: $0) + "'/>" },
            GrowthCase("XMLReader: a DOCTYPE", pieces("<!ENTITY a \"b\">[]'")) {
                XMLReader.read("<!DOCTYPE r [" + $0 + "]><r/>") { _ in true }
            },
        ]
        + [
            "<select>", "<select ", "<select x=", "<select></select>", "</select>", "<script>", "<script><!--", "<!--",
            "<!-- -->", "<!-->", "<b ", "<b x", "<b x='", "<b x=\"", "<b x=y ", "<a href='<'>", "<b>", "</b>", "<p>",
            "<b></i>", "<![CDATA[", "]]>", "<![CDATA[ ]]>", "&", "&amp", "&amp;", "&#x", "&lt;b&gt;", "<", "<a", "<q>",
            "<b style='display:none'>", "<table>", "<td>", "<li>", "<svg><title>", "\u{0}", "<br>", "<b/>", "<b  ",
            "<title>", "<sup>1</sup>", "a<sup>1</sup>", "<sup>", "<a href='#n'>1</a>", "<a href='#n'>",
            "<sup><a>1</a></sup>", "<b class='a b c'>", "<del>", "&lt;p&gt;x&lt;/p&gt;",
        ].map { html($0, pieces($0)) }
        + [
            html("attributes of one tag") { "<b " + (0..<$0).map { "a\($0)=''" }.joined(separator: " ") + ">x</b>" },
            html("names") { (0..<$0).map { "<n\($0)>" }.joined() },
        ]
        + [
            "<", "<b", "<b ", "</b", "</b>", "<b x", "<b x-", "<select>", "&amp;", "&", "<br", "<b/", "<foo", "<!",
            "a <br> ",
        ]
        .map { line($0, pieces($0)) }
        + [
            charset("what EUC-JP has not", "euc-jp", [0xff]), charset("halves of EUC-JP", "euc-jp", [0xa5, 0x41]),
            charset("what windows-1252 has not", "windows-1252", [0x81]), charset("escapes", "iso-2022-jp", [0x1b]),
            charset("four bytes of GB18030", "gb18030", [0x81, 0x30, 0x81]),
            charset("UTF-8 cut", "utf-8", [0xe2, 0x82]),
            charset("accents", "windows-1258", [0x41, 0xcc]), charset("meta", "", Array("<meta charset".utf8)),
        ]
        + [
            GrowthCase("JSONObject: halves of surrogates", pieces("\\ud800")) {
                _ = JSONObject(Data("{\"a\":\"\($0)\"}".utf8))
            },
            GrowthCase("JSONObject: backslashes", pieces("\\")) { _ = JSONObject(Data("{\"a\":\"\($0)".utf8)) },
            GrowthCase("ArticleURL: folders", pieces("../a/")) {
                _ = ArticleURL.resolve($0, base: "https://a.example/b")
            },
            GrowthCase("ArticleURL: users", pieces("a@b:")) { _ = ArticleURL.resolve("https://" + $0, base: nil) },
            GrowthCase("ArticleURL: a host", pieces("ü.")) { _ = ArticleURL.resolve("https://" + $0, base: nil) },
            GrowthCase("SourceTime", pieces("1 (")) { _ = SourceTime.parse($0, now: .now, isFeed: true) },
        ]

    @Test(arguments: cases) func costGrowsWithTheInput(_ growth: GrowthCase) throws { try growth.check() }
}
