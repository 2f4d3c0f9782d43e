import Foundation

/// The time that passes, and the processor time that all threads of this process have had (clock_gettime(3)).
enum ProcessClock {
    struct Reading {
        var wall: Duration
        var processor: Duration
        /// How often a thread has waited for the disk, to be given a part of a file that is mapped (getrusage(2)).
        var pageWaits: Int
    }

    static func now() -> Reading {
        var usage = rusage()
        getrusage(ownProcess, &usage)
        return Reading(
            wall: time(CLOCK_MONOTONIC), processor: time(CLOCK_PROCESS_CPUTIME_ID), pageWaits: usage.ru_majflt)
    }

    private static func time(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
