public import Foundation
public import PulseCore
import PulseText

/// The head of a page: its style sheet, and a policy that forbids loading anything.
enum PageHTML {
    /// Identifies the pages of a folder.
    static let generator: HTML = "<meta name=\"generator\" content=\"pulse-digest\">"

    static func render(title: String, language: Language, body: HTML, isPartOfFolder: Bool = false) -> String {
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            \(isPartOfFolder ? generator + "\n" : "")<title>\(title)</title>
            <style>
            \(sheet)
            </style>
            </head>
            <body style="margin:0">
            <div class="page" style="max-width:38em;margin:0 auto;padding:1.5em 1em 3em;\
            font-family:Charter,'Bitstream Charter',Georgia,Cambria,serif;font-size:1.06em;line-height:1.55;\
            overflow-wrap:anywhere">
            \(body)
            </div>
            </body>
            </html>

            """
        return page.source
    }

    /// The style sheet without the comment at its beginning.
    private static let sheet: HTML = {
        let file = String(decoding: PackageResources.page_css, as: UTF8.self)
        return HTML(embedded: file.split(separator: "*/\n", maxSplits: 1).last.map { $0.dropLast() } ?? "")
    }()
}

/// A folder of pages: one for each day, named `2026-11-21.html`, and an index.
public enum DigestPages {
    public static let indexName = "index.html"

    /// The name of a day's page.
    public static func name(of date: Date, timeZone: TimeZone) -> String { Day(date, in: timeZone).text + ".html" }

    /// A day's page: a link to the index, and the digest.
    public static func page(_ digest: Digest, timeZone: TimeZone) -> String {
        let outline = DigestOutline(digest, timeZone: timeZone)
        let body: HTML = """
            <p class="aside" style="font-size:.88em;margin:0 0 1em">\
            <a href="index.html">\(outline.language.phrases.archive)</a></p>
            \(DigestHTML.body(outline))
            """
        return PageHTML.render(title: outline.title, language: outline.language, body: body, isPartOfFolder: true)
    }

    /// - Parameter names: of the folder's files. Those that are not a day's are ignored.
    public static func index(of names: [String], language: Language) -> String {
        let days = names.sorted(by: >).compactMap { name -> HTML? in
            // Noon in UTC, which is formatted in UTC as the same day.
            guard name.hasSuffix(".html"), name.utf8.count == "2026-11-21.html".utf8.count,
                let noon = Timestamp.parse(String(name.dropLast(5)) + "T12:00Z", now: .distantPast)
            else { return nil }
            return
                "<li style=\"margin:0 0 .4em\"><a href=\"\(name)\">\(DateText.day(noon, in: .gmt, language))</a></li>"
        }
        let body: HTML = """
            <main>
            <h1 style="font-size:1.7em;line-height:1.2;margin:0 0 .8em">\(language.phrases.archive)</h1>
            <ul style="list-style:none;margin:0;padding:0">
            \(days.joined("\n"))
            </ul>
            </main>
            """
        return PageHTML.render(title: language.phrases.archive, language: language, body: body, isPartOfFolder: true)
    }

    /// Whether this program wrote the file, so that it may be overwritten.
    public static func isOwn(_ text: String) -> Bool { text.contains(PageHTML.generator.source) }
}

/// Markup that is safe by construction: literals are markup, and interpolated values are escaped. No other
/// initialiser is visible, so untrusted text cannot become markup.
struct HTML: ExpressibleByStringInterpolation, Sendable {
    let source: String

    init(stringLiteral literal: StaticString) { source = literal.description }

    init(stringInterpolation interpolation: StringInterpolation) { source = interpolation.source }

    private init(source: String) { self.source = source }

    /// - Parameter markup: of a file that is a part of the program.
    fileprivate init(embedded markup: Substring) { source = String(markup) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: StaticString) { source += literal.description }
        mutating func appendInterpolation(_ text: String) { source += PlainText.escaped(PlainText.printable(text)) }
        mutating func appendInterpolation(_ number: Int) { source += String(number) }
        mutating func appendInterpolation(_ html: HTML) { source += html.source }
        mutating func appendInterpolation(_ link: WebLink) { appendInterpolation(link.address) }
    }

    static func + (left: HTML, right: HTML) -> HTML { HTML(source: left.source + right.source) }
}

extension Sequence<HTML> {
    /// The concatenated pieces.
    func joined(_ separator: HTML = "") -> HTML {
        var all: HTML = ""
        var isFirst = true
        for piece in self {
            all = isFirst ? piece : all + separator + piece
            isFirst = false
        }
        return all
    }
}
