import Foundation
import PulseCore
import PulseSources
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct LineReaderTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func lines(_ bytes: Data, longestLine: Int = 1 << 28) throws -> [LineReader.Line] {
        var reader = try LineReader(path: folder.write(bytes, to: "lines"), longestLine: longestLine)
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    @Test(arguments: [
        ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]),
        ("a\n\n\nb\n", ["a", "", "", "b"]), ("a\rb\n", ["a\rb"]), ("\r\n", [""]), ("a\n\r", ["a", ""]),
        ("\u{85}\u{2028}x\n", ["\u{85}\u{2028}x"]),
    ])
    func linesEndAsLinesDo(text: String, expected: [String]) throws {
        let lines = try lines(Data(text.utf8))
        #expect(lines.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
        #expect(lines.map(\.number) == Array(1..<expected.count + 1))
        #expect(lines.allSatisfy { $0.isWhole })
    }

    @Test func linesAcrossChunksStayWhole() throws {
        let sizes = [1, 262_143, 262_144, 262_145, 0, 700_000, 11_000_000, 3]
        var bytes = Data()
        for (index, size) in sizes.enumerated() {
            bytes.append(Data(repeating: UInt8(ascii: "a") + UInt8(index), count: size))
            bytes.append(UInt8(ascii: "\n"))
        }
        let lines = try lines(bytes)
        #expect(lines.map(\.bytes.count) == sizes)
        for (index, line) in lines.enumerated() {
            #expect(line.bytes == Array(repeating: UInt8(ascii: "a") + UInt8(index), count: sizes[index]))
        }
    }

    @Test func aLineBeyondTheLimitIsPassedOver() throws {
        let long = String(repeating: "x", count: 1_000_000)
        let lines = try lines(Data("a\n\(long)\nb\n\(long)".utf8), longestLine: 300_000)
        #expect(lines.map(\.isWhole) == [true, false, true, false])
        #expect(lines.map(\.number) == [1, 2, 3, 4])
        #expect(lines.map(\.bytes.count) == [1, 0, 1, 0])
        // Shorter than what is read at once, and still over the limit.
        let short = try self.lines(Data("1234\n12345\n1".utf8), longestLine: 4)
        #expect(short.map(\.isWhole) == [true, false, true])
    }

    @Test func aPipeIsReadAsItComes() throws {
        let pipe = Pipe()
        var reader = LineReader(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "standard input")
        try pipe.fileHandleForWriting.write(contentsOf: Data("one\ntw".utf8))
        #expect(try reader.next()?.bytes == Array("one".utf8))
        try pipe.fileHandleForWriting.write(contentsOf: Data("o\nthree".utf8))
        #expect(try reader.next()?.bytes == Array("two".utf8))
        try pipe.fileHandleForWriting.close()
        #expect(try reader.next()?.bytes == Array("three".utf8))
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test func aPipeThatIsNotReadyIsWaitedFor() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        let writer = pipe.fileHandleForWriting
        let thread = Thread {
            Thread.sleep(forTimeInterval: 0.05)
            try? writer.write(contentsOf: Data("late\n".utf8))
            try? writer.close()
        }
        thread.start()
        var reader = LineReader(descriptor: descriptor, name: "standard input")
        #expect(try reader.next()?.bytes == Array("late".utf8))
        #expect(try reader.next() == nil)
    }

    @Test func whatCannotBeReadSaysSo() throws {
        func read(_ path: String) throws {
            var reader = try LineReader(path: path)
            _ = try reader.next()
        }
        try fails(.noInput, "no file or folder") { try read(folder.file("nothing")) }
        try fails(.badData, "is a folder") { try read(folder.path) }
        try folder.write("x", to: "file")
        try fails(.noInput) { try read(folder.file("file/below")) }
        var closed = LineReader(descriptor: 99_999, name: "standard input")
        try fails(.cannotRead, "Reading standard input failed") { try closed.next() }
    }
}
