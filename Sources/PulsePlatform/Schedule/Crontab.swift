import Foundation
import PulseCore

/// The user's crontab, accessed through the `crontab` program, which alone may change it.
struct Crontab: Sendable {
    private let program: String
    private let environment: [String: String]

    /// Throws `.unavailable` if the machine has no such program.
    init(environment: [String: String]) throws(PulseError) {
        guard let program = Self.find(environment) else {
            throw PulseError(
                .unavailable, "There is no crontab program on this machine.",
                hint: "Install cron (Debian: apt-get install cron), or use a timer of systemd: --systemd")
        }
        self.program = program
        // `read` compares its English messages.
        self.environment = environment.merging(["LC_ALL": "C"]) { $1 }
    }

    static func isHere(_ environment: [String: String]) -> Bool { find(environment) != nil }

    private static func find(_ environment: [String: String]) -> String? {
        ProgramSearch(environment: environment).find("crontab", last: ["/usr/bin/crontab"])
    }

    /// The table; an empty one if the user has none.
    func read() async throws(PulseError) -> CronTable {
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
    private func exactly(_ listed: Data) async throws(PulseError) -> Data {
        let shown = Data("\\r".utf8)
        guard listed.firstRange(of: shown) != nil else { return listed }
        let edited = try await run(["-e"], environment: environment.merging(["VISUAL": "cat", "EDITOR": "cat"]) { $1 })
        guard edited.ending == .exited(0) else { return listed }
        let again = Data(edited.output.flatMap { $0 == UInt8(ascii: "\r") ? Array(shown) : [$0] })
        // Used only if carriage returns are the whole difference: some programs print other text on this stream, too.
        return again == listed ? edited.output : listed
    }

    /// Replaces the table, and checks that it was replaced.
    func write(_ bytes: Data) async throws(PulseError) {
        let outcome = try await run(bytes.isEmpty ? ["-r"] : ["-"], input: bytes)
        guard case .exited(0) = outcome.ending else { throw refusal(outcome, "was not changed") }
        guard try await read().bytes == bytes else {
            throw PulseError(
                .cannotWrite, "\(program) did not store the crontab as it was given.",
                hint: "Look at it with: crontab -l")
        }
    }

    /// Whether it is the cron of Fedora, Arch and others, which knows CRON_TZ.
    func isCronie() async throws(PulseError) -> Bool {
        let outcome = try await run(["-V"])
        return [outcome.output, outcome.errors].contains { String(decoding: $0, as: UTF8.self).contains("cronie") }
    }

    private func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String]? = nil
    ) async throws(PulseError) -> ChildProcess.Outcome {
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
