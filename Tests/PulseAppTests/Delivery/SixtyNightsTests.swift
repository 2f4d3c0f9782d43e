import Foundation
import PulseCore
import PulseRendering
import PulseStore
import PulseTestSupport
import Testing

@testable import PulseApp
@testable import PulsePlatform

extension RealProcesses {
    /// Sixty nights by a clock that the test sets, in a zone whose clocks are put back on the 15th night (15 February)
    /// and forward on the 50th (22 March): whatever happens, each reader is sent each article once.
    @Suite(.timeLimit(.minutes(20))) struct SixtyNightsTests {
        private let nights: Nights
        private let zone = TimeZone(identifier: "Africa/Casablanca") ?? .gmt

        init() throws {
            nights = try Nights(sendmail: "status=$(cat \"$F/status\"); [ \"$status\" = 0 ] || exit \"$status\"")
        }

        /// What happens on a night; 0 is the first.
        private enum Event {
            case missed, twice
            /// sendmail ends with a status.
            case fails(Int)
            /// The machine's clock is wrong by so many days.
            case clock(Double)
            /// The run comes so many hours late.
            case late(Double)
            /// Nothing is read.
            case unread
            /// Nothing is imported; it is on the next night.
            case notImported
            /// Ben is mailed, too, from here on.
            case joins
        }

        private static let events: [Int: Event] = [
            3: .unread, 5: .twice, 7: .missed, 10: .joins, 12: .notImported, 13: .notImported, 14: .twice,
            16: .fails(75), 17: .fails(75),
            20: .missed, 21: .missed, 25: .twice, 27: .fails(69), 30: .fails(75), 31: .missed, 33: .clock(3),
            38: .clock(-2), 41: .clock(400), 42: .fails(75), 45: .clock(-1), 46: .clock(1), 48: .late(5), 49: .twice,
            52: .unread, 53: .unread, 54: .unread, 55: .unread, 57: .fails(75),
        ]
        /// Before the last nights, the machine is off for three weeks; what was not sent until then is two weeks old.
        private func day(of night: Int) -> Int { night < 58 ? night : night + 21 }

        private func date(_ night: Int) throws -> Date {
            let first = try #require(
                DateComponents(calendar: .gregorian(in: zone), timeZone: zone, year: 2026, month: 2, day: 1, hour: 22)
                    .date)
            return try #require(Calendar.gregorian(in: zone).date(byAdding: .day, value: day(of: night), to: first))
        }

        private func app(_ now: Date) -> AppEnvironment {
            AppEnvironment(home: nights.folder, variables: ["F": nights.folder.path], now: now, timeZone: zone)
        }

        private func run(now: Date, to addresses: [String]) async throws {
            var mail = MailSettings()
            mail.sendmail = nights.folder.file("sendmail")
            try? await NightlyRun(for: [try DigestReader(addresses)], by: mail, in: app(now), startedBy: .cron).run()
        }

        private func reading(_ number: Int, readAt: Date) -> Reading {
            let category = Category.known[number % Category.known.count]
            return Reading(article: Nights.article(number, category: category), readAt: readAt, origin: "test")
        }

        /// The numbers of the articles in the mails that came after the first so many: by recipient.
        private func delivered(after seen: Int, of count: Int) throws -> (ana: [Int], ben: [Int]) {
            var (ana, ben): ([Int], [Int]) = ([], [])
            for (text, numbers) in try nights.delivered(after: seen, of: count)
            where !text.contains("<pulse-digest.notice.") {
                if text.contains("\nTo: ana@") { ana += numbers } else { ben += numbers }
            }
            return (ana, ben)
        }

        @Test func nothingTwiceAndNothingLost() async throws {
            var random = SplitMix(seed: 60)
            var (count, table) = (0, "")
            var (ana, ben, expectedOfBen): ([Int], [Int], [Int]) = ([], [], [])
            var waiting: [Reading] = []
            var hasBen = false
            for night in 0..<60 {
                let event = Self.events[night]
                var (now, status, runs) = (try date(night), 0, 1)
                switch event {
                case .missed: runs = 0
                case .twice: runs = 2
                case .fails(let code): status = code
                case .clock(let days): now += days * 86_400
                case .late(let hours): now += hours * 3600
                case .joins: hasBen = true
                case .unread, .notImported, nil: break
                }
                var read: [Reading] = []
                if case .unread = event {
                } else {
                    for _ in 0...Int(random.next() % 3) {
                        let hours = Double(random.next() % 20) + 1
                        read.append(reading(count, readAt: now - hours * 3600))
                        count += 1
                    }
                }
                let numbers = (count - read.count)..<count
                if hasBen { expectedOfBen += numbers }
                let seen = try nights.mails()
                let addresses = ["ana@example.org"] + (hasBen ? ["ben@example.org"] : [])
                var isLate = false
                if case .notImported = event { isLate = true }
                // On a night without a run nothing is imported either.
                waiting += read
                if runs > 0, !isLate {
                    let imported = waiting
                    let store = try app(now).history.open(.readWrite)
                    _ = try store.record(imported)
                    try store.noteImport(from: "test", at: now)
                    waiting = []
                }
                try nights.folder.write("\(status)", to: "status")
                for _ in 0..<runs { try await run(now: now, to: addresses) }
                let new = try delivered(after: seen, of: count)
                ana += new.ana
                ben += new.ben
                func list(_ numbers: some Sequence<Int>) -> String { Nights.column(numbers: numbers, width: 21) }
                let clock = DateText.compact(now, in: zone)
                let what = event.map { "\($0)" } ?? ""
                table +=
                    "\(Nights.pad("\(night)", 3)) \(clock)  read \(list(numbers)) "
                    + "ana \(list(new.ana)) ben \(list(new.ben)) \(what)\n"
            }
            let twice = ana.count - Set(ana).count + ben.count - Set(ben).count
            let lost = Set(0..<count).subtracting(ana).count + Set(expectedOfBen).subtracting(ben).count
            table += "articles \(count), to ana \(ana.count), to ben \(ben.count); twice \(twice), lost \(lost)\n"
            #expect(twice == 0 && lost == 0, "\(table)")
            try Nights.expect(table, is: "nights.txt")
        }

        /// Longer than mails are kept, twice, and after a pause: what was in those that were dropped comes later.
        @Test func fiveWeeksWithoutAMail() async throws {
            var (count, ana): (Int, [Int]) = (0, [])
            for night in 0..<44 {
                let now = try date(night)
                let read = (0..<2).map { reading(count + $0, readAt: now - Double(1 + 20 * $0) * 3600) }
                count += read.count
                let store = try app(now).history.open(.readWrite)
                _ = try store.record(read)
                try store.noteImport(from: "test", at: now)
                if (1...5).contains(night) { continue }
                try nights.folder.write((6..<41).contains(night) ? "69" : "0", to: "status")
                let seen = try nights.mails()
                try await run(now: now, to: ["ana@example.org"])
                ana += try delivered(after: seen, of: count).ana
            }
            #expect(ana.sorted() == Array(0..<count))
        }
    }
}
