import CCurl
import Foundation
import PulseCore
import Synchronization

/// The state of this machine's network, asked only after a server could not be reached, to distinguish a server that is
/// down from a network that is.
enum LocalNetwork {
    /// Whether there is a route out of this machine.
    static var hasRoute: Bool { pulse_has_route() }

    /// Whether a name server answers, if only that a name does not exist. getaddrinfo reports the same error for an
    /// unknown domain and a missing name server, so this asks for a name that every name server knows.
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

    /// getaddrinfo waits longer and cannot be cancelled.
    private static let longestWait: Duration = .seconds(5)

    private final class Answer: Sendable {
        let isThere = Mutex<Bool?>(nil)
    }
}
