public import PulseCore
import PulseText

public import struct Foundation.TimeZone

/// The digest as a document in CommonMark: https://spec.commonmark.org
public enum DigestMarkdown {
    public static func render(_ digest: Digest, timeZone: TimeZone) -> String {
        let outline = DigestOutline(digest, timeZone: timeZone)
        let phrases = outline.language.phrases
        var blocks = ["# " + MarkdownText.line(outline.title)] + outline.opening.map(MarkdownText.line)
        for section in outline.sections {
            blocks.append("## " + MarkdownText.line(section.heading))
            if !section.entries.isEmpty { blocks.append(list(section.entries)) }
            if !section.titled.isEmpty { blocks += [MarkdownText.line(phrases.also), list(section.titled)] }
            if let omitted = section.omitted {
                blocks.append(MarkdownText.line(omitted.words) + " " + MarkdownText.code(omitted.command))
            }
        }
        blocks.append("## " + MarkdownText.line(outline.numbersHeading))
        let topics = outline.topics.map { "- \(MarkdownText.line($0.name))\(phrases.colon) \($0.count)" }
        blocks.append(topics.joined(separator: "\n"))
        if let times = outline.readingTimes { blocks.append(MarkdownText.line(times.sentence(phrases))) }
        blocks += ["---", outline.closing.map(MarkdownText.line).joined(separator: " ")]
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private static func list(_ entries: [DigestOutline.Entry]) -> String {
        entries.map { entry in
            let sources = entry.sources.map { source in
                (source.preface.map { $0 + " " } ?? "") + MarkdownText.link(MarkdownText.line(source.name), source.link)
            }
            let number = "\(entry.number). "
            // A nested list is indented like the text of its item.
            let lines = entry.lines.map { telling in
                "\n" + String(repeating: " ", count: number.count) + "- "
                    + labelled(telling.label, MarkdownText.line(telling.wording.marked))
            }
            return number + labelled(entry.label, MarkdownText.line(entry.wording.marked))
                + (sources.isEmpty ? "" : " — " + sources.joined(separator: ", ")) + lines.joined()
        }.joined(separator: "\n")
    }

    private static func labelled(_ label: String?, _ text: String) -> String {
        label.map { "**\(MarkdownText.line($0))** " + text } ?? text
    }
}

/// The summary of one article in CommonMark.
public enum SummaryMarkdown {
    public static func render(_ summary: Summary) -> String {
        let source = DigestOutline.Source(summary.article)
        var blocks: [String] = []
        // Text from a pipe has no title.
        if !summary.article.title.isEmpty {
            blocks.append("# " + MarkdownText.link(MarkdownText.line(source.title), source.link))
            if !source.publication.isEmpty { blocks.append(MarkdownText.line(source.publication)) }
        }
        blocks += [SummaryText.wording(summary).marked, SummaryText.notes(summary).joined(separator: " ")]
            .filter { !$0.isEmpty }.map(MarkdownText.line)
        return blocks.joined(separator: "\n\n") + "\n"
    }
}

/// Escapes text for CommonMark, so that it is shown literally.
enum MarkdownText {
    /// One line of text for a paragraph, a heading, a link or the beginning of a list item.
    ///
    /// Escapes inline markup, block markup at the beginning of a line, and the markup of other dialects: tables,
    /// strikethrough, highlights, formulas, comments, bare URLs.
    static func line(_ text: String) -> String {
        // The program's own phrases contain no-break spaces, which `PlainText.line` removes.
        let parts = text.split(separator: "\u{a0}", omittingEmptySubsequences: false)
        let scalars = Array(parts.map { PlainText.line(String($0)) }.joined(separator: "\u{a0}").unicodeScalars)
        // A number at the beginning would start a list item.
        let numberEnd = scalars.firstIndex { !("0"..."9").contains($0) } ?? 0
        var escaped = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let endsNumber = index == numberEnd && index > 0 && (scalar == "." || scalar == ")")
            if endsNumber || isMarkup(scalar, at: index, in: scalars) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }

    /// A link; the text alone if there is no address.
    static func link(_ text: String, _ link: WebLink?) -> String {
        guard let link else { return text }
        // In angle brackets parentheses need no escape, and an address contains neither brackets nor spaces. An
        // ampersand can only begin an entity if a semicolon follows.
        let address = link.address
        return "[\(text)](<\(address.contains(";") ? address.replacing("&", with: "\\&") : address)>)"
    }

    /// A code span. Its fence has more backticks than any run inside (CommonMark 0.31, 6.1).
    static func code(_ text: String) -> String {
        let line = PlainText.line(text)
        let runs = line.split { $0 != "`" }.map(\.count)
        let fence = String(repeating: "`", count: (runs.max() ?? 0) + 1)
        // A space on each side is not shown, and is needed beside a backtick.
        let space = line.hasPrefix("`") || line.hasSuffix("`") ? " " : ""
        return fence + space + line + space + fence
    }

    private static func isMarkup(_ scalar: Unicode.Scalar, at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let next = index + 1 < scalars.count ? scalars[index + 1] : " "
        switch scalar {
        case "\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "~", "$", "^", "@": return true
        case "&": return next == "#" || next.isASCII && next.properties.isAlphabetic
        case ":": return next == "/"
        case "-", "+": return index == 0
        case "=": return index == 0 || next == "="
        case "%": return next == "%"
        case ".": return index >= 3 && scalars[index - 3..<index].allSatisfy { $0 == "w" || $0 == "W" }
        default: return false
        }
    }
}
