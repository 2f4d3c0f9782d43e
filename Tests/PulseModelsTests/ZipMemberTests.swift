import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseModels

/// Reading one member of a wheel.
@Suite(.timeLimit(.minutes(20))) struct ZipMemberTests {
    let folder: TemporaryFolder
    /// Text that repeats, so that it is really packed.
    let contents = Array(String(repeating: "What is packed here is larger than one word. ", count: 20).utf8)

    init() throws { folder = try TemporaryFolder() }

    private func unpacked(_ bytes: [UInt8], size: Int? = nil) throws -> [UInt8] {
        let path = try folder.write(Data(bytes), to: "pack.whl")
        let file = try OpenFile(reading: path)
        let size = size ?? contents.count
        let member = try ZipMember("pack/tiny.gguf", size: Int64(size), in: file)
        var all: [UInt8] = []
        try member.unpack(from: file) { bytes, offset in
            #expect(offset == Int64(all.count))
            all += bytes
            #expect(all.count <= size)
        }
        return all
    }

    private func zip(_ change: (inout Zip) throws -> Void = { _ in }) throws -> [UInt8] {
        var zip = try Zip(contents)
        try change(&zip)
        return zip.bytes
    }

    @Test func anHonestOne() throws { #expect(try unpacked(zip()) == contents) }

    @Test func oneOfManyPieces() throws {
        let contents = [UInt8](repeating: 7, count: 5 << 20) + Workbench.noise(1 << 20)
        #expect(try unpacked(Zip(contents).bytes, size: contents.count) == contents)
    }

    @Test func whatLies() throws {
        let lies: [(words: String, lie: (inout Zip) throws -> Void)] = [
            ("is not of 900 bytes", { $0.size -= 1 }), ("is not of 900 bytes", { $0.size = 0xffff_ffff }),
            (
                "more is in it than it says",
                { $0.set(packed: try Zip.deflated([UInt8](repeating: 0, count: 64 << 20))) }
            ),
            ("more is in it", { $0.set(packed: try Zip.deflated([UInt8](repeating: 0, count: 901))) }),
            ("is damaged", { $0.set(packed: try Zip.deflated([UInt8](repeating: 0, count: 899))) }),
            ("is damaged", { $0.crc ^= 1 }), ("is damaged", { $0.set(packed: $0.packed.dropLast(3)) }),
            ("is damaged", { $0.packedSize -= 3 }),
            ("is damaged", { $0.set(packed: [UInt8](repeating: 0xff, count: 99)) }),
            ("packed in another way", { $0.method = 0 }), ("packed in another way", { $0.flags = 1 }),
            ("not where it says", { $0.packedSize += 1000 }), ("not where it says", { $0.packedSize = 0xffff_ffff }),
            ("not where it says", { $0.localShift = 1 }), ("not where it says", { $0.localShift = 1 << 30 }),
            ("directory is not where", { $0.directoryShift = 1 }), ("holds no", { $0.directoryShift = -1 }),
            ("directory is not where", { $0.directoryExtra = 1 << 30 }),
            ("has no directory", { $0.commentShift = 1 }), ("has no directory", { $0.commentShift = -1 }),
        ]
        for (index, (words, lie)) in lies.enumerated() {
            let error = try #require(throws: PulseError.self, "\(index)") { try unpacked(zip(lie)) }
            #expect(error.code == .unavailable && error.description.contains(words), "\(index): \(error.description)")
        }
    }

    @Test(arguments: [
        "../pack/tiny.gguf", "/pack/tiny.gguf", "pack/./tiny.gguf", "pack\\tiny.gguf", "PACK/tiny.gguf",
        "pack/tiny.gguf\0", "pack/tiny.ggu", "",
    ])
    func onlyTheExactNameWillDo(name: String) throws {
        let error = try #require(throws: PulseError.self) { try unpacked(zip { $0.name = name }) }
        #expect(error.description.contains("holds no pack/tiny.gguf"))
    }

    @Test func whatIsCutOffAnywhere() throws {
        let bytes = try zip()
        for count in bytes.indices { #expect(throws: PulseError.self) { try unpacked(Array(bytes.prefix(count))) } }
    }

    /// Either what was packed comes out, or an error does.
    @Test func anyByteThatIsWrong() throws {
        let bytes = try zip()
        for (index, flip) in bytes.indices.flatMap({ index in [1, 0x80, 0xff].map { (index, UInt8($0)) } }) {
            var broken = bytes
            broken[index] ^= flip
            do {
                #expect(try unpacked(broken) == contents)
            } catch {
                #expect((error as? PulseError)?.message.contains("is no sound wheel") == true)
            }
        }
    }
}

extension Zip {
    mutating func set(packed bytes: some Sequence<UInt8>) {
        packed = Array(bytes)
        packedSize = packed.count
    }
}
