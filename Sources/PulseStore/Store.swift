import PulseSQL

/// The reading history: a SQLite file of articles, when each was read, and the words to search them by.
///
/// A store is opened, used and dropped on one thread; other threads and processes open the same file for themselves.
public struct Store: ~Copyable {
    /// What the store may be used for.
    public enum Access: Sendable {
        /// The file must exist. Where it was written by an earlier version it is brought up to date first.
        case readOnly
        /// The file and its folder are made where they are missing.
        case readWrite
    }

    public let path: String
    let connection: Connection
    /// False for a store of an earlier version that this user may read and not bring up to date: it has articles, and
    /// nothing was kept in it.
    let isComplete: Bool

    /// Opens the store at a path.
    /// - Parameter busyTimeout: how long to wait for another program that writes, before `StoreError.Code.busy`.
    public init(at path: String, access: Access, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
        try self.init(at: path, access: access, busyTimeout: busyTimeout, migrations: Migration.all)
    }

    /// - Parameter migrations: `Migration.all`, or a beginning of it to make the store of an earlier version.
    init(
        at path: String, access: Access, busyTimeout: Duration = .seconds(5), migrations: [Migration]
    ) throws(StoreError) {
        let opening = StoreOpening(path: path, busyTimeout: busyTimeout, migrations: migrations)
        self.path = path
        let connection = try opening.open(for: access)
        do throws(SQLError) {
            self.isComplete = try connection.integer("PRAGMA user_version") ?? 0 >= Migration.all.count
        } catch {
            throw StoreError(error, path: path)
        }
        self.connection = connection
    }

    /// Runs what may fail in SQLite's terms and fails in the store's.
    func attempt<Result>(_ body: () throws(SQLError) -> Result) throws(StoreError) -> Result {
        do throws(SQLError) {
            return try body()
        } catch {
            throw StoreError(error, path: path)
        }
    }
}
