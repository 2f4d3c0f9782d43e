/// The control sequences of terminals (ECMA-48, and xterm's “Operating System Commands”), to be read past: what they
/// would have done is no part of a text, and neither are the letters they are spelled with.
enum EscapeSequence {
    /// Passes over the rest of a sequence of which ESC or the one-byte CSI was read. What is no whole sequence is left.
    static func skip(in text: inout Substring.UnicodeScalarView, after introducer: Unicode.Scalar) {
        var rest = text
        switch introducer == "\u{9b}" ? "[" : rest.popFirst() {
        case "[":
            // Parameter bytes, intermediate bytes, one final byte.
            while let scalar = rest.first, (0x20...0x3f).contains(scalar.value) { rest.removeFirst() }
            guard let final = rest.popFirst(), (0x40...0x7e).contains(final.value) else { return }
        case "]", "P", "X", "^", "_":
            // A string, up to BEL or ST. Without an end it is not one: the text that follows must not vanish.
            guard let end = rest.firstIndex(where: { $0 == "\u{7}" || $0 == "\u{1b}" || $0 == "\u{9c}" }) else {
                return
            }
            let isLong = rest[end] == "\u{1b}"
            rest = rest[rest.index(after: end)...]
            if isLong, rest.first == "\\" { rest.removeFirst() }
        case let scalar? where (0x20...0x2f).contains(scalar.value):
            guard let final = rest.popFirst(), (0x30...0x7e).contains(final.value) else { return }
        case let scalar? where (0x30...0x7e).contains(scalar.value): break
        default: return
        }
        text = rest
    }
}
