import PulseCore

/// Statistics: a table of the topics with a bar for each, and a chart of the reading times. For people who cannot see
/// them, the bars repeat the table's numbers, and a sentence repeats the chart.
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

    // MARK: - When was read

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
