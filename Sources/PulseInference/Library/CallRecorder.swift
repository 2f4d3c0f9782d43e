/// A log of calls into libllama and the threads they came from. Only the tests hand one in; they hold the engine to
/// its promise that every call comes from one thread.
import Synchronization

final class CallRecorder: Sendable {
    enum Operation: Sendable, Hashable, CaseIterable {
        case start, loadModel, readMetadata, tokenize, readPiece, applyTemplate, openContext, decode, sample
        case shareSequence, cutSequence
        case freeSampler, freeContext, freeModel
    }

    struct Call: Sendable, Hashable {
        var operation: Operation
        var thread: UInt64
    }

    private let log = Mutex<[Call]>([])

    var calls: [Call] { log.withLock { $0 } }

    func note(_ operation: Operation) {
        let call = Call(operation: operation, thread: ThreadIdentity.current)
        log.withLock { $0.append(call) }
    }
}
