public import PulseCore

/// A row of the list of models.
public struct ModelRow: Sendable, Hashable {
    /// The name for `--model`.
    public let name: String
    /// Whether it suits this machine best.
    public var isRecommended = false
    public let bytes: Int64
    /// Its status on this machine, in a word or two.
    public let state: Message
    /// Further facts, a sentence each, the most important first.
    public var facts: [Message] = []

    public init(name: String, bytes: Int64, state: Message) {
        self.name = name
        self.bytes = bytes
        self.state = state
    }
}

/// The models as lines.
public enum ModelText {
    /// Each model's name, size and status, and its facts below.
    ///
    /// - Parameters:
    ///   - rows: the catalogue's models.
    ///   - others: other programs' models.
    ///   - advice: what the user can do, at the end.
    public static func list(
        _ rows: [ModelRow], others: [ModelRow], advice: [Message], style: TextStyle
    ) -> String {
        var text = list(rows, style)
        if !others.isEmpty {
            text += "\n" + style.bold(style.text("Kept by other programs, and only read here:")) + "\n"
            text += list(others, style)
        }
        return text + "\n" + advice.map { style.paragraph(style.text($0)) }.joined()
    }

    private static func list(_ rows: [ModelRow], _ style: TextStyle) -> String {
        // Very long names of other programs do not widen the column.
        let name = min(rows.map(\.name.count).max() ?? 0, 32)
        return rows.map { row in
            let mark = row.isRecommended ? "* " : "  "
            let head = mark + style.bold(row.name) + String(repeating: " ", count: max(name - row.name.count, 0) + 2)
            let state = size(row.bytes).padding(to: 9, atFront: true) + "  " + style.text(row.state)
            return head + state + "\n" + row.facts.map { style.aside(style.text($0), indent: 4) }.joined()
        }.joined()
    }

    /// In decimal units, as for disks and downloads: `808 MB`.
    public static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: "\(bytes / 1000) kB"
        case ..<10_000_000: "\(bytes / 1_000_000).\(bytes % 1_000_000 / 100_000) MB"
        case ..<1_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000).\(bytes % 1_000_000_000 / 100_000_000) GB"
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
