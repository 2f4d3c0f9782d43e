import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseApp

/// Night after night: `p` a lasting failure, `q` another one, `t` a passing one, `u` another passing one, `.` a night
/// that went well.
@Suite(.timeLimit(.minutes(20))) struct ComplaintsTests {
    private let folder: TemporaryFolder
    private let complaints: AlertThrottle

    init() throws {
        folder = try TemporaryFolder()
        complaints = AlertThrottle(in: try StateFolder(folder.path))
    }

    private func failure(_ mark: Character, night: Int) -> PulseError {
        switch mark {
        case "p": PulseError(.unavailable, "No model; process \(night * 17).")
        case "q": PulseError(.badData, "The store is damaged.")
        case "t": PulseError(.tryAgain, "Memory is short by \(night) MB.")
        default: PulseError(.tryAgain, "The host was not found.")
        }
    }

    /// `!` where the night is told of.
    private func told(_ nights: String, secondsBetween: Double = 86_400) throws -> String {
        let start = Date(timeIntervalSince1970: 1_795_298_400)
        return try String(
            nights.enumerated().map { night, mark in
                if mark == "." {
                    try complaints.wentWell()
                    return "."
                }
                let now = start.addingTimeInterval(Double(night) * secondsBetween)
                return try complaints.failed(failure(mark, night: night), on: Day(now, in: .gmt), at: now) == nil
                    ? "-" : "!"
            })
    }

    @Test(arguments: [
        ("pppppppp", "!------!"), ("pp.p", "!-.-"), ("p.p.p.p.p.p.", "!.-.-.-.!.-."), ("pqp", "!!-"),
        ("pqpqpqpp", "!!-----!"),
        ("tttttttttt", "--!------!"), ("tt.tt", "--.--"),
        ("tut", "--!"), ("ttp", "--!"), ("ptt", "!-!"), ("tttu", "--!!"), ("....", "...."),
    ])
    func isTold(nights: String, expected: String) throws { #expect(try told(nights) == expected) }

    /// The words of another program, which are told, do not make a cause a new one.
    @Test func theCauseIsCompared() throws {
        let day = Day(.now, in: .gmt)
        func isTold(_ message: String, cause: String?) throws -> Bool {
            try complaints.failed(PulseError(.unavailable, Message(verbatim: message), cause: cause), on: day, at: .now)
                != nil
        }
        #expect(try isTold("refused: queued as XYZ", cause: "refused"))
        #expect(try !isTold("refused: queued as UVW", cause: "refused"))
        #expect(try isTold("refused: queued as UVW", cause: nil))
    }

    /// Several runs in one night are one night.
    @Test func aNightCountsOnce() throws { #expect(try told("ttttt", secondsBetween: 60) == "-----") }

    /// A clock that was put back must not make it silent for ever, nor loud.
    @Test func aClockThatJumps() throws {
        #expect(try told("pp", secondsBetween: -86_400 * 400) == "!-")
        #expect(try told("p.p", secondsBetween: -86_400 * 400) == "!.-")
    }

    /// Runs that end together lose no count, and none finds another's half.
    @Test func runsTakeTurns() async throws {
        let complaints = complaints
        try await withThrowingTaskGroup { group in
            for night in 0..<200 {
                group.addTask {
                    let day = Day(Date(timeIntervalSince1970: Double(night) * 86_400), in: .gmt)
                    _ = try complaints.failed(PulseError(.tryAgain, "busy"), on: day, at: .now)
                }
            }
            try await group.waitForAll()
        }
        #expect(try complaints.failed(PulseError(.badData, "x"), on: Day(.now, in: .gmt), at: .now) == 201)
    }

    @Test func theNightsAreCounted() throws {
        let start = Date(timeIntervalSince1970: 1_795_298_400)
        var counts: [Int?] = []
        for night in 0..<8 {
            let now = start.addingTimeInterval(Double(night) * 86_400)
            counts.append(try complaints.failed(failure("t", night: night), on: Day(now, in: .gmt), at: now))
        }
        #expect(counts.compactMap(\.self) == [3])
    }
}
