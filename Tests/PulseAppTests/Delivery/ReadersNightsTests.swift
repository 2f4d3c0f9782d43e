import Foundation
import PulseCore
import PulseRendering
import PulseStore
import PulseTestSupport
import Testing

@testable import PulseApp
@testable import PulsePlatform

extension RealProcesses {
    /// Fifty nights of four readers of one history, each with interests, sources and a language of their own. Whatever
    /// happens, to all of them or to one, each is sent each article that is for them once.
    @Suite(.timeLimit(.minutes(20))) struct ReadersNightsTests {
        private let nights: Nights

        init() throws {
            // A file by a reader's name makes sendmail fail for them, one by the name of all for everybody.
            nights = try Nights(
                sendmail: """
                    name=$(sed -n 's/^To: \\([a-z]*\\)@.*/\\1/p' "$F/message")
                    for down in "$name" all; do [ ! -e "$F/down.$down" ] || exit "$(cat "$F/down.$down")"; done
                    """)
        }

        private static let names = ["you", "ana", "ben", "cid"]

        private enum Event {
            case missed, twice
            /// sendmail ends with a status: for one reader, or for all.
            case fails(String, Int)
        }

        /// Ben's mailbox is away for longer than a message is kept.
        private static let events: [Int: Event] = {
            var events: [Int: Event] = [
                5: .missed, 8: .fails("ben", 67), 9: .twice, 12: .fails("all", 75), 13: .missed,
                16: .fails("ben", 75), 17: .fails("you", 75), 18: .fails("ana", 75), 19: .fails("all", 69),
                20: .fails("cid", 69), 42: .fails("you", 69), 44: .fails("all", 75), 45: .missed, 46: .twice,
            ]
            for night in 22...40 { events[night] = .fails("ben", 67) }
            return events
        }()
        /// The first night of each.
        private static let joins = ["ben": 3]

        private func app(_ now: Date) -> AppEnvironment {
            AppEnvironment(home: nights.folder, variables: ["F": nights.folder.path], now: now)
        }

        private func readers(night: Int) throws -> [DigestReader] {
            func reader(_ name: String, _ change: (inout DigestRequest) -> Void) throws -> DigestReader {
                try DigestReader(["\(name)@example.org"]) { request in
                    request.profile = name == "you" ? "" : name
                    change(&request)
                }
            }
            return [
                try reader("you") { _ in },
                try reader("ana") {
                    $0.categories = [Category("world")]
                    $0.language = .portuguese
                },
                try reader("ben") {
                    $0.basis = .unread
                    $0.sources = ["birch"]
                    $0.language = .spanish
                },
                try reader("cid") {
                    $0.basis = .readAndUnread
                    $0.muteSources = ["Alder"]
                    $0.language = .french
                },
            ].filter { Self.joins[$0.request.profile, default: 0] <= night }
        }

        /// An article that was read, or that waits in one of two feeds, and whose it is.
        private struct News {
            let number: Int
            let article: Article
            /// Nil: it was read.
            let feed: Int?
            let readers: [String]
        }

        private func news(_ number: Int, kind: Int) -> News {
            let article = Nights.article(
                number, source: ["Alder", "Birch", "S", "Birch"][kind],
                category: Category(number.isMultiple(of: 3) ? "world" : "science"))
            let isRead = kind > 1
            var readers = isRead ? ["you", "cid"] : kind == 1 ? ["ben", "cid"] : []
            if isRead, article.category == Category("world") { readers.append("ana") }
            return News(number: number, article: article, feed: isRead ? nil : kind, readers: readers)
        }

        private func bring(_ news: [News], _ feeds: [Feed], at now: Date) throws {
            let read = news.filter { $0.feed == nil }.map {
                Reading(article: $0.article, readAt: now - 3600 * Double($0.number % 20 + 1), origin: "test")
            }
            let updates = feeds.enumerated().map { place, feed in
                FetchedFeed(
                    feed: feed, contents: FeedContents(entries: news.filter { $0.feed == place }.map(\.article)))
            }
            let store = try app(now).history.open(.readWrite)
            _ = try store.record(read)
            _ = try store.record(updates, at: now - 60)
        }

        private func delivered(after seen: Int, of count: Int) throws -> [String: [Int]] {
            var all: [String: [Int]] = [:]
            for (text, numbers) in try nights.delivered(after: seen, of: count) {
                let name = try #require(Self.names.first { text.contains("\nTo: \($0)@") })
                all[name, default: []] += numbers
            }
            return all
        }

        private func status(of readers: [DigestReader], now: Date) async -> Int32 {
            var mail = MailSettings()
            mail.sendmail = nights.folder.file("sendmail")
            do {
                try await NightlyRun(for: readers, by: mail, in: app(now), startedBy: nil).run()
                return 0
            } catch {
                return error.asPulseError.code.exitCode
            }
        }

        @Test func eachReaderHasEachArticleThatIsForThemOnce() async throws {
            let first = Date(timeIntervalSince1970: 1_769_983_200)  // 2026-02-01T22:00:00Z
            let feeds = try app(first).history.open(.readWrite).add(
                ["alder", "birch"].map { Feed(address: "https://\($0).example/", title: $0, addedAt: first) })
            var random = SplitMix(seed: 4)
            var (count, table) = (0, "")
            var (told, expected): ([String: [Int]], [String: Set<Int>]) = ([:], [:])
            for night in 0..<50 {
                let now = first + Double(night) * 86_400
                let event = Self.events[night]
                let arrived = (0...Int(random.next() % 3)).map { _ in
                    defer { count += 1 }
                    return news(count, kind: Int(random.next() % 4))
                }
                for news in arrived {
                    for name in news.readers { expected[name, default: []].insert(news.number) }
                }
                let readers = try readers(night: night)
                try bring(arrived, feeds, at: now)
                var runs = 1
                switch event {
                case .missed: runs = 0
                case .twice: runs = 2
                case .fails(let name, let status): try nights.folder.write("\(status)", to: "down.\(name)")
                case nil: break
                }
                let seen = try nights.mails()
                var ends: [String] = []
                for _ in 0..<runs {
                    ends.append("\(await status(of: readers, now: now))")
                }
                for name in Self.names + ["all"] {
                    try? FileManager.default.removeItem(atPath: nights.folder.file("down.\(name)"))
                }
                let new = try delivered(after: seen, of: count)
                told.merge(new, uniquingKeysWith: +)
                let columns = Self.names.map { name in
                    Nights.column("\(name) ", numbers: new[name, default: []], width: 25)
                }
                table +=
                    "\(Nights.pad("\(night)", 3)) \(columns.joined()) "
                    + "exit \(ends.joined(separator: ",")) \(event.map { "\($0)" } ?? "")\n"
            }
            for name in Self.names {
                let all = told[name, default: []]
                let lost = expected[name, default: []].subtracting(all)
                table +=
                    "\(name): \(all.count) told, \(all.count - Set(all).count) twice, \(lost.count) lost, "
                    + "\(Set(all).subtracting(expected[name, default: []]).count) not theirs\n"
                #expect(all.count == Set(all).count && Set(all) == expected[name, default: []], "\(table)")
            }
            try Nights.expect(table, is: "nights.readers.txt")
        }
    }
}
