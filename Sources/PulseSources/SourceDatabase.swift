import Foundation
import PulseCore
import PulsePlatform
import PulseText

/// Another program's SQLite database, open for reading. It is never written to, no files are left beside it, and no
/// lock is held for longer than one query.
///
/// If the file cannot be read in place, a private copy is read and deleted with this value: a program may hold its
/// database locked for as long as it runs, as browsers do.
///
/// The file may be an attacker's: its schema runs nothing, and its rows, fields and work have limits.
struct SourceDatabase: ~Copyable {
    /// The path of the original, even if a copy is read.
    let path: String
    /// The expected program, such as `newsboat`.
    let program: String
    private let connection: Connection
    /// The copy that the connection reads; nil: the file at `path`.
    private let copy: DatabaseCopy?
    private let limit: WorkLimit

    /// In bytes. No article is as long.
    static let longestField = 16 << 20
    /// Of one query whose rows are kept in memory.
    static let mostRows = 1_000_000
    /// The most repeated rows. With duplicate keys, a join repeats a row for each of them, and a small file can have
    /// billions.
    static let mostRepeats = 1000

    /// - Parameters:
    ///   - busyTimeout: how long to wait for a writer before a copy is made.
    ///   - work: SQLite's total time limit for the file.
    init(path: String, program: String, busyTimeout: Duration = .seconds(5), work: Duration = .seconds(60)) throws {
        // SQLite has one error for a missing file, a file without permission and a folder.
        guard try !FileStamp(reading: path).isFolder else { throw PulseError(reading: path, errno: EISDIR) }
        guard access(path, R_OK) == 0 else { throw PulseError(reading: path, errno: errno) }
        var copy: DatabaseCopy?
        let limit = WorkLimit(work)
        connection = try Self.open(path, program, busyTimeout, limit, &copy)
        self.limit = limit
        self.copy = copy
        self.path = path
        self.program = program
    }

    private static func open(
        _ path: String, _ program: String, _ busyTimeout: Duration, _ limit: WorkLimit, _ copy: inout DatabaseCopy?
    ) throws -> Connection {
        do {
            if let connection = try openInPlace(path, busyTimeout, limit) { return connection }
            let new = try DatabaseCopy(of: path)
            copy = new
            // Read-write: SQLite rolls back the copied journal, or checkpoints the copied write-ahead log.
            return try open(new.path, .readWrite, busyTimeout, limit)
        } catch let error as SQLError {
            throw PulseError(error, path: path, program: program, limit: limit)
        }
    }

    private static func open(
        _ path: String, _ access: Connection.Access, _ busyTimeout: Duration, _ limit: WorkLimit
    ) throws -> Connection {
        let connection = try Connection(path: path, access: access, busyTimeout: busyTimeout)
        try connection.distrust(longestField: longestField, limit: limit)
        // The first query reads and locks the file.
        try limit.charge { _ = try connection.integer("SELECT count(*) FROM sqlite_master") }
        return connection
    }

    /// A connection to the file itself; nil if a copy is needed.
    private static func openInPlace(
        _ path: String, _ busyTimeout: Duration, _ limit: WorkLimit
    ) throws -> Connection? {
        // https://www.sqlite.org/wal.html, "Read-Only Databases": SQLite would create the -wal and -shm files. Removing
        // them again could harm a program that has just opened them.
        let hasLogFiles = access(path + "-shm", F_OK) == 0 && access(path + "-wal", F_OK) == 0
        if !hasLogFiles, usesWriteAheadLog(path) { return nil }
        do {
            return try open(path, .readOnly, busyTimeout, limit)
        } catch let error as SQLError where [.busy, .cannotOpen, .readOnly].contains(error.code) {
            // Read-only: a hot journal or log of a killed program must be recovered first.
            return nil
        }
    }

    /// https://www.sqlite.org/fileformat.html, "File format version numbers": the byte at offset 19 is 2 for WAL.
    private static func usesWriteAheadLog(_ path: String) -> Bool {
        let head = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 20)
        return head.map { $0.count == 20 && $0.starts(with: Data("SQLite format 3".utf8)) && $0[19] == 2 } ?? false
    }

    /// The columns of at most a thousand tables, all names in lower case. Without generated columns, views, and virtual
    /// tables, which run code. SQLite normalises the first words of a stored statement to this form.
    func tables() throws -> [String: Set<String>] {
        let names = try rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(sql, 1, 13) = 'CREATE TABLE ' LIMIT 1000"
        ) { $0.text(0) ?? "" }
        var tables: [String: Set<String>] = [:]
        for name in names {
            let columns = try rows("SELECT name FROM pragma_table_info(?1)", [.text(name)]) { $0.text(0) ?? "" }
            tables[name.lowercased()] = Set(columns.map { $0.lowercased() })
        }
        return tables
    }

    /// Maps the rows of a query; `values` are bound in the order of its parameters.
    func rows<Row>(_ sql: String, _ values: [SQLValue] = [], _ row: (Statement) -> Row) throws -> [Row] {
        var rows: [Row] = []
        do {
            try visit(sql, values) { statement in
                rows.append(row(statement))
                return rows.count <= Self.mostRows
            }
        } catch let error as SQLError {
            throw self.error(error)
        }
        guard rows.count <= Self.mostRows else {
            throw PulseError(
                .badData, "\(path) has more rows than a database of \(program).", hint: "Check where it is from.")
        }
        return rows
    }

    /// Calls `row` for each row of a query until it returns false.
    func visit(_ sql: String, _ values: [SQLValue], _ row: (Statement) -> Bool) throws {
        let statement = try connection.prepare(sql)
        try statement.bind(values)
        while try limit.charge({ try statement.step() }), row(statement) {}
    }

    /// Converts an error of `visit`.
    func error(_ error: SQLError) -> PulseError { PulseError(error, path: path, program: program, limit: limit) }

    /// The error for rows out of order, as from a damaged index or from keys that are not numbers. Reading on after the
    /// last row that was returned might never end.
    var damage: PulseError { PulseError(damage: path, program: program) }

    /// The error for a database that is not of `program`.
    /// - Parameter tables: the tables that it has.
    func foreign(_ tables: some Sequence<String>) -> PulseError {
        // Another program chose these names: show few of them, on one line.
        let names = tables.sorted().prefix(12).map { PlainText.line($0, limit: 40, bytes: 160) }
        return PulseError(
            .badData,
            names.isEmpty
                ? "\(path) is empty, and not a database of \(program)."
                : "\(path) is a database, but not \(program)'s: it has the tables \(names.joined(separator: ", ")).",
            hint: "Check the path.")
    }
}

/// A copy of a database, in a temporary folder that only this user may enter. Deleted with its owner.
private final class DatabaseCopy {
    private let folder: String
    var path: String { folder + "/copy.db" }

    /// The file, and SQLite's files beside it. Never `-shm`: it describes the locks and memory of running programs.
    private static let suffixes = ["", "-wal", "-journal"]

    init(of original: String) throws {
        let template = FileManager.default.temporaryDirectory.appendingPathComponent("pulse-digest-XXXXXX").path
        var bytes = Array(template.utf8CString)
        guard mkdtemp(&bytes) != nil else {
            throw PulseError("Cannot make a folder in \(FileManager.default.temporaryDirectory.path)", errno: errno)
        }
        folder = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The files must be of one moment, so they are copied again if they were written to meanwhile.
        for attempt in 1...4 {
            let before = Self.suffixes.map { FileStamp(path: original + $0) }
            for (suffix, stamp) in zip(Self.suffixes, before) {
                try? FileManager.default.removeItem(atPath: path + suffix)
                guard stamp != nil else { continue }
                do {
                    try FileManager.default.copyItem(atPath: original + suffix, toPath: path + suffix)
                    // The original may be read-only.
                    _ = chmod(path + suffix, 0o600)
                } catch {
                    // A journal may vanish at any moment; comparing the stamps reveals it.
                    if suffix.isEmpty {
                        throw PulseError(
                            .cannotRead, "Copying \(original) failed.",
                            hint: "It is in use, so it is copied to \(folder) and read there: check that there is "
                                + "enough free space.",
                            cause: "\(error)")
                    }
                }
            }
            if before == Self.suffixes.map({ FileStamp(path: original + $0) }) { return }
            usleep(useconds_t(attempt) * 100_000)
        }
        throw PulseError(
            .tryAgain, "\(original) is being written to.",
            hint: "Nothing was imported from it; close its program, or try again later.")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}

extension FileStamp {
    /// Follows symbolic links; throws if there is no file, or no permission.
    init(reading path: String) throws {
        guard let stamp = FileStamp(path: path) else { throw PulseError(reading: path, errno: errno) }
        self = stamp
    }
}

extension PulseError {
    /// A file that the operating system failed to open or read.
    /// - Parameter number: `errno`.
    init(reading path: String, errno number: Int32) {
        let reason = String(cString: strerror(number))
        switch number {
        case ENOENT, ENOTDIR:
            self.init(.noInput, "There is no file or folder \(path).", hint: "Check the path.")
        case EACCES, EPERM:
            self.init(
                .permission, "You do not have permission to read \(path).",
                hint: "Change its permissions (chmod), or ask its owner to.")
        case EISDIR: self.init(.badData, "\(path) is a folder.", hint: "Give the path of a file.")
        default:
            self.init(.cannotRead, "Reading \(path) failed: \(reason).", hint: "Check the disk, then try again.")
        }
    }

    fileprivate init(damage path: String, program: String) {
        self.init(.badData, "\(path) is damaged.", hint: "Let \(program) repair or rebuild it, then import again.")
    }

    /// Another program's database that SQLite failed to open or read.
    fileprivate init(_ error: SQLError, path: String, program: String, limit: WorkLimit) {
        switch error.code {
        case .busy:
            self.init(
                .tryAgain, "\(program) is writing \(path).",
                hint: "Nothing was imported from it; try again when it has finished.")
        case .notADatabase:
            self.init(
                .badData, "\(path) is not a database of \(program): it is not an SQLite file.", hint: "Check the path.")
        case .corrupt: self.init(damage: path, program: program)
        case .mismatch:
            self.init(
                .badData, "\(path) is not a database of \(program) that this program can read: \(error.reason).",
                hint: "Check the path.")
        case .interrupted:
            self.init(
                .badData, "Reading \(path) takes more than \(limit.most.components.seconds) seconds.",
                hint: "No database of \(program) does: check where it is from.")
        case .tooBig:
            self.init(
                .badData, "\(path) has a field of more than \(SourceDatabase.longestField >> 20) MiB.",
                hint: "No database of \(program) does: check where it is from.")
        case .cannotOpen, .permission, .readOnly:
            self.init(
                .permission, "\(path) cannot be opened: \(error.reason).",
                hint: "Give yourself the right to read the file and to enter its folder; if \(program) was killed, "
                    + "start and quit it once.")
        default:
            self.init(.cannotRead, "Reading \(path) failed: \(error.reason).", hint: "Check the disk, then try again.")
        }
        // Includes the path, so that the same failure of two files counts as two.
        cause = "\(path): \(error)"
    }
}
