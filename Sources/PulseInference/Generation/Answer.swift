/// An answer as it grows: bytes in, whole characters out, stops taken out, every piece delivered as it comes.
struct Answer {
    private var assembler = TextAssembler()
    private var stops: StopFilter
    private(set) var text = ""
    /// Tokens written.
    private(set) var tokens = 0

    var isStopped: Bool { stops.isStopped }

    init(stops: [String]) {
        self.stops = StopFilter(stops)
    }

    mutating func add(_ bytes: [UInt8], deliver: (String) -> Void) {
        tokens += 1
        send(stops.add(assembler.add(bytes)), deliver)
    }

    /// Delivers what was waiting for more.
    mutating func finish(deliver: (String) -> Void) {
        send(stops.add(assembler.finish()) + stops.finish(), deliver)
    }

    private mutating func send(_ piece: String, _ deliver: (String) -> Void) {
        guard !piece.isEmpty else { return }
        text += piece
        deliver(piece)
    }
}
