public import PulseCore
import PulseText

public import struct Foundation.TimeZone

/// A digest or summary for speech: plain sentences, a paragraph a line, without sources, URLs and commands. Headings
/// are sentences.
public struct SpeechText: Sendable, Hashable {
    public struct Paragraph: Sendable, Hashable {
        /// One line.
        public let text: String
        /// A BCP 47 tag: the language of the text.
        public let language: String
    }

    public let paragraphs: [Paragraph]

    public init(_ digest: Digest, timeZone: TimeZone) {
        let outline = DigestOutline(digest, timeZone: timeZone)
        let phrases = outline.language.phrases
        let isMixed = digest.sentences.contains { !$0.isQuotation }
        var speech = Draft(language: digest.language)
        speech.add(outline.title)
        outline.opening.forEach { speech.add($0) }
        for section in outline.sections {
            speech.add(section.heading)
            for entry in section.entries {
                // Speech has no quotation marks that distinguish the publication's words from the model's.
                if isMixed, entry.isQuotation, let source = entry.sources.first {
                    speech.add(phrases.writes(source.name))
                }
                speech.add(entry)
            }
            if !section.titled.isEmpty { speech.add(phrases.also) }
            for entry in section.titled { speech.add(entry) }
            if let omitted = section.omitted { speech.add(omitted.count) }
        }
        // Commands are not spoken.
        for sentence in outline.closing where sentence != phrases.readOn { speech.add(sentence) }
        paragraphs = speech.paragraphs
    }

    public init(_ summary: Summary) {
        var speech = Draft(language: summary.language)
        // A piped text has no title.
        if !summary.article.title.isEmpty {
            let source = DigestOutline.Source(summary.article)
            speech.add(source.title, of: summary.article)
            speech.add(source.publication, of: summary.article)
        }
        speech.add(summary.text, of: summary.article)
        SummaryText.notes(summary).forEach { speech.add($0) }
        paragraphs = speech.paragraphs
    }

    /// Each paragraph on a line of its own.
    public var text: String { paragraphs.map { $0.text + "\n" }.joined() }
}

private struct Draft {
    let language: Language
    var paragraphs: [SpeechText.Paragraph] = []

    /// Labels are in the user's language, whatever the text's.
    mutating func add(_ entry: DigestOutline.Entry) {
        entry.label.map { add($0) }
        add(entry.wording.plain, of: entry.lead)
        for telling in entry.lines {
            add(telling.label)
            add(telling.wording.plain, of: entry.lead)
        }
    }

    /// - Parameter article: the article whose language the text is in; nil: the user's language.
    mutating func add(_ text: String, of article: Article? = nil) {
        let spoken = Draft.spoken(text)
        guard !spoken.isEmpty else { return }
        let written = article?.writtenLanguage ?? language.code
        paragraphs.append(
            SpeechText.Paragraph(text: spoken, language: written == language.code ? language.rawValue : written))
    }

    /// A text as it is read aloud: a whole sentence, without visual elements.
    private static func spoken(_ text: String) -> String {
        let said = PlainText.line(text).replacing(/\s*\[\d+\]/, with: "")
            .replacing(/(?i)\s*\b(?:https?:\/\/|www\.)\S*[^\s.,;:!?)\]]/, with: "").replacing(" ()", with: "")
        var seen = String.UnicodeScalarView()
        for scalar in said.unicodeScalars where !isMark(scalar) { seen.append(isLine(scalar) ? " " : scalar) }
        // A line that begins with “!-!” is a command to spd-say.
        var sentence = String(seen).split(separator: " ").joined(separator: " ").replacing("!-", with: "! ")
        guard sentence.contains(where: { $0.isLetter || $0.isNumber }) else { return "" }
        while sentence.last.map({ ":;, ".contains($0) }) == true { sentence.removeLast() }
        return Sentences.isClosed(sentence) ? sentence : sentence + "."
    }

    /// Markup characters. Doubled square brackets are also commands of synthesizers: phonemes for espeak-ng, commands
    /// for macOS.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool { "[]{}*_`~^".unicodeScalars.contains(scalar) }

    /// Bullets, arrows, lines, boxes and blocks.
    private static func isLine(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2022, 0x2190...0x21ff, 0x2500...0x25ff: true
        default: "<>|\\".unicodeScalars.contains(scalar)
        }
    }
}
