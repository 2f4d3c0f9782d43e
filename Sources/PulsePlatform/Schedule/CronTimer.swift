public import Foundation
public import PulseCore
import PulseText

/// An entry of the user's crontab.
public struct CronTimer: DailyTimer {
    private let environment: [String: String]
    private let timeZone: TimeZone
    private let now: Date

    /// - Parameter timeZone: The user's, in which times are given.
    public init(environment: [String: String], timeZone: TimeZone, now: Date) {
        self.environment = environment
        self.timeZone = timeZone
        self.now = now
    }

    public var kind: TimerKind { .cron }

    public func require() throws { _ = try Crontab(environment: environment) }

    public func installed() async throws -> InstalledTimer? {
        guard let crontab = try? Crontab(environment: environment) else { return nil }
        let table = try await crontab.read()
        guard let entry = table.entry else { return nil }
        return InstalledTimer(
            kind: .cron, entry: entry, command: entry, time: CronEntry.time(of: entry),
            zone: try await zone(table, crontab), preparation: table.preparation, idle: Self.idle())
    }

    private static func idle() -> Message? {
        CronDaemon.isRunning() == false
            ? "No cron daemon is running on this machine: until one is, nothing is started." : nil
    }

    public func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws -> String {
        let crontab = try Crontab(environment: environment)
        let table = try await crontab.read()
        let new = table.installing(try entry(command, at: time, in: try await zone(table, crontab)).text)
        return "# the crontab\n" + String(decoding: new, as: UTF8.self)
    }

    public func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws -> [Message] {
        let crontab = try Crontab(environment: environment)
        let table = try await crontab.read()
        let zone = try await zone(table, crontab)
        let new = table.installing(try entry(command, at: time, in: zone).text)
        if new != table.bytes { try await crontab.write(new) }
        let skipped: Message =
            "cron skips runs while the machine is off or asleep. A systemd timer catches up: "
            + "pulse-digest schedule install with the same options and --systemd"
        return [time.note(of: .cron, at: timeZone, goingBy: zone, on: now), Self.idle(), skipped].compactMap(\.self)
    }

    public func remove() async throws {
        let crontab = try Crontab(environment: environment)
        let table = try await crontab.read()
        if table.entry != nil { try await crontab.write(table.removing()) }
    }

    private func entry(_ command: ScheduledCommand, at time: TimeOfDay, in zone: TimeZone) throws -> CronEntry {
        try CronEntry(command, at: time.converted(from: timeZone, to: zone, on: now))
    }

    /// cron's time zone: the machine's, or that of CRON_TZ for cronie. Debian's cron ignores CRON_TZ.
    private func zone(_ table: CronTable, _ crontab: Crontab) async throws -> TimeZone {
        if let name = table.zoneName, let zone = TimeZone(identifier: name), try await crontab.isCronie() {
            return zone
        }
        return MachineTimeZone.read()
    }
}

enum CronDaemon {
    #if canImport(Darwin)
        /// launchd starts cron as soon as there is a crontab.
        static func isRunning() -> Bool? { true }
    #else
        /// Whether a cron daemon runs; nil if that cannot be known, such as when others' processes are hidden.
        static func isRunning(processes: String = "/proc") -> Bool? {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: processes) else { return nil }
            let numbers = names.filter { $0.allSatisfy(\.isNumber) }
            // Process 1 is visible to everyone, unless /proc is mounted with hidepid.
            guard numbers.contains("1") else { return nil }
            return numbers.contains { number in
                func text(_ file: String) -> String {
                    let bytes = FileManager.default.contents(atPath: "\(processes)/\(number)/\(file)") ?? Data()
                    return String(decoding: bytes, as: UTF8.self)
                }
                let name = text("comm").trimmingCharacters(in: .newlines)
                // busybox is many programs; the second word of its command line is the one that runs.
                if name == "busybox" { return text("cmdline").split(separator: "\0").dropFirst().first == "crond" }
                // anacron does not read crontabs.
                return ["cron", "crond", "fcron", "systemd-cron"].contains(name)
            }
        }
    #endif
}

/// The user's crontab, accessed through the `crontab` program, which alone may change it.
struct Crontab: Sendable {
    private let program: String
    private let environment: [String: String]

    /// Throws `.unavailable` if the machine has no such program.
    init(environment: [String: String]) throws {
        let search = ProgramSearch(environment: environment)
        guard let program = search.find("crontab", last: ["/usr/bin/crontab"]) else {
            let release = FileManager.default.contents(atPath: "/etc/os-release") ?? Data()
            let command = Self.installation(of: String(decoding: release, as: UTF8.self)) ?? "cron"
            throw PulseError(
                .unavailable, "There is no crontab program on this machine.",
                hint: search.find("systemctl", last: ["/usr/bin/systemctl"]) == nil
                    ? "Install cron as root (\(command)), or have another scheduler run each night: "
                        + "pulse-digest today --send --to ADDRESS"
                    : "Install cron as root (\(command)), or use a timer of systemd: --systemd")
        }
        self.program = program
        // `read` compares its English messages.
        self.environment = environment.merging(["LC_ALL": "C"]) { $1 }
    }

    /// The command that installs cron on a distribution, by its /etc/os-release (os-release(5)); nil: not known.
    static func installation(of release: String) -> String? {
        let (apt, dnf) = (["apt", "install", "cron"], ["dnf", "install", "cronie"])
        let commands = [
            "debian": apt, "ubuntu": apt, "fedora": dnf, "rhel": dnf, "suse": ["zypper", "install", "cronie"],
            "arch": ["pacman", "-S", "cronie"], "alpine": ["apk", "add", "cronie"],
        ]
        let lines = release.split(separator: "\n")
        return ["ID=", "ID_LIKE="].flatMap { key in
            (lines.first { $0.hasPrefix(key) }?.dropFirst(key.count) ?? "").split { "\"' ".contains($0) }
        }.compactMap { commands[String($0)] }.first?.joined(separator: " ")
    }

    func read() async throws -> CronTable {
        let outcome = try await run(["-l"])
        if case .exited(0) = outcome.ending { return try CronTable(try await exactly(outcome.output)) }
        // Only these messages mean that there is no crontab. Misreading any other would lose the user's crontab.
        let errors = String(decoding: outcome.errors, as: UTF8.self)
        let isNone =
            errors.contains("no crontab for") || (errors.contains("can't open") && errors.contains("No such file"))
        guard isNone, outcome.output.isEmpty else { throw refusal(outcome, "cannot be read") }
        return try CronTable(Data())
    }

    /// Debian's `crontab -l` shows a carriage return as the two characters `\r`, which would then be written back as
    /// two. An editor gets the unchanged file, so cat is used as the editor.
    private func exactly(_ listed: Data) async throws -> Data {
        let shown = Data("\\r".utf8)
        guard listed.firstRange(of: shown) != nil else { return listed }
        let edited = try await run(["-e"], environment: environment.merging(["VISUAL": "cat", "EDITOR": "cat"]) { $1 })
        guard edited.ending == .exited(0) else { return listed }
        let again = Data(edited.output.flatMap { $0 == UInt8(ascii: "\r") ? Array(shown) : [$0] })
        // Used only if carriage returns are the whole difference: some programs print other text on standard output,
        // too.
        return again == listed ? edited.output : listed
    }

    /// Replaces the table, and checks that it was replaced.
    func write(_ bytes: Data) async throws {
        let outcome = try await run(bytes.isEmpty ? ["-r"] : ["-"], input: bytes)
        guard case .exited(0) = outcome.ending else { throw refusal(outcome, "was not changed") }
        guard try await read().bytes == bytes else {
            throw PulseError(
                .cannotWrite, "\(program) did not store the crontab as it was given.",
                hint: "To see what it stored: crontab -l. Correct that with crontab -e, then run this again.")
        }
    }

    /// Whether it is the cron of Fedora, Arch and others, which knows CRON_TZ.
    func isCronie() async throws -> Bool {
        let outcome = try await run(["-V"])
        return [outcome.output, outcome.errors].contains { String(decoding: $0, as: UTF8.self).contains("cronie") }
    }

    private func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String]? = nil
    ) async throws -> ChildProcess.Outcome {
        try await ChildProcess(
            path: program, arguments: arguments, environment: environment ?? self.environment, input: input,
            outputLimit: 1 << 24, timeout: .seconds(30)
        ).run()
    }

    private func refusal(_ outcome: ChildProcess.Outcome, _ what: Message) -> PulseError {
        let complaint = outcome.complaint
        if outcome.ending == .timedOut {
            return PulseError(.tryAgain, "The crontab \(what): \(program) did not end.")
        }
        // cron.allow and cron.deny.
        if complaint.contains("not allowed") {
            return PulseError(
                .permission, "The crontab \(what): \(complaint)",
                hint: "Ask the administrator to put you into cron.allow, or use a timer of systemd: --systemd")
        }
        return PulseError(.unavailable, "The crontab \(what): \(complaint.isEmpty ? "\(program) failed" : complaint)")
    }
}

/// A crontab, with our entry between two comment lines. All other bytes stay unchanged.
struct CronTable: Sendable {
    let bytes: Data
    private let blocks: [Block]

    /// One of our entries, with its comment lines.
    private struct Block {
        let range: Range<Int>
        let lines: [String]
        /// Whether we added a line feed to the line before.
        let hasAddedLineEnd: Bool
    }

    /// Throws `.configuration` if the comment lines are not in pairs.
    init(_ bytes: Data) throws {
        self.bytes = Data(bytes)
        blocks = try Self.blocks(in: self.bytes)
    }

    /// Our line that makes the digest; nil if there is none.
    var entry: String? { blocks.first?.lines.first }
    /// Our line that runs `prepare`; nil if there is none.
    var preparation: String? { blocks.first?.lines.dropFirst().first }

    /// The last CRON_TZ above our entry, or in the whole table if there is no entry yet.
    var zoneName: String? {
        let above = bytes.prefix(blocks.first?.range.lowerBound ?? bytes.count)
        let lines = String(decoding: above, as: UTF8.self).split(whereSeparator: \.isNewline)
        let parts = lines.map { $0.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) } }
        let name = parts.last { $0.count == 2 && $0[0] == "CRON_TZ" }?[1]
        return name?.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
    }

    /// The crontab with this entry in place of ours, or at its end.
    func installing(_ entry: String) -> Data {
        guard let first = blocks.first else {
            let isOpen = bytes.last.map { $0 != Self.lineFeed } ?? false
            return bytes + Data(((isOpen ? "\n" : "") + Self.block(entry, hasAddedLineEnd: isOpen)).utf8)
        }
        var new = removing(blocks.dropFirst())
        new.replaceSubrange(first.range, with: Data(Self.block(entry, hasAddedLineEnd: first.hasAddedLineEnd).utf8))
        return new
    }

    func removing() -> Data { removing(blocks[...]) }

    private func removing(_ blocks: ArraySlice<Block>) -> Data {
        var new = bytes
        for block in blocks.reversed() {
            let isLast = block.range.upperBound == new.count
            new.removeSubrange(block.range)
            // The user may have deleted the line above meanwhile.
            if block.hasAddedLineEnd, isLast, !new.isEmpty { new.removeLast() }
        }
        return new
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let begin = "# >>> pulse-digest"
    private static let end = "# <<< pulse-digest"
    private static let addedLineEnd = " (the line above had no end)"

    private static func block(_ entry: String, hasAddedLineEnd: Bool) -> String {
        """
        \(begin)\(hasAddedLineEnd ? addedLineEnd : ""): changed by "pulse-digest schedule install", removed by "schedule remove"
        \(entry)
        \(end)

        """
    }

    private static func blocks(in bytes: Data) throws -> [Block] {
        var blocks: [Block] = []
        var opened: (start: Int, hasAddedLineEnd: Bool, lines: [String])?
        var start = 0
        while start < bytes.count {
            let stop = bytes[start...].firstIndex(of: lineFeed).map { $0 + 1 } ?? bytes.count
            var text = String(decoding: bytes[start..<stop], as: UTF8.self)[...]
            while text.last?.isNewline == true { text.removeLast() }
            if text.hasPrefix(begin) {
                if opened != nil { throw unpaired }
                opened = (start, text.contains(addedLineEnd), [])
            } else if text == end {
                guard let block = opened else { throw unpaired }
                blocks.append(
                    Block(range: block.start..<stop, lines: block.lines, hasAddedLineEnd: block.hasAddedLineEnd))
                opened = nil
            } else if opened != nil, !text.isEmpty, !text.hasPrefix("#") {
                opened?.lines.append(String(text))
            }
            start = stop
        }
        if opened != nil { throw unpaired }
        return blocks
    }

    private static let unpaired = PulseError(
        .configuration, "The crontab has one of the lines “\(begin)” and “\(end)” without the other.",
        hint: "Put that right with crontab -e, then run this again; nothing was changed.")
}

/// A command's lines in a crontab: one for the digest, and one for `prepare` if wanted.
struct CronEntry: Sendable {
    let text: String

    /// Throws `.usage` if the command is too long for a crontab.
    init(_ command: ScheduledCommand, at time: TimeOfDay) throws {
        let digest = try Self.line("\(time.minute) \(time.hour) * * *", command.arguments, of: command)
        let preparation = try command.preparation.map { arguments in
            let times = time.preparations
            return try Self.line(
                "\(times[0].minute) \(times.map { "\($0.hour)" }.joined(separator: ",")) * * *", arguments, of: command)
        }
        text = [digest, preparation].compactMap(\.self).joined(separator: "\n")
    }

    private static func line(_ time: String, _ arguments: [String], of command: ScheduledCommand) throws -> String {
        // `NAME=value command` would depend on the shell that the crontab sets; env does not.
        let variables = command.variables.map { "\($0.name)=\($0.value)" }
        let words = (variables.isEmpty ? [] : ["/usr/bin/env"] + variables) + [command.program] + arguments
        let line = "\(time) " + words.map(Self.quoted).joined(separator: " ")
        // Vixie cron reads a command into 1,000 bytes (MAX_COMMAND) and refuses the table if there are more.
        guard line.utf8.count < 990 else {
            throw PulseError(
                .usage, "The command would have \(line.utf8.count) bytes, and cron takes 1,000.",
                hint: "Put options into the settings file instead of the command line, or use --systemd.")
        }
        return line
    }

    /// Quotes a word for the shell. cron turns `\%` into `%` first; a plain % would end the command.
    private static func quoted(_ word: String) -> String {
        var quoted = ""
        // ShellWord quotes a word with a % in single quotes. If the word has a backslash before the %, cron would read
        // it and the one that we add as a pair; two quotes between them prevent that.
        for character in ShellWord.quoted(word).unicodeScalars {
            if character == "%" {
                quoted += quoted.utf8.last == UInt8(ascii: "\\") ? "''\\%" : "\\%"
            } else {
                quoted.unicodeScalars.append(character)
            }
        }
        return quoted
    }

    /// When a line runs; nil if it was edited to run other than once a day.
    static func time(of line: String) -> TimeOfDay? {
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, fields[2...4].allSatisfy({ $0 == "*" }), let minute = Int(fields[0]),
            let hour = Int(fields[1]), (0..<60).contains(minute), (0..<24).contains(hour)
        else { return nil }
        return TimeOfDay(hour: hour, minute: minute)
    }
}
