/// Finds stop sequences in a text that comes in pieces. What may be the beginning of one is held back until it is
/// clear.
struct StopFilter {
    private let stops: [[Unicode.Scalar]]
    private var held: [Unicode.Scalar] = []
    /// Whether a stop has come; nothing passes after it.
    private(set) var isStopped = false

    init(_ stops: [String]) {
        self.stops = stops.map { Array($0.unicodeScalars) }.filter { !$0.isEmpty }
    }

    /// The part of the text so far that is free to go.
    mutating func add(_ text: String) -> String {
        guard !isStopped else { return "" }
        guard !stops.isEmpty else { return text }
        held += text.unicodeScalars
        if let start = firstStop() {
            isStopped = true
            held.removeSubrange(start...)
            return finish()
        }
        let kept = longestBeginning()
        let free = held.prefix(held.count - kept)
        held.removeFirst(free.count)
        return Self.string(free)
    }

    /// What was held back when no more comes.
    mutating func finish() -> String {
        defer { held = [] }
        return Self.string(held)
    }

    private func firstStop() -> Int? {
        held.indices.first { start in stops.contains { held[start...].starts(with: $0) } }
    }

    /// The length of the longest end of what is held that begins a stop.
    private func longestBeginning() -> Int {
        let longest = min(held.count, (stops.map(\.count).max() ?? 1) - 1)
        return (0...longest).last { length in stops.contains { $0.starts(with: held.suffix(length)) } } ?? 0
    }

    private static func string(_ scalars: some Collection<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
