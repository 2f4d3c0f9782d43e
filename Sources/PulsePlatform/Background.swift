import Foundation
public import PulseCore

/// Work that nobody waits for.
public enum Background {
    /// Lowers this process: it gets processors and disks only where nobody else wants them. Where the system refuses,
    /// it works on as it is.
    public static func enter() {
        #if canImport(Darwin)
            // setpriority(2): "PRIO_DARWIN_BG … lower its scheduling priority, disk IO and network traffic".
            setpriority(PRIO_DARWIN_PROCESS, 0, PRIO_DARWIN_BG)
        #else
            // On Linux a policy is a thread's, and a new thread takes after the one that starts it (sched(7)): so the
            // threads are gone through until there is no new one. SCHED_IDLE makes the disk's class idle too.
            // sched.h: "#define SCHED_IDLE 5", which Swift does not import.
            let idle: Int32 = 5
            var seen: Set<pid_t> = []
            while true {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
                let threads = Set(names.compactMap { pid_t($0) }).subtracting(seen)
                if threads.isEmpty { return }
                for thread in threads {
                    var parameters = sched_param()
                    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(thread), 19)
                    sched_setscheduler(thread, idle, &parameters)
                }
                seen.formUnion(threads)
            }
        #endif
    }
}

/// Whether somebody waits for a command of this program: each such command holds a lock for reading (fcntl(2)) on a
/// file while it runs. Work in the background asks whether one is held, without ever taking it, because it hardly gets
/// a processor. The one thing that it holds and others wait for is the history's write lock, while it keeps an answer:
/// they wait as long as a connection's `busyTimeout` says.
public final class Foreground: Sendable {
    private let descriptor: Int32

    /// Marks this process; nil where there is no such file, because nothing has worked in the background yet.
    public init?(marking path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        _ = fcntl(descriptor, F_SETLK, &lock)
    }

    /// For asking.
    public init(watching path: String) throws(PulseError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PulseError("Opening \(path)", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Whether another process holds the mark.
    public var isTaken: Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }
}
