/// An answer as it grows: bytes in, whole characters out, every piece delivered as it comes.
struct Answer {
    private var assembler = TextAssembler()
    private(set) var text = ""
    /// Tokens written.
    private(set) var tokens = 0

    mutating func add(_ bytes: [UInt8], deliver: (String) -> Void) {
        tokens += 1
        send(assembler.add(bytes), deliver)
    }

    /// Delivers what was waiting for more.
    mutating func finish(deliver: (String) -> Void) {
        send(assembler.finish(), deliver)
    }

    private mutating func send(_ piece: String, _ deliver: (String) -> Void) {
        guard !piece.isEmpty else { return }
        text += piece
        deliver(piece)
    }
}
