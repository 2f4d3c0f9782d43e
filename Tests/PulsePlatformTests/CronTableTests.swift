import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulsePlatform

@Suite(.timeLimit(.minutes(20))) struct CronTableTests {
    private static let entry = "0 22 * * * /usr/local/bin/pulse-digest today --send"

    /// Crontabs as people have them, with bytes that are no UTF-8 too.
    static let tables: [Data] = [
        Data(), Data("\n".utf8), Data("MAILTO=ana\n0 1 * * * x\n".utf8), Data("0 1 * * * no line end".utf8),
        Data("A=1\r\n0 1 * * * x\r\n".utf8), Data("0 1 * * * x\r\n# end without one\r".utf8),
        Data([0x23, 0xe9, 0xff, 0x0a, 0x00, 0x0a]), Data("\n\n# >>> another tool\n# <<< another tool\n\n\n".utf8),
        Data("\u{feff}# byte order mark\n".utf8), Data("0 1 * * * echo \\% 'a'\t\n   \n".utf8),
    ]

    @Test(arguments: tables) func otherLinesStayToTheByte(table: Data) throws {
        let before = try CronTable(table)
        #expect(before.entry == nil && before.removing() == table)
        let installed = before.installing(Self.entry)
        #expect(installed.starts(with: table))
        #expect(installed.last == UInt8(ascii: "\n"))
        let after = try CronTable(installed)
        #expect(after.entry == Self.entry)
        #expect(after.removing() == table)
        // Twice is once, and another time takes the first one's place.
        #expect(after.installing(Self.entry) == installed)
        let changed = try CronTable(after.installing("5 6 * * * y"))
        #expect(changed.entry == "5 6 * * * y" && changed.removing() == table)
    }

    @Test(arguments: tables) func linesAddedLaterStayWhereTheyAre(table: Data) throws {
        let more = Data("9 9 * * * later\n".utf8)
        let installed = try CronTable(table).installing(Self.entry) + more
        let after = try CronTable(installed)
        #expect(after.installing(Self.entry) == installed)
        #expect(after.installing("5 6 * * * y").suffix(more.count) == more)
        let removed = after.removing()
        #expect(removed.starts(with: table) && removed.suffix(more.count) == more)
        #expect(try CronTable(removed).entry == nil)
        // What had no line end must not run into the line that follows now.
        #expect(String(decoding: removed, as: UTF8.self).contains("\n9 9") || table.isEmpty)
    }

    @Test func severalOfOursBecomeOne() throws {
        let once = try CronTable(Data("a\n".utf8)).installing(Self.entry)
        let twice = try CronTable(once + Data("b\n".utf8) + CronTable(Data()).installing("1 1 * * * old"))
        #expect(twice.removing() == Data("a\nb\n".utf8))
        #expect(twice.installing(Self.entry) == once + Data("b\n".utf8))
    }

    @Test func theLineAboveMayBeGone() throws {
        let line = Data("0 1 * * * no line end".utf8)
        let installed = try CronTable(line).installing(Self.entry)
        let alone = try CronTable(installed.dropFirst(line.count + 1))
        #expect(alone.entry == Self.entry && alone.removing().isEmpty)
    }

    @Test(arguments: [
        "# >>> pulse-digest: x\n0 1 * * * a\n", "# <<< pulse-digest\n",
        "# >>> pulse-digest\n# >>> pulse-digest\n# <<< pulse-digest\n",
    ])
    func aHalfBlockIsNotTouched(table: String) throws {
        try fails(.configuration, "crontab -e") { try CronTable(Data(table.utf8)) }
    }

    @Test func theSecondLinePrepares() throws {
        let table = try CronTable(try CronTable(Data("a\n".utf8)).installing("1 1 * * * x\n31 23,0 * * * y"))
        #expect(table.entry == "1 1 * * * x" && table.preparation == "31 23,0 * * * y")
        #expect(try CronTable(table.installing(Self.entry)).preparation == nil)
        #expect(table.removing() == Data("a\n".utf8))
    }

    @Test func theZoneAboveIsFound() throws {
        #expect(try CronTable(Data("CRON_TZ = \"Asia/Tokyo\"\n0 1 * * * x\n".utf8)).zoneName == "Asia/Tokyo")
        let below = try CronTable(Data()).installing(Self.entry) + Data("CRON_TZ=Asia/Tokyo\n".utf8)
        #expect(try CronTable(below).zoneName == nil)
    }
}
