public import Foundation
public import PulseCore

/// Where a source notes how far it came, so that its next run goes on from there. Each account has a memory of its own,
/// under its origin.
public protocol SourceMemory: Sendable {
    /// What was saved last; nil where nothing was.
    func load(_ origin: String) throws(PulseError) -> Data?
    func save(_ data: Data, for origin: String) throws(PulseError)
}

/// A value that is kept in a memory.
///
/// What a source has handed out is noted as done when it is stored: see `ArticleSource.noteStored(isLast:)`. Noting
/// every batch would cost more than the import; after a kill, the last seconds are imported again.
struct Remembered<Value: Codable> {
    var value: Value {
        didSet { isChanged = true }
    }
    private let memory: any SourceMemory
    private let origin: String
    private var isChanged = false
    private var savedAt = ContinuousClock.now

    /// The saved value, or `initial` where there is none that can be understood.
    init(_ origin: String, in memory: any SourceMemory, initial: Value) throws(PulseError) {
        let saved = try memory.load(origin)
        value = saved.flatMap { try? JSONDecoder().decode(Value.self, from: $0) } ?? initial
        self.memory = memory
        self.origin = origin
    }

    /// Saves the value if it has changed and, unless this is the last time, was not saved a moment ago.
    mutating func save(isLast: Bool) throws(PulseError) {
        guard isChanged, isLast || savedAt.duration(to: .now) > .seconds(2) else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(value) else { preconditionFailure("a memory that cannot be encoded") }
        try memory.save(data, for: origin)
        isChanged = false
        savedAt = .now
    }
}
