public import PulseCore

public import struct Foundation.TimeZone

/// The digest as one page of HTML that needs nothing else: no script, nothing from anywhere, no link but to the
/// articles. The same page is a mail's HTML part.
///
/// Mail programs drop parts of a page: some its style sheet, some its drawings, some both. So the markup alone is in
/// order, sizes and distances stand in the elements, and the sheet adds what those cannot say: colours for light and
/// dark, and print. No colour stands in an element, so that a program that knows nothing of the sheet shows its own.
public enum DigestHTML {
    public static func render(_ digest: Digest, timeZone: TimeZone) -> String {
        let outline = DigestOutline(digest, timeZone: timeZone)
        let body: HTML = """
            \(header(outline))
            <main>
            \(outline.sections.enumerated().map { section($1, number: $0 + 1, outline) }.joined("\n"))
            \(StatisticsHTML.render(outline))
            </main>
            \(footer(outline))
            """
        return PageHTML.render(title: outline.title, language: outline.language, body: body)
    }

    private static func header(_ outline: DigestOutline) -> HTML {
        let lines = outline.opening.map { "<p class=\"aside\" style=\"margin:0 0 .3em\">\($0)</p>" as HTML }
        let links = outline.sections.indices.map { index -> HTML in
            """
            <li style="display:inline-block;margin:0 1em 0 0"><a href="#topic-\(index + 1)" \
            style="display:inline-block;padding:.25em 0">\(outline.sections[index].heading)</a></li>
            """
        }
        return """
            <header>
            <h1 style="font-size:1.7em;line-height:1.2;margin:0 0 .5em">\(outline.title)</h1>
            \(lines.joined("\n"))
            <nav aria-label="\(DocumentPhrases(outline.language).topics)">
            <ul style="list-style:none;margin:.6em 0 0;padding:0">
            \(links.joined("\n"))
            </ul>
            </nav>
            </header>
            """
    }

    private static func section(_ section: DigestOutline.Section, number: Int, _ outline: DigestOutline) -> HTML {
        let phrases = DocumentPhrases(outline.language)
        let language = section.language.map { " lang=\"\($0)\"" as HTML }
        let entries = section.entries.map { entry($0, also: Phrases(outline.language).also) }
        let more = section.more.map {
            "<p class=\"aside more\" style=\"margin:.4em 0 0;font-size:.88em\">\($0)</p>\n" as HTML
        }
        return """
            <section aria-labelledby="topic-\(number)">
            <h2 id="topic-\(number)" style="font-size:1.25em;line-height:1.3;margin:1.8em 0 .4em">\(section.heading)</h2>
            <p\(language ?? "") style="margin:0 0 .8em">\(section.sentences.map(sentence).joined())</p>
            <ol class="sources" aria-label="\(phrases.sources(section.heading))" start="\(section.entries.first?.number ?? 1)" \
            style="margin:0;padding:0 0 0 2em;font-size:.88em;line-height:1.45">
            \(entries.joined("\n"))
            </ol>
            \(more ?? "")</section>
            """
    }

    private static func sentence(_ sentence: DigestOutline.Sentence) -> HTML {
        let marks: HTML =
            sentence.isDoubtful
            ? "<a class=\"mark\" href=\"#doubts\">[?]</a>"
            : sentence.numbers.map { "<a class=\"mark\" href=\"#source-\($0)\">[\($0)]</a>" }.joined()
        // A mark never stands alone at the beginning of a line.
        return "\(sentence.gap)<bdi>\(sentence.text)</bdi>" + (sentence.marks.isEmpty ? "" : "&nbsp;" + marks)
    }

    private static func entry(_ entry: DigestOutline.Entry, also: String) -> HTML {
        let publication: HTML =
            entry.source.publication.isEmpty
            ? "" : " <span class=\"aside\">—&nbsp;<bdi>\(entry.source.publication)</bdi></span>"
        let others = entry.others.map { other -> HTML in
            "<br><span class=\"aside\">\(also)</span> \(SourceHTML.link(other, text: other.name))\(SourceHTML.key(other))"
        }
        return """
            <li id="source-\(entry.number)" value="\(entry.number)" style="margin:0 0 .35em">\
            \(SourceHTML.link(entry.source, text: entry.source.title))\(publication)\(SourceHTML.key(entry.source))\(others.joined())</li>
            """
    }

    private static func footer(_ outline: DigestOutline) -> HTML {
        func paragraph(_ text: String) -> HTML { "<p style=\"margin:0 0 .4em\">\(text)</p>\n" }
        let closing = outline.closing
        let doubts = closing.doubts.map { "<p id=\"doubts\" style=\"margin:0 0 .4em\">\($0)</p>\n" as HTML }
        return """
            <footer class="aside" style="margin:2.2em 0 0;padding:.9em 0 0;font-size:.88em;line-height:1.45">
            \(paragraph(closing.writing.joined(separator: " ")))\(doubts ?? "")\(closing.readAgain.map(paragraph) ?? "")\
            </footer>
            """
    }
}

/// An article, as a link where it has an address.
enum SourceHTML {
    static func link(_ source: DigestOutline.Source, text: String) -> HTML {
        // The title is in a language and runs in a direction of its own.
        let language: HTML = source.language.map { " lang=\"\($0)\"" } ?? ""
        let title: HTML = "<bdi\(text == source.title ? language : "")>\(text)</bdi>"
        guard let link = source.link else { return title }
        return "<a href=\"\(link)\" rel=\"noreferrer\">\(title)</a>"
    }

    /// Its name in the history, where it has no address.
    static func key(_ source: DigestOutline.Source) -> HTML {
        source.link == nil ? " <code class=\"aside\">\(source.key)</code>" : ""
    }
}
