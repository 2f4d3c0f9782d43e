import Foundation
import PulseCore

/// The digest as a mail's plain text: a line for each paragraph, which the reader's program breaks, and the addresses
/// of its sources to follow.
enum DigestLetter {
    static func render(_ outline: DigestOutline) -> String {
        let phrases = Phrases(outline.language)
        var blocks = [([outline.title] + outline.opening).joined(separator: "\n")]
        for section in outline.sections {
            blocks.append(heading(section.heading))
            blocks += section.entries.map(entry)
            if !section.titled.isEmpty {
                let titles = section.titled.map(title)
                blocks.append(([phrases.also] + titles).joined(separator: "\n"))
            }
            if let omitted = section.omitted { blocks.append(omitted.text) }
        }
        blocks.append(heading(phrases.reading))
        blocks.append(
            (outline.topics.map { "\($0.name): \($0.articles)" }
                + [outline.readingTimes?.told(phrases)].compactMap(\.self)).joined(separator: "\n"))
        blocks.append(outline.closing.joined(separator: "\n"))
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private static func heading(_ text: String) -> String {
        text + "\n" + String(repeating: "-", count: min(72, max(3, DisplayWidth.of(text))))
    }

    private static func entry(_ entry: DigestOutline.Entry) -> String {
        let margin = "\n" + String(repeating: " ", count: "\(entry.number). ".count)
        let sources = entry.sources.map { source in
            margin + source.name + (source.link.map { ": " + $0.address } ?? "")
        }
        return "\(entry.number). \(entry.text)" + sources.joined()
    }

    private static func title(_ entry: DigestOutline.Entry) -> String {
        let names = entry.sources.map(\.name).joined(separator: ", ")
        return "\(entry.number). \(entry.text)" + (names.isEmpty ? "" : " — " + names)
    }
}
