public import Foundation
public import PulseCore
import PulseText

/// A whole page around a body. Its head has the style sheet, and a policy that forbids loading anything.
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
        return HTML(markup: file.split(separator: "*/\n", maxSplits: 1).last.map { $0.dropLast() } ?? "")
    }()
}

/// A folder of pages: one for each day, named `2026-11-21.html`, one for each week, named `week-2026-11-21.html` by its
/// last day, and an index. They link to one another.
public struct DigestPages {
    public static let indexName = "index.html"

    /// The oldest first.
    private let pages: [Page]
    private let language: Language

    /// - Parameter names: of the folder's files. Those that are no page are ignored.
    public init(_ names: [String], in language: Language) {
        pages = names.compactMap(Page.init).sorted()
        self.language = language
    }

    /// A page, by its file name.
    private struct Page: Comparable {
        let name: String
        /// Its last day, as noon in UTC, which is formatted in UTC as the same day.
        let noon: Date
        let isWeek: Bool

        /// Nil for files that are not this program's pages.
        init?(_ name: String) {
            isWeek = name.hasPrefix("week-")
            let day = name.dropFirst(isWeek ? 5 : 0)
            guard day.hasSuffix(".html"), day.utf8.count == "2026-11-21.html".utf8.count,
                let noon = Timestamp.parse(String(day.dropLast(5)) + "T12:00Z", now: .distantPast)
            else { return nil }
            (self.name, self.noon) = (name, noon)
        }

        /// A week sorts after its days.
        static func < (left: Page, right: Page) -> Bool {
            left.noon == right.noon ? !left.isWeek && right.isWeek : left.noon < right.noon
        }

        private static let sixDays = 6.0 * 86_400

        /// Whether one of the two is a week, and the other is one of its days.
        func isWeekAndDay(with other: Page) -> Bool {
            let (week, day) = isWeek ? (self, other) : (other, self)
            return isWeek != other.isWeek && day.noon <= week.noon && day.noon >= week.noon - Page.sixDays
        }

        func title(in language: Language) -> String {
            isWeek
                ? DateText.days(of: Period(from: noon - Page.sixDays, to: noon), in: .gmt, language)
                : DateText.day(noon, in: .gmt, language)
        }
    }

    public static func name(of digest: Digest, timeZone: TimeZone) -> String {
        (digest.isWeek ? "week-" : "") + Day(digest.date, in: timeZone).text + ".html"
    }

    /// A digest's page; `linked` puts the links to others into it.
    public static func page(_ digest: Digest, timeZone: TimeZone) -> String {
        let outline = DigestOutline(digest, timeZone: timeZone)
        let body: HTML = "\(links([], in: outline.language))\n\(DigestHTML.body(outline))"
        return PageHTML.render(title: outline.title, language: outline.language, body: body, isPartOfFolder: true)
    }

    /// The line of links: the index, the previous page, the week of a day or the days of a week, the next page.
    private static func links(_ links: [HTML], in language: Language) -> HTML {
        let all = ["<a href=\"\(indexName)\">\(language.phrases.archive)</a>"] + links
        return "<p class=\"aside pages\" style=\"font-size:.88em;margin:0 0 1em\">\(all.joined(" · "))</p>"
    }

    /// The pages that one links to: the previous and next of its kind; the days of a week, or the weeks of a day.
    private func neighbours(of page: Page) -> (before: Page?, parts: [Page], after: Page?) {
        (
            pages.last { $0.isWeek == page.isWeek && $0 < page }, pages.filter { $0.isWeekAndDay(with: page) },
            pages.first { $0.isWeek == page.isWeek && page < $0 }
        )
    }

    public func beside(_ name: String) -> [String] {
        guard let page = Page(name) else { return [] }
        let (before, parts, after) = neighbours(of: page)
        return ([before, after].compactMap(\.self) + parts).map(\.name)
    }

    /// The text of a page with links to its neighbours.
    public func linked(_ text: String, named name: String) -> String {
        guard let page = Page(name), let old = text.firstRange(of: /<p class="aside pages"[^\n]*<\/p>/) else {
            return text
        }
        let (before, parts, after) = neighbours(of: page)
        func link(_ other: Page?, _ before: HTML = "", _ after: HTML = "") -> [HTML] {
            other.map { ["\(before)<a href=\"\($0.name)\">\($0.title(in: language))</a>\(after)"] } ?? []
        }
        let line = Self.links(
            link(before, "← ") + (page.isWeek ? parts : Array(parts.prefix(1))).flatMap { link($0) }
                + link(after, "", " →"), in: language)
        return text.replacingCharacters(in: old, with: line.source)
    }

    public var index: String {
        let items = pages.reversed().map { page -> HTML in
            let link: HTML = "<a href=\"\(page.name)\">\(page.title(in: language))</a>"
            return "<li style=\"margin:0 0 .4em\">\(page.isWeek ? "<b>\(link)</b>" : link)</li>"
        }
        let body: HTML = """
            <main>
            <h1 style="font-size:1.7em;line-height:1.2;margin:0 0 .8em">\(language.phrases.archive)</h1>
            <ul style="list-style:none;margin:0;padding:0">
            \(items.joined("\n"))
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

    /// - Parameter markup: Of this type, or of a file that is a part of the program.
    fileprivate init(markup: some StringProtocol) { source = String(markup) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: StaticString) { source += literal.description }
        mutating func appendInterpolation(_ text: String) { source += PlainText.escaped(PlainText.printable(text)) }
        mutating func appendInterpolation(_ number: Int) { source += String(number) }
        mutating func appendInterpolation(_ html: HTML) { source += html.source }
        mutating func appendInterpolation(_ link: WebLink) { appendInterpolation(link.address) }
    }

    static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.source + right.source) }
}

extension Sequence<HTML> {
    func joined(_ separator: HTML = "") -> HTML { HTML(markup: map(\.source).joined(separator: separator.source)) }
}
