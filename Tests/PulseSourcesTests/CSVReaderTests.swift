import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseSources

@Suite(.timeLimit(.minutes(20))) struct CSVReaderTests {
    private func rows(_ text: String, _ columns: String...) throws(PulseError) -> [[String?]] {
        let reader = try CSVReader(ByteStream(Data(text.utf8), name: "table.csv"))
        var rows: [[String?]] = []
        while let row = try reader.next() { rows.append(columns.map { row[$0] }) }
        return rows
    }

    @Test func quotesHoldAnything() throws {
        let table = "a,b\r\n\"x, y\",\"one \"\"two\"\"\r\nthree\"\r\n\"\",z\r\n"
        #expect(try rows(table, "a", "b") == [["x, y", "one \"two\"\r\nthree"], [nil, "z"]])
    }

    @Test func columnsAreKnownByTheirNames() throws {
        let table = "\u{feff}Read At,x,URL\n1,2,3\n"
        #expect(try rows(table, "url", "readat", "none") == [["3", "1", nil]])
    }

    @Test(arguments: [";", "\t", ","]) func theHeaderTellsWhatSeparates(_ mark: String) throws {
        let table = "a\(mark)b\(mark)\"c,d;e\"\n1,5\(mark)2\(mark)3\n".replacingOccurrences(
            of: mark == "," ? "1,5" : "-", with: "1")
        #expect(try rows(table, "b", "cde") == [["2", "3"]])
    }

    @Test func shortAndLongAndBlankLines() throws {
        #expect(try rows("a,b\n\n1\n1,2,3\n  \n4,5", "a", "b") == [["1", nil], ["1", "2"], ["4", "5"]])
        #expect(try rows("", "a").isEmpty)
        #expect(try rows("a", "a").isEmpty)
    }

    @Test func theLineIsWhereARecordBegins() throws {
        let reader = try CSVReader(ByteStream(Data("a,b\n\"1\n2\n3\",x\n4,y\n".utf8), name: "t"))
        #expect(try reader.next()?.line == 2)
        #expect(try reader.next()?.line == 5)
    }

    @Test func quotesThatDoNotEndAreToldOf() throws {
        let reader = try CSVReader(ByteStream(Data("a,b\n1,2\n3,\"4\n5,6\n".utf8), name: "t.csv"))
        #expect(try reader.next()?["a"] == "1")
        do throws(PulseError) {
            _ = try reader.next()
            Issue.record("no error")
        } catch {
            #expect(error.code == .badData && error.message.contains("line 3"))
        }
    }

    @Test func aHugeFieldIsCut() throws {
        let huge = String(repeating: "x", count: 20 << 20)
        let found = try rows("a,b\n\(huge),2\n\"\(huge)\",3\n", "a", "b")
        #expect(found.map { $0[1] } == ["2", "3"])
        #expect(found.allSatisfy { $0[0]?.utf8.count == 16 << 20 })
    }

    @Test func otherEncodings() throws {
        do throws(PulseError) {
            _ = try CSVReader(ByteStream(Data([0xff, 0xfe, 0x61, 0]), name: "t"))
            Issue.record("no error")
        } catch {
            #expect(error.code == .badData && error.message.contains("UTF-16"))
        }
        let latin = try CSVReader(ByteStream(Data("a\nCaf".utf8) + [0xe9], name: "t"))
        #expect(try latin.next()?["a"] == "Caf\u{fffd}")
    }
}
