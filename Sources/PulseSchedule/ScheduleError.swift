public import PulseSystem

/// Why a schedule is not what it was asked to be.
public struct ScheduleError: Error, Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        /// A command that the scheduler cannot hold.
        case tooLong
        /// Somebody has changed what is there beyond what is understood.
        case malformed
        /// What the system or the scheduler refused; `unavailable`: there is no such scheduler here.
        case system(SystemError.Code)
    }

    public let code: Code
    /// One or two sentences; empty where there is nothing to say.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: SystemError) { self.init(.system(error.code), error.message) }
}
