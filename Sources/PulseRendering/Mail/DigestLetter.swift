import Foundation
import PulseCore

/// The digest as a mail's plain text: a line for each paragraph, which the reader's program breaks, and the addresses
/// of its sources to follow.
enum DigestLetter {
    static func render(_ outline: DigestOutline) -> String {
        let phrases = Phrases(outline.language)
        var blocks = [outline.title + "\n" + outline.opening.joined(separator: "\n")]
        for section in outline.sections {
            blocks.append(heading(section.heading))
            blocks.append(section.sentences.map(sentence).joined())
            let entries = section.entries.map { entry($0, also: phrases.also) }
            blocks.append((entries + [section.more].compactMap(\.self)).joined(separator: "\n"))
        }
        let names = DocumentPhrases(outline.language)
        blocks.append(heading(names.reading))
        blocks.append(
            (outline.topics.map { "\($0.name): \($0.articles)" }
                + [outline.readingTimes?.told(names)].compactMap(\.self))
                .joined(separator: "\n"))
        blocks.append(outline.closing.sentences.joined(separator: " "))
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private static func sentence(_ sentence: DigestOutline.Sentence) -> String {
        sentence.gap + sentence.text + (sentence.marks.isEmpty ? "" : " " + sentence.marks.joined())
    }

    private static func heading(_ text: String) -> String {
        text + "\n" + String(repeating: "-", count: min(72, max(3, DisplayWidth.of(text))))
    }

    private static func entry(_ entry: DigestOutline.Entry, also: String) -> String {
        let number = "[\(entry.number)] "
        let indent = String(repeating: " ", count: number.count)
        let publication = entry.source.publication.isEmpty ? "" : " — " + entry.source.publication
        let lead = number + entry.source.title + publication + place(entry.source, indent)
        return lead + entry.others.map { "\n\(indent)\(also) \($0.name)" + place($0, indent) }.joined()
    }

    /// Where the source is: its address on a line of its own, or its name in the history.
    private static func place(_ source: DigestOutline.Source, _ indent: String) -> String {
        source.link.map { "\n\(indent)\($0.address)" } ?? " (\(source.key))"
    }
}
