import Foundation
import PulseCore
import PulseSources
import PulseText

/// How far the imports of each account came: a file for each, in the folder of the state. Each history has its own.
struct SyncCursorFiles: SyncCursorStore {
    private let folder: StateFolder
    private let history: String
    /// Whether nothing is to be noted, since nothing is stored either.
    private let isForgetful: Bool

    init(in app: AppEnvironment, isForgetful: Bool = false) throws(PulseError) {
        folder = try app.state().folder("imports")
        history = app.history.identity
        self.isForgetful = isForgetful
    }

    func load(_ origin: String) throws(PulseError) -> Data? { try folder.read(name(origin)) }

    func save(_ data: Data, for origin: String) throws(PulseError) {
        if !isForgetful { try folder.write(data, to: name(origin)) }
    }

    func forget(_ origin: String) throws(PulseError) { try folder.remove(name(origin)) }

    /// A name that is short and says nothing: users and addresses may hold anything.
    private func name(_ origin: String) -> String { ShortHash.of("\(origin)\n\(history)") + ".json" }
}
