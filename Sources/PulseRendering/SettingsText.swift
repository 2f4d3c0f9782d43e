public import PulseCore
import PulseText

/// A row of the list of settings.
public struct SettingRow: Sendable, Hashable, Encodable {
    public let name: String
    /// The value in effect; empty: none.
    public let value: String
    /// Where it comes from: `flag`, `profile`, `environment`, `file` or `default`.
    public let source: Message
    public let defaultValue: Message?
    public let meaning: Message

    private enum CodingKeys: String, CodingKey { case name, value, source = "from", defaultValue = "default", meaning }

    public init(name: String, value: String, source: Message, defaultValue: Message?, meaning: Message) {
        self.name = name
        self.value = value
        self.source = source
        self.defaultValue = defaultValue
        self.meaning = meaning
    }
}

/// The settings as a table of a line each, or as JSON.
public enum SettingsText {
    public static func list(_ rows: [SettingRow], style: TextStyle) -> String {
        let cells = rows.map { row in
            [
                row.name, row.value.isEmpty ? "–" : PlainText.line(row.value),
                style.text(row.source),
                row.defaultValue.map(style.text) ?? "–",
            ]
        }
        let head: [Message] = ["setting", "value", "from", "default"]
        let table = [head.map(style.text)] + cells
        // On a terminal, long values are cut.
        let most = style.tableWidth.map { max(16, $0 / 3) } ?? .max
        let widths = (0..<3).map { column in min(table.map { DisplayWidth.of($0[column]) }.max() ?? 0, most) }
        return table.enumerated().map { number, cells in
            let front = zip(cells, widths).map { DisplayWidth.clip($0, to: $1).padding(to: $1) + "  " }.joined()
            let line = style.tableWidth.map { DisplayWidth.clip(front + cells[3], to: $0) } ?? front + cells[3]
            if number == 0 { return style.bold(line) + "\n" }
            return (rows[number - 1].source == "default" ? style.dim(line) : line) + "\n"
        }.joined()
    }

    /// An object with the key `settings`: a list, in the order of the table.
    public static func json(_ rows: [SettingRow]) -> String { JSONText.render(["settings": rows]) }
}
