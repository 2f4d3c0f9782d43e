/// Assembles an answer from the bytes of tokens, and delivers it in whole characters.
struct Answer {
    private var assembler = TextAssembler()
    private(set) var text = ""

    mutating func add(_ bytes: [UInt8], deliver: (String) -> Void) {
        send(assembler.add(bytes), deliver)
    }

    /// Delivers the bytes of an incomplete character.
    mutating func finish(deliver: (String) -> Void) {
        send(assembler.finish(), deliver)
    }

    private mutating func send(_ piece: String, _ deliver: (String) -> Void) {
        guard !piece.isEmpty else { return }
        text += piece
        deliver(piece)
    }
}

/// Assembles whole characters from the bytes of tokens. An incomplete character waits for the next token.
struct TextAssembler {
    private var waiting: [UInt8] = []

    /// Adds bytes. Returns the complete characters. Invalid UTF-8 becomes U+FFFD, as Unicode recommends (Unicode
    /// Standard, 3.9, "U+FFFD Substitution of Maximal Subparts").
    mutating func add(_ bytes: some Sequence<UInt8>) -> String {
        waiting += bytes
        let whole = waiting.count - Self.unfinished(waiting)
        defer { waiting.removeFirst(whole) }
        return String(decoding: waiting[..<whole], as: UTF8.self)
    }

    /// The rest, at the end of the answer.
    mutating func finish() -> String {
        defer { waiting = [] }
        return String(decoding: waiting, as: UTF8.self)
    }

    /// The number of bytes at the end that begin an incomplete character: 0...3 (RFC 3629, section 3).
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        for length in 1...3 where length <= bytes.count {
            let lead = bytes[bytes.count - length]
            switch lead {
            case 0x80...0xbf: continue
            case 0xc2...0xdf: return length < 2 ? length : 0
            case 0xe0...0xef: return length < 3 ? length : 0
            case 0xf0...0xf4: return length < 4 ? length : 0
            default: return 0
            }
        }
        return 0
    }
}
