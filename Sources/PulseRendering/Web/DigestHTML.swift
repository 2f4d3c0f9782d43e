public import PulseCore

public import struct Foundation.TimeZone

/// The digest as an HTML page that loads nothing: no scripts and no images; links lead only to the articles. It is also
/// the HTML part of a mail.
///
/// Mail programs may drop the style sheet, the drawings, or both. So the markup alone is well ordered, elements have
/// inline styles for sizes and distances, and the style sheet only adds colours for light and dark, and print. No
/// element has an inline colour, so that a program that ignores the sheet uses its own colours.
public enum DigestHTML {
    public static func render(_ digest: Digest, timeZone: TimeZone) -> String {
        render(DigestOutline(digest, timeZone: timeZone))
    }

    static func render(_ outline: DigestOutline) -> String {
        PageHTML.render(title: outline.title, language: outline.language, body: body(outline))
    }

    /// The contents of the page's body.
    static func body(_ outline: DigestOutline) -> HTML {
        """
        \(header(outline))
        <main>
        \(sections(outline))
        \(StatisticsHTML.render(outline))
        </main>
        \(footer(outline))
        """
    }

    /// The digest's contents in a feed, which shows the title separately, and no drawings.
    static func content(_ outline: DigestOutline) -> HTML {
        """
        \(opening(outline))
        \(sections(outline))
        \(footer(outline))
        """
    }

    private static func sections(_ outline: DigestOutline) -> HTML {
        outline.sections.enumerated().map { section($1, number: $0 + 1, outline) }.joined("\n")
    }

    private static func opening(_ outline: DigestOutline) -> HTML {
        outline.opening.map { "<p class=\"aside\" style=\"margin:0 0 .3em\">\($0)</p>" as HTML }.joined("\n")
    }

    private static func header(_ outline: DigestOutline) -> HTML {
        let links = outline.sections.indices.map { index -> HTML in
            """
            <li style="display:inline-block;margin:0 1em 0 0"><a href="#topic-\(index + 1)" \
            style="display:inline-block;padding:.25em 0">\(outline.sections[index].heading)</a></li>
            """
        }
        return """
            <header>
            <h1 style="font-size:1.7em;line-height:1.2;margin:0 0 .5em">\(outline.title)</h1>
            \(opening(outline))
            <nav aria-label="\(outline.language.phrases.topics)">
            <ul style="list-style:none;margin:.6em 0 0;padding:0">
            \(links.joined("\n"))
            </ul>
            </nav>
            </header>
            """
    }

    private static func section(_ section: DigestOutline.Section, number: Int, _ outline: DigestOutline) -> HTML {
        let phrases = outline.language.phrases
        let hasWideNumbers = (outline.sections.last.flatMap { ($0.entries + $0.titled).last?.number } ?? 0) > 99
        // The same distance in two font sizes, so that all texts are aligned.
        let (column, small): (HTML, HTML) = hasWideNumbers ? ("2.64em", "3em") : ("2.2em", "2.5em")
        let aside: HTML = "font-size:.88em;line-height:1.45;padding:0 0 0 \(small)"
        var parts: [HTML] = []
        if !section.entries.isEmpty {
            parts.append(list(section.entries, "stories", "padding:0 0 0 \(column)", outline))
        }
        if !section.titled.isEmpty {
            parts.append("<p class=\"aside more\" style=\"\(aside);margin:.7em 0 .25em\">\(phrases.also)</p>\n")
            parts.append(list(section.titled, "titles", aside, outline))
        }
        if let omitted = section.omitted {
            let command = omitted.command.split(separator: " ").map { word -> HTML in
                // Keeps lines from breaking after an option's dashes.
                ["--since", "--category", "--source"].contains(word)
                    ? "<span class=\"whole\">\(String(word))</span>" : "\(String(word))"
            }
            parts.append(
                """
                <p class="aside more" style="\(aside);margin:.7em 0 0">\(omitted.words) \
                <code>\(command.joined(" "))</code></p>

                """)
        }
        return """
            <section aria-labelledby="topic-\(number)">
            <h2 id="topic-\(number)" \
            style="font-size:1.25em;line-height:1.3;margin:1.8em 0 .5em">\(section.heading)</h2>
            \(parts.joined())</section>
            """
    }

    private static func list(
        _ entries: [DigestOutline.Entry], _ name: HTML, _ style: HTML, _ digest: DigestOutline
    ) -> HTML {
        """
        <ol class="\(name)" start="\(entries.first?.number ?? 1)" style="margin:0;\(style)">
        \(entries.map { entry($0, digest) }.joined("\n"))
        </ol>

        """
    }

    private static func entry(_ entry: DigestOutline.Entry, _ digest: DigestOutline) -> HTML {
        // Isolated by `bdi`: text in another language may have another direction.
        let language: HTML = entry.language(in: digest.language).map { " lang=\"\($0)\"" } ?? ""
        var sources = entry.sources.map { source -> HTML in
            // A short name is not broken, and stays with the dash before it.
            let isShort = DisplayWidth.of(source.name) <= 26
            let name: HTML =
                isShort ? "<bdi class=\"whole\">\(source.name)</bdi>" : "<bdi class=\"name\">\(source.name)</bdi>"
            let preface: HTML = source.preface.map { "\($0) " } ?? ""
            guard let link = source.link else { return "\(preface)\(name)" }
            return "\(preface)<a href=\"\(link)\" rel=\"noreferrer\" title=\"\(source.title)\">\(name)</a>"
        }
        if !sources.isEmpty, let time = digest.published(entry.lead) { sources[0] = "\(sources[0])&nbsp;\(time)" }
        let sourceList: HTML =
            sources.isEmpty ? "" : " <span class=\"sources\">—&nbsp;\(sources.joined(", "))</span>"
        let label: HTML = entry.label.map { "<b>\($0)</b> " } ?? ""
        var text: HTML = "<bdi\(language)>\(words(entry.wording))</bdi>"
        if entry.isHeadline, let link = WebLink(entry.lead.url) {
            text = "<a class=\"headline\" href=\"\(link)\" rel=\"noreferrer\">\(text)</a>"
        }
        let lines = entry.lines.map { telling -> HTML in
            "<li style=\"margin:.2em 0\"><b>\(telling.label)</b> <bdi\(language)>\(words(telling.wording))</bdi></li>"
        }
        let below: HTML =
            lines.isEmpty
            ? "" : "<ul style=\"list-style:none;margin:.2em 0;padding:0 0 0 1em\">\(lines.joined())</ul>"
        return """
            <li id="story-\(entry.number)" value="\(entry.number)" style="margin:0 0 .5em">\
            \(label)\(text)\(sourceList)\(below)</li>
            """
    }

    /// Underlines unsupported words.
    private static func words(_ wording: Wording) -> HTML {
        wording.runs.map { run -> HTML in
            guard let link = run.link else { return run.isDoubtful ? "<u>\(run.text)</u>" : "\(run.text)" }
            return "<a href=\"\(link)\" rel=\"noreferrer\">\(run.text)</a>"
        }.joined("")
    }

    private static func footer(_ outline: DigestOutline) -> HTML {
        """
        <footer class="aside" style="margin:2.2em 0 0;padding:.9em 0 0;font-size:.88em;line-height:1.45">
        \(outline.closing.map { "<p style=\"margin:0 0 .4em\">\($0)</p>" as HTML }.joined("\n"))
        </footer>
        """
    }
}

/// Statistics: a table of the topics with a bar for each, and a chart of the reading times. For people who cannot see
/// these, the table has the bars' numbers, and a sentence describes the chart.
enum StatisticsHTML {
    static func render(_ outline: DigestOutline) -> HTML {
        let phrases = outline.language.phrases
        let times = outline.readingTimes.map { drawing($0, phrases) }
        return """
            <section aria-labelledby="reading">
            <h2 id="reading" style="font-size:1.25em;line-height:1.3;margin:1.8em 0 .5em">\(outline.numbersHeading)</h2>
            <table style="border-collapse:collapse;font-size:.88em;line-height:1.45">
            <thead><tr><th scope="col" style="\(cell)">\(phrases.topics)</th>\
            <th scope="col" style="\(cell)">\(outline.articlesHeading)</th></tr></thead>
            <tbody>
            \(rows(outline.topics).joined("\n"))
            </tbody>
            </table>
            \(times ?? "")</section>
            """
    }

    private static let cell: HTML = "text-align:left;font-weight:normal;padding:.15em 1em .15em 0"

    private static func rows(_ topics: [DigestOutline.Topic]) -> [HTML] {
        let most = max(1, topics.map(\.articles).max() ?? 1)
        return topics.map { topic in
            // A minimum, so that every topic is visible.
            let width = max(2, topic.articles * 120 / most)
            return """
                <tr><th scope="row" style="\(cell)"><bdi>\(topic.name)</bdi></th><td style="\(cell);white-space:nowrap">\
                <svg aria-hidden="true" focusable="false" width="\(width)" height="11" viewBox="0 0 \(width) 11">\
                <rect class="bar" fill="currentColor" width="\(width)" height="11"/></svg> \(topic.articles)</td></tr>
                """
        }
    }

    // MARK: - Reading times

    private static let height = 48
    private static let width = 320

    private static func drawing(_ times: ReadingTimes, _ phrases: Phrases) -> HTML {
        let slots = times.days.reduce(0) { $0 + $1.counts.count }
        let most = max(1, times.days.flatMap(\.counts).max() ?? 1)
        // In tenths of a unit, so that integers are precise enough.
        let step = width * 10 / max(1, slots)
        var bars: HTML = ""
        var labels: HTML = ""
        var slot = 0
        for day in times.days {
            let isLabelled = times.days.count <= ReadingTimes.mostNamedDays || slot.isMultiple(of: 7)
            if isLabelled {
                labels = labels + "<text class=\"scale\" x=\"\(tenths(slot * step))\" y=\"66\">\(day.label)</text>"
            }
            for count in day.counts {
                let tall = count == 0 ? 0 : max(3, count * height / most)
                let mark: HTML = """
                    <rect class="bar" x="\(tenths(slot * step))" y="\(height - tall)" \
                    width="\(tenths(step * 4 / 5))" height="\(tall)"/>
                    """
                if tall > 0 { bars = bars + mark }
                slot += 1
            }
        }
        return """
            <figure style="margin:1.2em 0 0">
            <svg role="img" aria-labelledby="times" aria-describedby="times-told" width="\(width)" height="72" \
            viewBox="0 0 \(width) 72" \
            style="max-width:100%;height:auto" fill="currentColor" font-size="11">
            <title id="times">\(phrases.times)</title>
            <desc id="times-told">\(times.sums ?? times.peak)</desc>
            \(bars)<rect class="ground" y="\(height)" width="\(width)" height="1"/>\(labels)
            </svg>
            <figcaption class="aside" \
            style="font-size:.88em;line-height:1.45;margin:.3em 0 0">\(times.sentence(phrases))</figcaption>
            </figure>

            """
    }

    private static func tenths(_ number: Int) -> HTML { "\(number / 10).\(number % 10)" }
}
