import Foundation
import PulseCore
import PulsePlatform
import PulseText

/// Runs `body` and converts its SQLite errors to messages about the history at `path`.
func reporting<Result: ~Copyable>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as SQLError {
        throw PulseError(error, historyAt: path)
    }
}

extension PulseError {
    init(_ error: SQLError, historyAt path: String) {
        self = PulseError.sentence(for: error, path)
        // With the path, because the same error of another file is another failure.
        cause = "\(path): \(error)"
    }

    private static func sentence(for error: SQLError, _ path: String) -> PulseError {
        if error.systemError == ENOSPC || error.systemError == EDQUOT { return full(path) }
        switch error.code {
        case .busy:
            return PulseError(
                .tryAgain, "Another program is writing the history at \(path).",
                hint: "Nothing was changed; try again when it has finished.")
        case .readOnly:
            // https://www.sqlite.org/rescode.html#readonly_directory: SQLITE_READONLY_DIRECTORY (1544) and
            // SQLITE_READONLY_CANTINIT (1288) mean that the -wal and -shm files cannot be created in the folder.
            return error.extendedCode == 1544 || error.extendedCode == 1288 ? closed(path) : readOnly(path)
        case .full: return full(path)
        case .corrupt, .mismatch, .constraint:
            // The statements are tested. If one does not fit the tables or violates a constraint, the file is damaged.
            if error.reason.hasPrefix("no such module") {
                return PulseError(
                    .unavailable, "SQLite on this machine cannot search texts: \(error.reason).",
                    hint: "Install a build of SQLite with FTS5.")
            }
            return PulseError(
                .badData, "The history at \(path) is damaged.",
                hint: "Restore it from a backup, or move it away and import again.")
        case .notADatabase:
            return PulseError(
                .badData, "\(path) is not a reading history: it is not an SQLite database.",
                hint: "Choose another path with --store.")
        case .permission: return closed(path)
        case .cannotOpen:
            switch error.systemError {
            case EACCES, EPERM: return closed(path)
            case EROFS: return readOnly(path)
            case ENOENT:
                return PulseError(
                    .noInput, "There is no reading history at \(path) yet.",
                    hint: "To begin: pulse-digest import. Or follow a feed: pulse-digest feeds add URL")
            default:
                return PulseError(
                    .cannotRead, "The history at \(path) cannot be opened: \(error.reason).", hint: "Check the path.")
            }
        case .inputOutput:
            return PulseError(
                .cannotRead, "Reading or writing the history at \(path) failed: \(error.reason).",
                hint: "Check the disk, then try again.")
        case .tooBig:
            return PulseError(
                .badData,
                "An article is too large for the history at \(path): SQLite holds at most 1 GB in one value.")
        case .outOfMemory:
            return PulseError(
                .tryAgain, "There is not enough memory to use the history at \(path).",
                hint: "Close other programs and try again.")
        case .interrupted, .other:
            return PulseError(
                .bug, "The history at \(path) could not be used: \(error.reason).",
                hint: "This is a mistake in pulse-digest; please report it.")
        }
    }

    static func readOnly(_ path: String) -> PulseError {
        closedSideFile(of: path)
            ?? PulseError(
                .permission, "The history at \(path) cannot be written.",
                hint: "Make the file writable, or choose another with --store.")
    }

    private static func closed(_ path: String) -> PulseError {
        closedSideFile(of: path)
            ?? PulseError(
                .permission, "You do not have permission to use the history at \(path).",
                hint: "Change the permissions so that you can read and write the file and its folder, or choose "
                    + "another file with --store.")
    }

    /// The error if the store can be written, but not a file beside it, such as one that root left.
    private static func closedSideFile(of path: String) -> PulseError? {
        let files = ["-shm", "-wal"].map { path + $0 }
        guard access(path, W_OK) == 0,
            let file = files.first(where: { access($0, F_OK) == 0 && access($0, R_OK | W_OK) != 0 })
        else { return nil }
        return PulseError(
            .permission, "\(file), a file of the history, cannot be written.",
            hint: "To make it yours: sudo chown \"$USER\" \(ShellWord.quoted(file))")
    }

    static func full(_ path: String) -> PulseError {
        PulseError(
            .cannotWrite, "The disk that holds the history at \(path) is full.",
            hint: "What was stored before is safe; free some space and run the command again.")
    }
}
