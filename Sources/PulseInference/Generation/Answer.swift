/// An answer as it grows: bytes in, whole characters out, every piece delivered as it comes.
struct Answer {
    private var assembler = TextAssembler()
    private(set) var text = ""

    mutating func add(_ bytes: [UInt8], deliver: (String) -> Void) {
        send(assembler.add(bytes), deliver)
    }

    /// Delivers the bytes of a character that was never completed.
    mutating func finish(deliver: (String) -> Void) {
        send(assembler.finish(), deliver)
    }

    private mutating func send(_ piece: String, _ deliver: (String) -> Void) {
        guard !piece.isEmpty else { return }
        text += piece
        deliver(piece)
    }
}

/// Text from the bytes of tokens, in whole characters: a character whose bytes are spread over several tokens waits
/// for the last of them.
struct TextAssembler {
    private var waiting: [UInt8] = []

    /// The characters that are whole now. Bytes that can no longer become UTF-8 turn into U+FFFD, as Unicode
    /// recommends (Unicode Standard, 3.9, "U+FFFD Substitution of Maximal Subparts").
    mutating func add(_ bytes: some Sequence<UInt8>) -> String {
        waiting += bytes
        let whole = waiting.count - Self.unfinished(waiting)
        defer { waiting.removeFirst(whole) }
        return String(decoding: waiting[..<whole], as: UTF8.self)
    }

    /// What is left when no more comes.
    mutating func finish() -> String {
        defer { waiting = [] }
        return String(decoding: waiting, as: UTF8.self)
    }

    /// How many bytes at the end begin a character that more bytes could complete: 0...3 (RFC 3629, section 3).
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
