import Foundation

/// The time that passes, and the processor time that all threads of this process have had (clock_gettime(3)).
enum ProcessClock {
    static func now() -> (wall: Duration, processor: Duration) {
        (time(CLOCK_MONOTONIC), time(CLOCK_PROCESS_CPUTIME_ID))
    }

    private static func time(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
