import PulseRendering

/// One thing that has to be right for the program to work. It looks, changes nothing, and never fails itself.
protocol Check: Sendable {
    func findings() async -> [Finding]
}

extension Finding {
    static func ok(_ subject: String, _ text: String) -> Finding { Finding(subject, .ok, text) }

    /// Something that works all the same.
    static func warning(_ subject: String, _ text: String) -> Finding { Finding(subject, .warning, text) }

    /// Something that keeps a command from working, with the exit code that command would have.
    static func problem(_ subject: String, _ failure: Failure) -> Finding {
        Finding(subject, .problem, failure.message, exitCode: failure.code.rawValue)
    }
}
