import PulseSystem

extension ChildProcess {
    /// Runs it; what the system refuses is told in the terms of a schedule.
    func outcome() async throws(ScheduleError) -> Outcome {
        do throws(SystemError) {
            return try await run()
        } catch {
            throw ScheduleError(error)
        }
    }
}
