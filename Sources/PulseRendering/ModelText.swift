public import PulseCore

/// One model that can be used here, as the list shows it.
public struct ModelRow: Sendable, Hashable {
    /// What `--model` takes.
    public let name: String
    /// Whether it is the one that suits this machine best.
    public var isRecommended = false
    public let bytes: Int64
    /// Its state on this machine, in a word or two.
    public let state: Message
    /// What there is to know of it, a sentence each, the most important first.
    public var facts: [Message] = []

    public init(name: String, bytes: Int64, state: Message) {
        self.name = name
        self.bytes = bytes
        self.state = state
    }
}

/// The models as lines.
public enum ModelText {
    /// Each model's name, size and state, and below them what there is to know of it.
    ///
    /// - Parameters:
    ///   - rows: The catalogue's.
    ///   - others: Those of other programs.
    ///   - advice: What to do, at the end.
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
        let name = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            let mark = row.isRecommended ? "* " : "  "
            let head = mark + style.bold(row.name) + String(repeating: " ", count: name - row.name.count + 2)
            let state = size(row.bytes).padding(to: 9, atFront: true) + "  " + style.text(row.state)
            return head + state + "\n" + row.facts.map { style.aside(style.text($0), indent: 4) }.joined()
        }.joined()
    }

    /// Decimal units, as disks and downloads are sold: `808 MB`.
    public static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: "\(bytes / 1000) kB"
        case ..<10_000_000: "\(bytes / 1_000_000).\(bytes % 1_000_000 / 100_000) MB"
        case ..<1_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000).\(bytes % 1_000_000_000 / 100_000_000) GB"
        }
    }

    /// A time that nobody knows to the second: `40 s`, `3 min`.
    public static func time(_ seconds: Double) -> String {
        switch seconds {
        case ..<10: "\(max(1, Int(seconds.rounded()))) s"
        case ..<115: "\(Int((seconds / 5).rounded()) * 5) s"
        default: "\(Int((min(seconds, 1e6) / 60).rounded())) min"
        }
    }
}
