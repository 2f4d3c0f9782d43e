/// The control sequences of terminals (ECMA-48, and xterm's “Operating System Commands”), to be read past: what they
/// would have done is no part of a text, and neither are the letters they are spelled with.
enum EscapeSequence {
    /// After the sequence of which ESC, or the one-byte CSI, was read. Where there is no whole one, nothing is passed.
    static func end(in text: UnsafeBufferPointer<UInt8>, from start: Int, isControlSequence: Bool) -> Int {
        var index = start
        func byte() -> UInt8? { index < text.count ? text[index] : nil }
        if !isControlSequence {
            guard let second = byte() else { return start }
            index += 1
            switch second {
            case UInt8(ascii: "["): break
            case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
                return endOfString(in: text, from: index) ?? start
            case 0x20...0x2f:
                guard let final = byte(), 0x30...0x7e ~= final else { return start }
                return index + 1
            case 0x30...0x7e: return index
            default: return start
            }
        }
        // Parameter bytes, intermediate bytes, one final byte.
        while let next = byte(), 0x20...0x3f ~= next { index += 1 }
        guard let final = byte(), 0x40...0x7e ~= final else { return start }
        return index + 1
    }

    /// After BEL or ST. Without an end a string is none: the text that follows must not vanish.
    private static func endOfString(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        for index in start..<text.count {
            let next = index + 1 < text.count ? text[index + 1] : 0
            switch text[index] {
            case 0x07: return index + 1
            case 0x1b: return next == UInt8(ascii: "\\") ? index + 2 : index + 1
            case 0xc2 where next == 0x9c: return index + 2
            default: continue
            }
        }
        return nil
    }
}
