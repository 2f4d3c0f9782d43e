public import Foundation
public import PulseCore

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
