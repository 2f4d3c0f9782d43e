public import PulseSQL

/// Why the store could not do what was asked: a code to act on and a sentence for the reader.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    public enum Code: Sendable, Hashable, CaseIterable {
        /// There is no store yet, and it was opened for reading only.
        case missing
        /// The file exists and is something else.
        case notAStore
        /// Written by a later version of the program.
        case newer
        /// Another program holds it. Trying again later helps.
        case busy
        /// The file itself cannot be written.
        case readOnly
        /// The file or its folder is closed to this user.
        case permission
        /// No room on the disk.
        case full
        /// SQLite found the file damaged.
        case corrupt
        case cannotOpen
        /// Reading or writing the disk failed.
        case inputOutput
        /// One value is larger than SQLite can hold.
        case tooBig
        /// A mistake of the program's own.
        case bug
    }

    public let code: Code
    /// What happened and what to do next, in one or two sentences.
    public let message: String
    /// SQLite's own account, for the verbose.
    public let cause: SQLError?

    init(_ code: Code, _ message: String, cause: SQLError? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { message }
}

extension StoreError {
    /// The store's sentence for a failure of SQLite.
    init(_ error: SQLError, path: String) {
        let code = Code(error)
        self.init(code, StoreError.sentence(for: code, path: path, error: error), cause: error)
    }

    static func readOnly(_ path: String) -> StoreError {
        StoreError(SQLError(extendedCode: 8, reason: "attempt to write a readonly database"), path: path)
    }

    private static func sentence(for code: Code, path: String, error: SQLError) -> String {
        switch code {
        case .missing:
            "There is no reading history at \(path) yet. Import one first."
        case .notAStore:
            "\(path) is not a reading history: it is no SQLite database. Choose another path with --store."
        case .newer:
            "The history at \(path) was written by a newer version of pulse-digest. Update the program."
        case .busy:
            "Another program is writing the history at \(path). Nothing was changed; try again when it has finished."
        case .readOnly:
            "The history at \(path) cannot be written. Make the file writable, or choose another with --store."
        case .permission:
            "The history at \(path) is closed to this user. Give yourself the right to read and write the file and "
                + "its folder, or choose another with --store."
        case .full:
            "The disk that holds the history at \(path) is full. What was stored before is safe; free some space "
                + "and run the command again."
        case .corrupt:
            "The history at \(path) is damaged. Restore it from a backup, or move it away and import again."
        case .cannotOpen:
            "The history at \(path) cannot be opened: \(error.reason). Check the path."
        case .inputOutput:
            "Reading or writing the history at \(path) failed: \(error.reason). Check the disk, then try again."
        case .tooBig:
            "An article is too large for the history at \(path): SQLite holds at most 1 GB in one value."
        case .bug:
            "The history at \(path) could not be used: \(error.reason). This is a mistake in pulse-digest; "
                + "please report it."
        }
    }
}
