public import PulseCore

/// One model of the catalogue, as the list shows it.
public struct ModelRow: Sendable, Hashable {
    public let name: String
    public let isDefault: Bool
    public let bytes: Int64
    /// Its state on this machine, in a word or two.
    public let state: Message
    public let licence: String
    /// Who made it, and where it comes from.
    public let origin: String
    public let description: String

    public init(
        name: String, isDefault: Bool, bytes: Int64, state: Message, licence: String, origin: String,
        description: String
    ) {
        self.name = name
        self.isDefault = isDefault
        self.bytes = bytes
        self.state = state
        self.licence = licence
        self.origin = origin
        self.description = description
    }
}

/// The catalogue as lines.
public enum ModelText {
    /// Three lines for each model: its name and state, its description, and its origin.
    public static func list(_ rows: [ModelRow], style: TextStyle) -> String {
        let name = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            let mark = row.isDefault ? "* " : "  "
            let head = mark + style.bold(row.name) + String(repeating: " ", count: name - row.name.count + 2)
            let facts = size(row.bytes).padding(to: 9, atFront: true) + "  " + style.text(row.state)
            return head + facts + "\n" + style.aside(row.description, indent: 4)
                + style.aside("\(row.origin) (\(row.licence))", indent: 4)
        }.joined() + style.dim("* " + style.text("the default")) + "\n"
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
}
