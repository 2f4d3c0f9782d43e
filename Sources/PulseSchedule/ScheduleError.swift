import PulseSystem

/// Why a schedule is not what it was asked to be.
public struct ScheduleError: Error, Sendable, Hashable {
    public enum Code: Sendable, CaseIterable {
        /// A command that the scheduler cannot hold.
        case tooLong
        /// Somebody has changed what is there beyond what is understood.
        case malformed
        case cannotRead, cannotWrite, permission
        /// There is no such scheduler here, or it refuses.
        case unavailable
        /// It may do so later.
        case busy
        /// The calling task was cancelled.
        case cancelled
    }

    public let code: Code
    /// One or two sentences; empty where there is nothing to say.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: SystemError) {
        let code: Code =
            switch error.code {
            case .cannotRead: .cannotRead
            case .cannotWrite: .cannotWrite
            case .permission: .permission
            case .unavailable: .unavailable
            case .busy: .busy
            case .cancelled: .cancelled
            }
        self.init(code, error.message)
    }
}
