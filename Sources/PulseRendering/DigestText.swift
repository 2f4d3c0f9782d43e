public import PulseCore
import PulseText

/// The digest as text, piece by piece in the order in which it is made, so that a reader can follow a model as it
/// writes. The pieces of a finished digest, put together, are the same text.
public struct DigestText: Sendable {
    private let style: TextStyle
    private let language: Language
    private let outline: DigestOutline
    /// Columns before a story's text: one, its number, and two.
    private let indent: Int

    /// - Parameter digest: As far as it is known before a story is told: what was read, under which headings.
    public init(_ digest: Digest, style: TextStyle) {
        self.style = style
        language = digest.language
        outline = DigestOutline(digest, timeZone: style.timeZone)
        indent = "\(digest.stories.count)".count + 3
    }

    /// The top: what this is, what was read, and on a terminal how much of each topic.
    public var heading: String {
        let lines = style.heading(outline.title) + outline.opening.map { style.aside($0) }.joined()
        let chart = TopicChart.render(outline.topics, style: style)
        return chart.isEmpty ? lines : lines + "\n" + chart
    }

    /// The heading of the section of this number, counted from 0.
    public func heading(of section: Int) -> String { "\n" + style.heading(outline.sections[section].heading) }

    /// A story as it is told, in the place that it has in the digest.
    public func entry(_ entry: Digest.Entry, _ index: Int, of section: Int) -> String {
        set(DigestOutline.Entry(entry, number: outline.sections[section].entries[index].number))
    }

    /// What else was read of the section, by title.
    public func end(of section: Int) -> String {
        let section = outline.sections[section]
        var lines = section.titled.isEmpty ? "" : margin + style.dim(Phrases(language).also) + "\n"
        for entry in section.titled { lines += set(entry) }
        if let omitted = section.omitted { lines += set(omitted) }
        return lines
    }

    /// On one line, or the command on a line of its own, where it can be copied whole.
    private func set(_ omitted: DigestOutline.Omitted) -> String {
        if let width = style.width, DisplayWidth.of(omitted.text) > width - indent {
            return style.aside(omitted.said, indent: indent) + style.aside(omitted.command, indent: indent)
        }
        return style.aside(omitted.text, indent: indent)
    }

    /// The bottom: whose words these are, and how to read on.
    public func closing(_ digest: Digest) -> String {
        "\n" + DigestOutline.closing(digest).map { style.aside($0) }.joined()
    }

    /// A finished digest, whole.
    public static func render(_ digest: Digest, style: TextStyle) -> String {
        let text = DigestText(digest, style: style)
        let sections = digest.sections.indices.map { section in
            let entries = digest.sections[section].entries.enumerated().map { text.entry($1, $0, of: section) }
            return text.heading(of: section) + entries.joined() + text.end(of: section)
        }
        return text.heading + sections.joined() + text.closing(digest)
    }

    // MARK: - An entry

    private var margin: String { String(repeating: " ", count: indent) }

    /// The number, the text and its sources, as one paragraph that hangs behind its number.
    private func set(_ entry: DigestOutline.Entry) -> String {
        let number = "\(entry.number)".padding(to: indent - 2, atFront: true) + "  "
        var runs: [TextStyle.Run] = [.init(entry.text)]
        for (index, source) in entry.sources.enumerated() {
            let link = source.link?.address
            let name = whole(source.name)
            // The dash stands with the name that it announces, or the first word of it.
            let dash = DisplayWidth.of(name.prefix { $0 != " " }) <= longestWhole ? " —\u{a0}" : " — "
            runs.append(.init(index == 0 ? dash : ", ", set: style.dim))
            runs.append(
                .init(name) { text in
                    style.dim(style.link(text, to: link, id: "story\(entry.number)source\(index)"))
                })
        }
        let lines = style.lines(runs, indent: indent)
        return lines.enumerated().map { ($0 == 0 ? style.dim(number) : margin) + $1 + "\n" }.joined()
    }

    /// Columns of a name that stays on one line, with the dash in front of it and the comma behind it.
    private var longestWhole: Int { min(26, (style.width ?? .max) - indent - "— ,".count) }

    private func whole(_ name: String) -> String {
        guard DisplayWidth.of(name) <= longestWhole else { return name }
        return name.replacing(" ", with: String(LineWrapper.noBreakSpace))
    }
}
