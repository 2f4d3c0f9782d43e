import Foundation
import PulseSystem

/// A file that tells a scheduler what to run. Its folder is made with it.
struct ScheduleFile: Sendable {
    let path: String

    /// The bytes; nil where there is no such file.
    func read() throws(ScheduleError) -> Data? {
        try attempt { () throws(SystemError) in try WholeFile.read(path) }
    }

    func write(_ text: String) throws(ScheduleError) { try restore(Data(text.utf8)) }

    /// Puts back what `read` has found, also where that was nothing.
    func restore(_ bytes: Data?) throws(ScheduleError) {
        try attempt { () throws(SystemError) in
            if bytes != nil { try WholeFile.makeFolder((path as NSString).deletingLastPathComponent) }
            try WholeFile.restore(bytes, to: path, mode: 0o644)
        }
    }

    func remove() throws(ScheduleError) { try restore(nil) }

    private func attempt<Result>(_ body: () throws(SystemError) -> Result) throws(ScheduleError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw ScheduleError(error)
        }
    }
}
