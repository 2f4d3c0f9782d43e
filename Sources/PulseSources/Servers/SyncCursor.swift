public import Foundation
public import PulseCore

/// Stores the sync cursors of sources, one for each origin.
public protocol SyncCursorStore: Sendable {
    /// The saved cursor; nil: there is none.
    func load(_ origin: String) throws(PulseError) -> Data?
    func save(_ data: Data, for origin: String) throws(PulseError)
}

/// How far a source came, saved so that the next run continues from there.
///
/// A cursor is saved when the articles before it are stored (see `ArticleSource.noteStored(isLast:)`), but at most
/// every two seconds, because saving for every batch would take longer than the import. After a kill, the last seconds
/// are imported again.
struct SyncCursor<Value: Codable> {
    var value: Value {
        didSet { isChanged = true }
    }
    private let memory: any SyncCursorStore
    private let origin: String
    private var isChanged = false
    private var savedAt = ContinuousClock.now

    /// The saved value, or `initial` if there is none that can be decoded, or if it `isOutdated`.
    init(
        _ origin: String, in memory: any SyncCursorStore, initial: Value, isOutdated: (Value) -> Bool = { _ in false }
    ) throws(PulseError) {
        let saved = try memory.load(origin).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
        value = saved.flatMap { isOutdated($0) ? nil : $0 } ?? initial
        self.memory = memory
        self.origin = origin
    }

    /// Saves the value if it has changed: at most every two seconds, unless `isLast`.
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
