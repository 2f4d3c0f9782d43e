import Testing

@testable import PulseInference

/// Whole characters out of bytes that come in any pieces.
@Suite(.timeLimit(.minutes(20))) struct TextAssemblerTests {
    private static let text = "naïve — 雪の日, Привет, مرحبا 👩‍👩‍👧 𐍈"

    @Test(arguments: 1...7) func anyCutGivesTheSameText(size: Int) {
        var assembler = TextAssembler()
        let bytes = Array(Self.text.utf8)
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = assembler.add(bytes[start..<min(start + size, bytes.count)])
            #expect(!piece.unicodeScalars.contains("\u{fffd}"))
            text += piece
        }
        #expect(text + assembler.finish() == Self.text)
    }

    @Test func aCharacterWaitsForItsLastByte() {
        var assembler = TextAssembler()
        #expect(assembler.add([0xf0, 0x9f]) == "")
        #expect(assembler.add([0x98]) == "")
        #expect(assembler.add([0x80, 0x41]) == "😀A")
        #expect(assembler.finish() == "")
    }

    @Test func brokenBytesAreReplaced() {
        var assembler = TextAssembler()
        #expect(assembler.add([0xff, 0x41]) == "\u{fffd}A")
        #expect(assembler.add([0x80, 0x80, 0x80, 0x80]) == "\u{fffd}\u{fffd}\u{fffd}\u{fffd}")
        #expect(assembler.add([0xc0]) == "\u{fffd}")
        #expect(assembler.add([0xe2, 0x82]) == "")
        #expect(assembler.finish() == "\u{fffd}")
    }
}
