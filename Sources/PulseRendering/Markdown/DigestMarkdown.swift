public import PulseCore

public import struct Foundation.TimeZone

/// The digest as a document in CommonMark: https://spec.commonmark.org
public enum DigestMarkdown {
    public static func render(_ digest: Digest, timeZone: TimeZone) -> String {
        let outline = DigestOutline(digest, timeZone: timeZone)
        let phrases = Phrases(outline.language)
        var blocks = ["# " + MarkdownText.line(outline.title)] + outline.opening.map(MarkdownText.line)
        for section in outline.sections {
            blocks.append("## " + MarkdownText.line(section.heading))
            if !section.entries.isEmpty { blocks.append(list(section.entries)) }
            if !section.titled.isEmpty { blocks += [MarkdownText.line(phrases.also), list(section.titled)] }
            if let omitted = section.omitted {
                blocks.append(MarkdownText.line(omitted.said) + " " + MarkdownText.code(omitted.command))
            }
        }
        blocks += ["## " + phrases.reading]
        blocks += [outline.topics.map { "- \(MarkdownText.line($0.name)): \($0.articles)" }.joined(separator: "\n")]
        if let times = outline.readingTimes { blocks.append(MarkdownText.line(times.told(phrases))) }
        blocks += ["---", outline.closing.map(MarkdownText.line).joined(separator: " ")]
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private static func list(_ entries: [DigestOutline.Entry]) -> String {
        entries.map { entry in
            let sources = entry.sources.map { MarkdownText.link(MarkdownText.line($0.name), $0.link) }
            return "\(entry.number). " + MarkdownText.line(entry.text)
                + (sources.isEmpty ? "" : " — " + sources.joined(separator: ", "))
        }.joined(separator: "\n")
    }
}
