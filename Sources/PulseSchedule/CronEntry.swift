import Foundation
import PulseSystem
import PulseText

/// A line of a crontab that runs a command once a day.
struct CronEntry: Sendable, Hashable {
    let line: String

    /// Throws `.tooLong` where the command cannot be written into a crontab.
    init(_ command: ScheduledCommand, at time: TimeOfDay) throws(ScheduleError) {
        // env, and not the shell's own way: the crontab may set SHELL to one that writes it differently.
        let variables = command.environment.map { "\($0.name)=\($0.value)" }
        let words = (variables.isEmpty ? [] : ["/usr/bin/env"] + variables) + [command.program] + command.arguments
        line = "\(time.minute) \(time.hour) * * * " + words.map(Self.quoted).joined(separator: " ")
        // Vixie cron reads a command into 1,000 bytes (MAX_COMMAND) and refuses the table when there are more.
        guard line.utf8.count < 990 else {
            throw ScheduleError(
                .tooLong,
                "The command would have \(line.utf8.count) bytes, and cron takes 1,000. Put options into the settings "
                    + "file instead of the command line, or use --systemd.")
        }
    }

    /// A word for the shell, which sees it after cron has turned `\%` into `%`; a plain % would end the command there.
    static func quoted(_ word: String) -> String {
        var quoted = ""
        // One with a % stands between quotation marks. After a backslash cron would take the one before % for escaped.
        for character in ShellWord.quoted(word).unicodeScalars {
            if character == "%" {
                quoted += quoted.utf8.last == UInt8(ascii: "\\") ? "''\\%" : "\\%"
            } else {
                quoted.unicodeScalars.append(character)
            }
        }
        return quoted
    }

    // MARK: - Reading one

    /// When a line runs, where it runs once a day; nil where someone has made it run otherwise.
    static func time(of line: String) -> TimeOfDay? {
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, fields[2...4].allSatisfy({ $0 == "*" }), let minute = Int(fields[0]),
            let hour = Int(fields[1]), (0..<60).contains(minute), (0..<24).contains(hour)
        else { return nil }
        return TimeOfDay(hour: hour, minute: minute)
    }
}
