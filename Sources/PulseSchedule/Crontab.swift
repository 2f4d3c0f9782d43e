import Foundation
import PulseCore
import PulseSystem
import PulseText

/// The user's crontab, by way of the `crontab` program, which alone may change it.
struct Crontab: Sendable {
    private let program: String
    private let environment: [String: String]

    /// Throws `.unavailable` where the machine has none.
    init(environment: [String: String]) throws(ScheduleError) {
        guard let program = Self.find(environment) else {
            throw ScheduleError(
                .system(.unavailable),
                "There is no crontab program on this machine. Install cron (Debian: apt-get install cron), or use a timer "
                    + "of systemd: --systemd")
        }
        self.program = program
        // Its sentences are read below.
        self.environment = environment.merging(["LC_ALL": "C"]) { $1 }
    }

    static func isHere(_ environment: [String: String]) -> Bool { find(environment) != nil }

    private static func find(_ environment: [String: String]) -> String? {
        ProgramSearch(environment: environment).find("crontab", last: ["/usr/bin/crontab"])
    }

    /// Empty where there is none.
    func read() async throws(ScheduleError) -> CronTable {
        let outcome = try await run(["-l"])
        if case .exited(0) = outcome.ending { return try CronTable(try await exactly(outcome.output)) }
        // Only this sentence says that there is none. Anything else taken for it would cost someone their crontab.
        let said = String(decoding: outcome.errors, as: UTF8.self)
        let isNone = said.contains("no crontab for") || (said.contains("can't open") && said.contains("No such file"))
        guard isNone, outcome.output.isEmpty else { throw refusal(outcome, "cannot be read") }
        return try CronTable(Data())
    }

    /// Debian's `crontab -l` shows a carriage return as the two characters `\r`; written back, they would stay two. What
    /// an editor is given is the table itself, and cat is an editor that changes nothing.
    private func exactly(_ listed: Data) async throws(ScheduleError) -> Data {
        let shown = Data("\\r".utf8)
        guard listed.firstRange(of: shown) != nil else { return listed }
        var editing = environment
        for name in ["VISUAL", "EDITOR"] { editing[name] = "cat" }
        let edited = try await run(["-e"], environment: editing)
        guard edited.ending == .exited(0) else { return listed }
        let again = Data(edited.output.flatMap { $0 == UInt8(ascii: "\r") ? Array(shown) : [$0] })
        // Only where that explains the difference: some programs talk on this stream too.
        return again == listed ? edited.output : listed
    }

    /// Puts a table in place and makes sure of it.
    func write(_ bytes: Data) async throws(ScheduleError) {
        let outcome = try await run(bytes.isEmpty ? ["-r"] : ["-"], input: bytes)
        guard case .exited(0) = outcome.ending else { throw refusal(outcome, "was not changed") }
        guard try await read().bytes == bytes else {
            throw ScheduleError(
                .system(.cannotWrite), "The crontab is not what \(program) was given. Look at it with: crontab -l")
        }
    }

    /// Whether it is the cron of Fedora, Arch and others, which knows CRON_TZ.
    func isCronie() async throws(ScheduleError) -> Bool {
        let outcome = try await run(["-V"])
        return [outcome.output, outcome.errors].contains { String(decoding: $0, as: UTF8.self).contains("cronie") }
    }

    private func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String]? = nil
    ) async throws(ScheduleError) -> ChildProcess.Outcome {
        try await ChildProcess(
            path: program, arguments: arguments, environment: environment ?? self.environment, input: input,
            outputLimit: 1 << 24,
            timeout: .seconds(30)
        ).outcome()
    }

    private func refusal(_ outcome: ChildProcess.Outcome, _ what: String) -> ScheduleError {
        let said = PlainText.line(String(decoding: outcome.errors, as: UTF8.self))
        if outcome.ending == .timedOut {
            return ScheduleError(.system(.busy), "The crontab \(what): \(program) did not end.")
        }
        // cron.allow and cron.deny.
        if said.contains("not allowed") {
            return ScheduleError(
                .system(.permission),
                "The crontab \(what): \(said.prefix(300)) Ask the administrator to put you into cron.allow, or use a timer "
                    + "of systemd: --systemd")
        }
        return ScheduleError(
            .system(.unavailable),
            "The crontab \(what): \(said.isEmpty ? "\(program) failed" : String(said.prefix(300)))")
    }
}
