import Foundation
import PulseSQL

extension SourceError {
    /// A file that the operating system would not open or read.
    /// - Parameter number: `errno`.
    init(path: String, errno number: Int32) {
        let reason = String(cString: strerror(number))
        switch number {
        case ENOENT, ENOTDIR:
            self.init(.missing, "There is nothing at \(path). Check the path.")
        case EACCES, EPERM:
            self.init(.permission, "\(path) is closed to this user. Give yourself the right to read it.")
        case EISDIR:
            self.init(.notThisFormat, "\(path) is a folder. Give the path of a file.")
        default:
            self.init(.inputOutput, "Reading \(path) failed: \(reason). Check the disk, then try again.")
        }
    }

    /// Another program's database that SQLite would not read.
    /// - Parameter program: whose it should be, such as `newsboat`.
    init(_ error: SQLError, path: String, program: String) {
        switch error.code {
        case .busy:
            self.init(
                .busy, "\(program) is writing \(path). Nothing was imported from it; try again when it has finished.",
                cause: error)
        case .notADatabase:
            self.init(
                .notThisFormat, "\(path) is not a database of \(program): it is no SQLite file. Check the path.",
                cause: error)
        case .corrupt:
            self.init(
                .corrupt, "\(path) is damaged. Let \(program) repair or rebuild it, then import again.", cause: error)
        case .cannotOpen, .permission, .readOnly:
            self.init(
                .permission,
                "\(path) cannot be opened: \(error.reason). Give yourself the right to read the file and to enter its "
                    + "folder; if \(program) was killed, start and quit it once.", cause: error)
        default:
            self.init(
                .inputOutput, "Reading \(path) failed: \(error.reason). Check the disk, then try again.", cause: error)
        }
    }
}
