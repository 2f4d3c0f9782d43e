import CCurl
import Foundation
import PulseCore
import Synchronization

/// What this machine says of its network. It is asked only after a server could not be reached: a server that is gone
/// and a network that is gone look alike from afar.
enum LocalNetwork {
    /// Whether packets have a way out of this machine.
    static var hasRoute: Bool { pulse_has_route() }

    /// Whether a name server answers, be it that there is no such name. Names of which nobody knows anything show the
    /// same error as a name server that is not there, so it is asked for one that every other knows.
    static func hasNameServer(_ cancellation: Cancellation) throws(PulseError) -> Bool {
        let answer = Answer()
        Thread.detachNewThread {
            var list: UnsafeMutablePointer<addrinfo>?
            let code = getaddrinfo("a.root-servers.net", nil, nil, &list)
            if let list { freeaddrinfo(list) }
            answer.isThere.withLock { $0 = code != EAI_AGAIN }
        }
        let end = ContinuousClock.now + longestWait
        while ContinuousClock.now < end {
            if let isThere = answer.isThere.withLock({ $0 }) { return isThere }
            try cancellation.sleep(.milliseconds(20))
        }
        return false
    }

    /// The system would wait for longer, and nothing can stop it.
    private static let longestWait: Duration = .seconds(5)

    private final class Answer: Sendable {
        let isThere = Mutex<Bool?>(nil)
    }
}
