public import PulseCore
import PulseText

/// The digest as text in pieces, so that a model's sentences can be shown as they come. The pieces together are the
/// text of the finished digest.
public struct DigestText: Sendable {
    private let style: TextStyle
    private let language: Language
    private let basis: DigestBasis
    private let outline: DigestOutline
    /// The columns before a story's text: a space, its number, and two spaces.
    private let indent: Int
    private let isExplained: Bool

    /// - Parameters:
    ///   - digest: the digest before a model writes: headings and stories.
    ///   - isExplained: Whether each story explains its rank.
    public init(_ digest: Digest, style: TextStyle, isExplained: Bool = false) {
        self.style = style
        self.isExplained = isExplained
        language = digest.language
        basis = digest.basis
        outline = DigestOutline(digest, timeZone: style.timeZone)
        indent = "\(digest.stories.count)".count + 3
    }

    /// The title, what was read, and on a terminal a chart of the topics.
    public var heading: String {
        let lines = style.heading(outline.title) + outline.opening.map { style.aside($0) }.joined()
        let chart = TopicChart.render(outline.topics, style: style)
        return chart.isEmpty ? lines : lines + "\n" + chart
    }

    public func heading(of section: Int) -> String { "\n" + style.heading(outline.sections[section].heading) }

    /// The story at a position of a section.
    public func entry(_ entry: Digest.Entry, _ index: Int, of section: Int) -> String {
        let story = laidOut(
            DigestOutline.Entry(
                entry, number: outline.sections[section].entries[index].number, basis: basis, in: language))
        guard isExplained else { return story }
        let section = outline.sections[section]
        let isWhole = section.titled.isEmpty && section.omitted == nil
        return story + style.aside(style.text(Self.explanation(entry.reasons, ofWhole: isWhole)), indent: indent)
    }

    /// - Parameter isWhole: Whether nothing of its section was left out.
    private static func explanation(_ reasons: [Digest.Reason], ofWhole isWhole: Bool) -> Message {
        let parts = reasons.map { reason -> Message in
            switch reason {
            case .publications(let count): "\(Counted.text(count)) publications report it"
            case .followed: "you follow it"
            case .liked([]): "it is close to what you read"
            case .liked(let names):
                "you often read: \(names.map { PlainText.line($0) }.joined(separator: ", "))"
            }
        }
        let usual: Message = isWhole ? "its whole section fitted in" : "it is one of the newest of its section"
        return "Here because: \(parts.isEmpty ? usual : parts.joined(separator: "; "))"
    }

    /// The section's further titles, and how many articles are not shown.
    public func end(of section: Int) -> String {
        let section = outline.sections[section]
        var lines = section.titled.isEmpty ? "" : margin + style.dim(language.phrases.also) + "\n"
        for entry in section.titled { lines += laidOut(entry) }
        if let omitted = section.omitted { lines += laidOut(omitted) }
        return lines
    }

    /// One line; if that is too long, the command gets its own, so that it can be copied whole.
    private func laidOut(_ omitted: DigestOutline.Omitted) -> String {
        if let width = style.width, DisplayWidth.of(omitted.text) > width - indent {
            return style.aside(omitted.words, indent: indent) + style.aside(omitted.command, indent: indent)
        }
        return style.aside(omitted.text, indent: indent)
    }

    /// Who wrote the sentences, and how to read on.
    public func closing(_ digest: Digest) -> String {
        "\n" + DigestOutline.closing(digest).map { style.aside($0) }.joined()
    }

    public static func render(_ digest: Digest, style: TextStyle, isExplained: Bool = false) -> String {
        let text = DigestText(digest, style: style, isExplained: isExplained)
        let sections = digest.sections.indices.map { section in
            let entries = digest.sections[section].entries.enumerated().map { text.entry($1, $0, of: section) }
            return text.heading(of: section) + entries.joined() + text.end(of: section)
        }
        return text.heading + sections.joined() + text.closing(digest)
    }

    // MARK: - An entry

    /// A story while a model writes it: its number and the words so far, as lines without line endings. Dimmed, because
    /// they are not checked yet.
    public func unfinished(_ text: String, _ index: Int, of section: Int) -> [String] {
        let entry = outline.sections[section].entries[index]
        let lines = style.lines(label(entry) + [.init(PlainText.line(text) + "…", style: style.dim)], indent: indent)
        return lines.enumerated().map { ($0 == 0 ? style.dim(numberColumn(entry.number)) : margin) + $1 }
    }

    /// The beginning of a story's text, as `entry` prints it without wrapping.
    public func beginning(_ text: String, _ index: Int, of section: Int) -> String {
        let entry = outline.sections[section].entries[index]
        let label = label(entry).map { $0.style($0.text) }.joined()
        return style.dim(numberColumn(entry.number)) + label + PlainText.line(text)
    }

    private func label(_ entry: DigestOutline.Entry) -> [TextStyle.Run] {
        entry.label.map { [.init($0, style: style.bold), .init(" ")] } ?? []
    }

    private func numberColumn(_ number: Int) -> String { "\(number)".padding(to: indent - 2, atFront: true) + "  " }

    private var margin: String { String(repeating: " ", count: indent) }

    /// The number, the text and its sources as one paragraph with a hanging indent.
    private func laidOut(_ entry: DigestOutline.Entry) -> String {
        let number = numberColumn(entry.number)
        var runs = label(entry) + style.runs(entry.wording)
        for (index, source) in entry.sources.enumerated() {
            let link = source.link?.address
            let name = whole(source.name)
            // Keeps the dash on a line with the name, or at least with its first word.
            let dash = DisplayWidth.of(name.prefix { $0 != " " }) <= longestWhole ? " —\u{a0}" : " — "
            runs.append(.init((index == 0 ? dash : ", ") + (source.preface.map { $0 + " " } ?? ""), style: style.dim))
            runs.append(
                .init(name) { text in
                    style.dim(style.link(text, to: link, id: "story\(entry.number)source\(index)"))
                })
        }
        let lines = style.lines(runs, indent: indent)
        let story = lines.enumerated().map { ($0 == 0 ? style.dim(number) : margin) + $1 + "\n" }.joined()
        return story + entry.lines.map(laidOut).joined()
    }

    private func laidOut(_ telling: DigestOutline.Entry.Telling) -> String {
        let indent = indent + 2
        let lines = style.lines(
            [.init(telling.label, style: style.bold), .init(" ")] + style.runs(telling.wording), indent: indent)
        return lines.map { String(repeating: " ", count: indent) + $0 + "\n" }.joined()
    }

    /// The most columns of an unbroken name, so that a dash and a comma fit beside it.
    private var longestWhole: Int { min(26, (style.width ?? .max) - indent - "— ,".count) }

    private func whole(_ name: String) -> String {
        guard DisplayWidth.of(name) <= longestWhole else { return name }
        return name.replacing(" ", with: String(LineWrapper.noBreakSpace))
    }
}

/// The topics of a digest as a bar chart for a terminal.
enum TopicChart {
    /// More topics would push the text off the screen.
    private static let mostRows = 12
    private static let longestBar = 30
    /// Shorter bars would be hard to compare.
    private static let shortestBar = 8

    /// - Returns: lines with line endings; empty if there is only one topic or too little space.
    static func render(_ topics: [DigestOutline.Topic], style: TextStyle) -> String {
        guard let width = style.width, topics.count > 1 else { return "" }
        // The largest topics, in the digest's order.
        let largest = topics.indices.sorted { (-topics[$0].articles, $0) < (-topics[$1].articles, $1) }.prefix(mostRows)
        let rows = largest.sorted().map { index in
            (name: DisplayWidth.clip(topics[index].name, to: 20), topic: topics[index])
        }
        let most = rows.map(\.topic.articles).max() ?? 0
        let counts = rows.map { DisplayWidth.of($0.topic.count) }.max() ?? 0
        let names = rows.map { DisplayWidth.of($0.name) }.max() ?? 0
        let bar = min(longestBar, width - names - 2 - 1 - counts)
        guard bar >= shortestBar, most > 0 else { return "" }
        return rows.map { row in
            style.dim(row.name.padding(to: names)) + "  " + cells(row.topic.articles, of: most, in: bar)
                + style.dim(" " + row.topic.count) + "\n"
        }.joined()
    }

    /// Whole and half cells, which every terminal font has. At least a half, so that every topic is visible.
    private static func cells(_ count: Int, of most: Int, in columns: Int) -> String {
        let halves = max(1, (count * columns * 2 + most / 2) / most)
        return String(repeating: "█", count: halves / 2) + (halves % 2 == 1 ? "▌" : "")
    }
}
