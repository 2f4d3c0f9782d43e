import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseSources

@Suite(.timeLimit(.minutes(20))) struct ByteReaderTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ data: Data) throws -> [UInt8] {
        let path = folder.file("bytes")
        try? data.write(to: URL(fileURLWithPath: path))
        return try ByteStream(path: path).rest(limit: .max)
    }

    private func failure(_ data: Data) -> PulseError? { PulseTestSupport.failure { try read(data) } }

    private func random(_ count: Int) -> Data {
        var generator = SplitMix(seed: 5)
        return Data((0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32 & 0x7f) })
    }

    @Test func plainBytesComeAsTheyAre() throws {
        for count in [0, 1, 2, 3, 256 * 1024, 600_001] {
            let data = random(count)
            #expect(try read(data) == Array(data))
        }
    }

    @Test func whatGzipPackedIsUnpacked() throws {
        for count in [0, 1, 1000, 1_000_000] {
            let data = random(count)
            #expect(try read(SourceRun.gzipped(data, in: folder)) == Array(data), "\(count)")
        }
        let letters = Data(repeating: 0x61, count: 3_000_000)
        #expect(try read(SourceRun.gzipped(letters, in: folder)) == Array(letters))
    }

    @Test func packedFilesInARowAreOneFile() throws {
        let (one, two) = (random(300_000), Data("and the rest\n".utf8))
        let packed = try SourceRun.gzipped(one, in: folder) + SourceRun.gzipped(two, in: folder)
        #expect(try read(packed) == Array(one + two))
        // Tapes are filled up with zeros.
        #expect(try read(packed + Data(count: 512)) == Array(one + two))
    }

    @Test func aFileThatWasCutIsRefused() throws {
        let packed = try SourceRun.gzipped(random(300_000), in: folder)
        for cut in [11, 1000, packed.count - 4] { #expect(failure(packed.prefix(cut)).says(.badData, "damaged")) }
        var changed = packed
        changed[packed.count / 2] ^= 0x55
        #expect(failure(changed)?.code == .badData)
    }

    @Test func aBombIsRefused() throws {
        let packed = try SourceRun.gzipped(Data(count: 200 << 20), in: folder)
        #expect(failure(packed).says(.badData, "200 times its size"))
    }

    @Test func aLineOfAPackedFileIsALine() throws {
        let path = try folder.write(SourceRun.gzipped(Data("one\ntwo\r\nthree".utf8), in: folder), to: "lines.gz")
        var reader = try LineReader(path: path)
        var lines: [String] = []
        while let line = try reader.next() { lines.append(String(decoding: line.bytes, as: UTF8.self)) }
        #expect(lines == ["one", "two", "three"])
    }

    @Test func aPackedPipeIsUnpacked() throws {
        let pipe = Pipe()
        let packed = try SourceRun.gzipped(Data("one\n".utf8), in: folder)
        try pipe.fileHandleForWriting.write(contentsOf: packed)
        try pipe.fileHandleForWriting.close()
        let reader = ByteStream(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "standard input")
        #expect(try reader.rest(limit: 100) == Array("one\n".utf8))
    }

    /// A pipe that nobody fills, or a terminal at which nobody types.
    @Test func aWaitEndsWithItsTask() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("one\n".utf8))
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        let reading = Task { try ByteStream(descriptor: descriptor, name: "standard input").rest(limit: 100) }
        reading.cancel()
        await #expect(throws: PulseError.interrupted) { try await reading.value }
    }
}
