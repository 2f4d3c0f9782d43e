public import PulseCore

/// A row of the list of models.
public struct ModelRow: Sendable, Hashable {
    /// The name for `--model`.
    public let name: String
    /// Whether it suits this machine best.
    public var isRecommended = false
    public let bytes: Int64
    /// How long a digest takes here; nil: it writes none here.
    public var digest: String?
    /// How often it errs, in a word.
    public var errors: Message = ""
    /// Its status on this machine, in a word or two.
    public let state: Message

    public init(name: String, bytes: Int64, state: Message) {
        self.name = name
        self.bytes = bytes
        self.state = state
    }
}

/// The models as lines.
public enum ModelText {
    /// The current model and advice, a table of the catalogue's and of other programs' models, and notes on its columns.
    public static func list(
        _ rows: [ModelRow], others: [ModelRow], opening: [Message], notes: [Message], style: TextStyle
    ) -> String {
        func paragraphs(_ messages: [Message]) -> String {
            messages.map { style.paragraph(style.text($0)) }.joined()
        }
        let heads: [Message] = ["size", "digest", "errors"]
        let cells = (rows + others).map { [style.text(size($0.bytes)), $0.digest ?? "–", style.text($0.errors)] }
        // Names of more than 16 letters do not widen the column.
        let name = min((rows + others).map(\.name.count).max() ?? 0, 16)
        let widths = heads.indices.map { column in
            ([style.text(heads[column])] + cells.map { $0[column] }).map { DisplayWidth.of($0) }.max() ?? 0
        }
        func columns(_ cells: [String]) -> String {
            zip(cells, widths).map { "  " + $0.padding(to: $1, atFront: true) }.joined()
        }
        let lines = zip(rows + others, cells).map { row, cells in
            let head = (row.isRecommended ? "* " : "  ") + style.bold(row.name)
            let rest = String(repeating: " ", count: max(name - DisplayWidth.of(row.name), 0)) + columns(cells)
            let state = style.text(row.state)
            let fits = TextStyle.columns(of: head + rest) + 2 + DisplayWidth.of(state) <= style.width ?? .max
            return fits ? head + rest + "  " + state + "\n" : head + rest + "\n" + style.aside(state, indent: 4)
        }
        var text = paragraphs(opening) + "\n"
        text += style.dim("  ".padding(to: 2 + name) + columns(heads.map { style.text($0) })) + "\n"
        text += lines.prefix(rows.count).joined() + "\n"
        if !others.isEmpty {
            text += style.paragraph(style.text("Kept by other programs, and only read here:"))
            text += lines.dropFirst(rows.count).joined() + "\n"
        }
        return text + paragraphs(notes)
    }

    /// One model: its name and size, and its facts below, a paragraph each.
    public static func show(_ name: String, _ bytes: Int64, _ facts: [Message], style: TextStyle) -> String {
        style.bold(name) + "  " + style.text(size(bytes)) + "\n"
            + facts.map { style.paragraph(style.text($0), indent: 2) }.joined()
    }

    /// In decimal units, as for disks and downloads: `808 MB`.
    public static func size(_ bytes: Int64) -> Message {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: "\(bytes / 1000) kB"
        case ..<10_000_000: "\(Message.decimal(Double(bytes / 100_000) / 10)) MB"
        case ..<1_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(Message.decimal(Double(bytes / 100_000_000) / 10)) GB"
        }
    }

    /// A rough duration: `40 s`, `3 min`.
    public static func time(_ seconds: Double) -> String {
        switch seconds {
        case ..<10: "\(max(1, Int(seconds.rounded()))) s"
        case ..<115: "\(Int((seconds / 5).rounded()) * 5) s"
        default: "\(Int((min(seconds, 1e6) / 60).rounded())) min"
        }
    }
}
