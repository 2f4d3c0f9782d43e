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
            blocks.append(paragraph(section))
            blocks.append(section.entries.map { entry($0, also: phrases.also) }.joined(separator: "\n"))
            if let more = section.more { blocks.append(MarkdownText.line(more)) }
        }
        blocks += statistics(outline)
        blocks.append("---")
        blocks.append(outline.closing.sentences.map(MarkdownText.line).joined(separator: " "))
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private static func paragraph(_ section: DigestOutline.Section) -> String {
        let links = Dictionary(uniqueKeysWithValues: section.entries.map { ($0.number, $0.source.link) })
        return section.sentences.map { sentence in
            let marks =
                sentence.isDoubtful
                ? "\\[?\\]" : sentence.numbers.map { MarkdownText.link("\\[\($0)\\]", links[$0] ?? nil) }.joined()
            return sentence.gap + MarkdownText.line(sentence.text) + (marks.isEmpty ? "" : " " + marks)
        }.joined()
    }

    private static func entry(_ entry: DigestOutline.Entry, also: String) -> String {
        let number = "\(entry.number). "
        let indent = String(repeating: " ", count: number.count)
        let others = entry.others.map { "\n\(indent)- \(also) \(other($0))" }.joined()
        return number + source(entry.source) + others
    }

    private static func source(_ source: DigestOutline.Source) -> String {
        let publication = source.publication.isEmpty ? "" : " — " + MarkdownText.line(source.publication)
        return MarkdownText.link(MarkdownText.line(source.title), source.link) + publication + key(source)
    }

    private static func other(_ source: DigestOutline.Source) -> String {
        MarkdownText.link(MarkdownText.line(source.name), source.link) + key(source)
    }

    /// What cannot be followed can be read again by its name.
    private static func key(_ source: DigestOutline.Source) -> String { source.link == nil ? " `\(source.key)`" : "" }

    private static func statistics(_ outline: DigestOutline) -> [String] {
        let phrases = DocumentPhrases(outline.language)
        let topics = outline.topics.map { "- \(MarkdownText.line($0.name)): \($0.articles)" }.joined(separator: "\n")
        return ["## " + phrases.reading, topics]
            + [outline.readingTimes?.told(phrases)].compactMap(\.self).map(MarkdownText.line)
    }
}
