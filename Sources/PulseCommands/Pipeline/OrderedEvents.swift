import PulseInference

/// Puts what several requests do at once into the order in which it is read: the first that is not finished passes
/// live, the others wait for their turn and then pass with all that has come of them.
struct OrderedEvents {
    /// What has come of a request before its turn: how far its prompt is read, then its text, then the end.
    private struct Held {
        var reading: GenerationEvent?
        var text = ""
        var end: GenerationEvent?

        var events: [GenerationEvent] {
            // Where there is text, the prompt has long been read.
            (text.isEmpty && end == nil ? [reading] : [text.isEmpty ? nil : .text(text), end]).compactMap(\.self)
        }
    }

    /// The number of the request whose turn it is.
    private var current = 0
    private var held: [Int: Held] = [:]

    /// What is to be shown now that this has come, in order.
    mutating func add(_ event: GenerationEvent, of index: Int) -> [(index: Int, event: GenerationEvent)] {
        guard index == current else {
            hold(event, of: index)
            return []
        }
        var events = [(index: index, event: event)]
        while case .finished = events.last?.event {
            current += 1
            let waiting = held.removeValue(forKey: current)?.events ?? []
            if waiting.isEmpty { break }
            events += waiting.map { (current, $0) }
        }
        return events
    }

    /// What is finished although it is not its turn: worth showing where the work ends early.
    mutating func finishedAhead() -> [(index: Int, event: GenerationEvent)] {
        let finished = held.filter { $0.value.end != nil }.sorted { $0.key < $1.key }
        held = [:]
        return finished.flatMap { index, held in held.events.map { (index, $0) } }
    }

    private mutating func hold(_ event: GenerationEvent, of index: Int) {
        switch event {
        case .reading: held[index, default: Held()].reading = event
        case .text(let piece): held[index, default: Held()].text += piece
        case .finished: held[index, default: Held()].end = event
        }
    }
}
