import Foundation
public import PulseCore

/// Background work, with low priority.
public enum Background {
    /// Lowers the priority of this process: it gets processors and disks only when no other process wants them. A
    /// refusal by the system is ignored.
    public static func enter() {
        #if canImport(Darwin)
            // setpriority(2): "PRIO_DARWIN_BG … lower its scheduling priority, disk IO and network traffic".
            setpriority(PRIO_DARWIN_PROCESS, 0, PRIO_DARWIN_BG)
        #else
            // On Linux, a policy belongs to a thread, and a new thread inherits its creator's (sched(7)). So this
            // repeats until it finds no new thread. SCHED_IDLE sets the disk class to idle too. sched.h: "#define
            // SCHED_IDLE 5", which Swift does not import.
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

/// Whether a user waits for a command of this program. Each such command holds a read lock (fcntl(2)) on a file while
/// it runs; work in the background asks whether one is held. It never takes the lock itself, because it might hold it
/// for long, as it hardly gets a processor. It does take the history's write lock to store an answer; others then wait
/// for at most a connection's `busyTimeout`.
public final class ActivityLock: Sendable {
    private let descriptor: Int32

    /// Takes the read lock for this process; nil where the file does not exist, because nothing has run in the
    /// background yet.
    public init?(marking path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        _ = fcntl(descriptor, F_SETLK, &lock)
    }

    /// For the background process, which only asks `isTaken`.
    public init(watching path: String) throws(PulseError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PulseError("Opening \(path)", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Whether another process holds the read lock.
    public var isTaken: Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }
}
