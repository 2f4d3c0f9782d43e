/// A service and its timer as systemd's files (systemd.service(5), systemd.timer(5)).
struct SystemdUnits: Sendable, Hashable {
    let service: String
    let timer: String

    /// - Parameter zone: The name of the zone whose clocks count; nil for the machine's own.
    init(_ command: ScheduledCommand, at time: TimeOfDay, zone: String?) {
        let variables = command.environment.map { "Environment=\(Self.quoted("\($0.name)=\($0.value)"))\n" }.joined()
        let words = ([command.program] + command.arguments).enumerated().map { index, word in
            // Variables are expanded in arguments, not in the program's path and not in Environment=.
            Self.quoted(index == 0 ? word : word.replacing("$", with: "$$"))
        }
        service = """
            # Made by "pulse-digest schedule install --systemd"; taken away by "pulse-digest schedule remove".
            [Unit]
            Description=The digest of what was read, by mail

            [Service]
            Type=oneshot
            Nice=10
            \(variables)ExecStart=\(words.joined(separator: " "))

            """
        timer = """
            # Made by "pulse-digest schedule install --systemd"; taken away by "pulse-digest schedule remove".
            [Unit]
            Description=The digest of what was read, by mail, each day

            [Timer]
            \(Self.calendar)*-*-* \(time.text):00\(zone.map { " " + $0 } ?? "")
            Persistent=true

            [Install]
            WantedBy=timers.target

            """
    }

    /// systemd.syntax(7): double quotes with C-style escapes; a specifier's % is doubled.
    private static func quoted(_ word: String) -> String {
        "\""
            + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%") + "\""
    }

    private static let calendar = "OnCalendar="

    /// When a timer runs, and where the clocks are that say so; nil where someone has made it run otherwise.
    static func time(of timer: String) -> (time: TimeOfDay, zone: String?)? {
        let lines = timer.split(separator: "\n").filter { $0.hasPrefix(calendar) }
        guard lines.count == 1 else { return nil }
        let words = lines[0].dropFirst(calendar.count).split(separator: " ")
        guard (2...3).contains(words.count), words[0] == "*-*-*", words[1].hasSuffix(":00"),
            let time = TimeOfDay(String(words[1].dropLast(3)))
        else { return nil }
        return (time, words.count == 3 ? String(words[2]) : nil)
    }
}
