import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseSources

@Suite(.timeLimit(.minutes(20))) struct CSVReaderTests {
    private func rows(_ text: String, _ columns: String...) throws -> [[String?]] {
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
        #expect(try rows("\u{feff}Read At,x,URL\n1,2,3\n", "url", "readat", "none") == [["3", "1", nil]])
    }

    @Test(arguments: [";", "\t", ","]) func theHeaderTellsWhatSeparates(_ mark: String) throws {
        let table = "a\(mark)b\(mark)\"c,d;e\"\n1,5\(mark)2\(mark)3\n".replacingOccurrences(
            of: mark == "," ? "1,5" : "-", with: "1")
        #expect(try rows(table, "b", "cde") == [["2", "3"]])
    }

    @Test func shortAndLongAndBlankLines() throws {
        #expect(try rows("a,b\n\n1\n1,2,3\n  \n4,5", "a", "b") == [["1", nil], ["1", "2"], ["4", "5"]])
        for text in ["", "a"] { #expect(try rows(text, "a").isEmpty) }
    }

    @Test(arguments: ["\n", "\r\n  \r\n", ";;\n\n", "\nsep=;\n\n"])
    func aHeaderMayComeAfterBlankLines(start: String) throws {
        #expect(try rows(start + "a;b\n;\n1;2\n", "a", "b") == [["1", "2"]])
        #expect(CSVReader.columns(in: Data((start + "a;b\n").utf8)) == ["a", "b"])
    }

    @Test func quotesThatDoNotEndAreToldOf() throws {
        let reader = try CSVReader(ByteStream(Data("a,b\n1,2\n3,\"4\n5,6\n".utf8), name: "t.csv"))
        #expect(try reader.next()?["a"] == "1")
        try fails(.badData, "line 3") { try reader.next() }
    }

    @Test func aHugeFieldIsCut() throws {
        let huge = String(repeating: "x", count: 20 << 20)
        let quotes = String(repeating: "\"\"", count: 20 << 20)
        let found = try rows("a,b\n\(huge),2\n\"\(huge)\",3\n\"\(quotes)\",4\n", "a", "b")
        #expect(found.map { $0[1] } == ["2", "3", "4"])
        #expect(found.allSatisfy { $0[0]?.utf8.count == 16 << 20 })
    }

    private static func wide(_ text: String, isBigEndian: Bool = false) -> [UInt8] {
        ("\u{feff}" + text).utf16.flatMap { unit in
            let bytes = [UInt8(unit & 0xff), UInt8(unit >> 8)]
            return isBigEndian ? bytes.reversed() : bytes
        }
    }

    private static let table = "Titel;URL\r\nCafé “Q” €;x\r\n"

    /// As Excel writes, and other programs.
    static let encodings: [[UInt8]] = [
        Array("Titel;URL\r\nCaf".utf8) + [0xe9, 0x20, 0x93, 0x51, 0x94, 0x20, 0x80] + Array(";x\r\n".utf8),
        Array(table.utf8), [0xef, 0xbb, 0xbf] + Array(table.utf8), wide(table), wide(table, isBigEndian: true),
        wide(table.replacing(";", with: "\t")),
    ]

    @Test(arguments: encodings) func encodingsAreFoundOut(file: [UInt8]) throws {
        let reader = try CSVReader(ByteStream(Data(file), name: "t"))
        let row = try reader.next()
        #expect(row?["titel"] == "Café “Q” €" && row?["url"] == "x")
        #expect(try reader.next() == nil)
        #expect(CSVReader.columns(in: Data(file)) == ["titel", "url"])
    }

    @Test func halfACharacterIsNoOtherEncoding() throws {
        let bytes = Array("a,b\n".utf8) + [0xc3] + Array(",1\nação,2\n".utf8)
        let reader = try CSVReader(ByteStream(Data(bytes), name: "t"))
        #expect(try reader.next()?["a"] == "\u{fffd}")
        #expect(try reader.next()?["a"] == "ação")
    }

    @Test func charactersOfSeveralUnitsMayBeDivided() throws {
        let bytes = Self.wide("a,b\n" + String(repeating: "😀", count: 200_000) + ",1\n")
        let folder = try TemporaryFolder()
        let row = try CSVReader(ByteStream(path: folder.write(Data(bytes), to: "wide.csv"))).next()
        #expect(row?["a"]?.unicodeScalars.count == 200_000 && row?["b"] == "1")
    }

    /// A file is read in pieces of 256 KiB; the last one of this file is a single byte.
    @Test func halfACharacterMayBeAllThatIsLeft() throws {
        let header = "a,b\n"
        let text = header + String(repeating: "x", count: (256 * 1024 - 2) / 2 - header.utf16.count)
        let folder = try TemporaryFolder()
        let bytes = Data(Self.wide(text) + [0x41])
        let reader = try CSVReader(ByteStream(path: folder.write(bytes, to: "half.csv")))
        #expect(try reader.next()?["a"]?.utf8.count == text.utf8.count - header.utf8.count)
        #expect(try reader.next() == nil)
    }

    @Test(arguments: ["\n", "\r", "\r\n"]) func linesEndInAnyWay(end: String) throws {
        let table = ["a,b", "1,\"2\(end)3\"", "", "4,5"].joined(separator: end)
        #expect(try rows(table, "a", "b") == [["1", "2\(end)3"], ["4", "5"]])
        let reader = try CSVReader(ByteStream(Data(table.utf8), name: "t"))
        #expect(try reader.next()?.line == 2)
        #expect(try reader.next()?.line == 5)
        #expect(CSVReader.columns(in: Data(table.utf8)) == ["a", "b"])
    }

    @Test(arguments: ["sep=;\n", "SEP=;\r\n", "\"sep=;\"\r", "\u{feff}sep=;\n"])
    func excelsFirstLineNamesTheSeparator(first: String) throws {
        #expect(try rows(first + "a,b;c\n1,2;3\n", "ab", "c") == [["1,2", "3"]])
        #expect(try rows(first.replacing(";", with: "|") + "a|b\n1|2\n", "a", "b") == [["1", "2"]])
    }
}
