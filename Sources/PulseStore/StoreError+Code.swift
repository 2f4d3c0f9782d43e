import Foundation
import PulseSQL

extension StoreError.Code {
    /// SQLite's result, and where that says too little the operating system's, as a code of the store.
    init(_ error: SQLError) {
        if error.systemError == ENOSPC || error.systemError == EDQUOT {
            self = .full
            return
        }
        self =
            switch error.code {
            case .busy: .busy
            case .readOnly: Self.readOnlyCode(error)
            case .full: .full
            case .corrupt: .corrupt
            case .notADatabase: .notAStore
            case .cannotOpen: Self.cannotOpenCode(error)
            case .permission: .permission
            case .inputOutput: .inputOutput
            case .tooBig: .tooBig
            case .constraint, .outOfMemory, .other: .bug
            }
    }

    /// https://www.sqlite.org/rescode.html#readonly_directory: SQLITE_READONLY_DIRECTORY (1544) and
    /// SQLITE_READONLY_CANTINIT (1288) blame the folder, where the files beside the database would be made.
    private static func readOnlyCode(_ error: SQLError) -> Self {
        error.extendedCode == 1544 || error.extendedCode == 1288 ? .permission : .readOnly
    }

    private static func cannotOpenCode(_ error: SQLError) -> Self {
        switch error.systemError {
        case EACCES, EPERM: .permission
        case EROFS: .readOnly
        case ENOENT: .missing
        default: .cannotOpen
        }
    }
}
