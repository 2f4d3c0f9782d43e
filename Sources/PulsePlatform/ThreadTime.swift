import Foundation

/// The CPU time of the calling thread, which does not depend on how busy the machine is.
public enum ThreadTime {
    public static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
