import PulsePlatform
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ConnectionTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("any.sqlite")
    }

    func code(_ body: () throws -> Void) -> SQLError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SQLError)?.code
        }
    }

    @Test func valuesComeBackAsTheyWent() throws {
        let connection = try Connection(path: path, access: .readWriteCreate)
        try connection.execute("CREATE TABLE t (a, b, c, d, e, f)")
        let text = "a\u{0}b – ñ 👩‍👩‍👧"
        let insert = try connection.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)")
        try insert.run([.null, .integer(.min), .real(0.5), .text(text), "", SQLValue(true)])
        let (changes, inserted) = (insert.changes, insert.lastInsertedRow)
        #expect(changes == 1 && inserted == 1)
        var read: [SQLValue] = []
        var reals: [Double?] = []
        try connection.query("SELECT a, b, c, d, e, f FROM t") { row in
            read += [SQLValue(row.isNull(0)), SQLValue(row.text(0)), SQLValue(row.integer(0))]
            read += [SQLValue(row.integer(1)), SQLValue(row.text(3)), SQLValue(row.text(4)), SQLValue(row.integer(5))]
            reals += [row.real(0), row.real(2)]
        }
        #expect(read == [1, .null, .null, .integer(.min), .text(text), "", 1])
        #expect(reals == [nil, 0.5])
        #expect(try connection.integer("SELECT b FROM t WHERE a = 9") == nil)
    }

    /// What returns a row before its end is committed when it is reset, which may fail.
    @Test func aChangeWhoseCommitFailsThrows() throws {
        let connection = try Connection(path: path, access: .readWriteCreate)
        try connection.execute(
            "PRAGMA foreign_keys = ON; CREATE TABLE a (id INTEGER PRIMARY KEY); "
                + "CREATE TABLE b (a REFERENCES a DEFERRABLE INITIALLY DEFERRED)")
        #expect(throws: SQLError.self) { try connection.integer("INSERT INTO b VALUES (7) RETURNING a") }
        #expect(try connection.integer("SELECT count(*) FROM b") == 0)
    }

    @Test func bytesThatAreNoTextAreRepaired() throws {
        let connection = try Connection(path: path, access: .readWriteCreate)
        #expect(try connection.text("SELECT CAST(x'61ff62' AS TEXT)") == "a\u{fffd}b")
    }

    @Test func theColumnsOfATableAreKnown() throws {
        let connection = try Connection(path: path, access: .readWriteCreate)
        try connection.execute("CREATE TABLE t (a, b)")
        #expect(try connection.columns(of: "t") == ["a", "b"])
        #expect(try connection.columns(of: "none").isEmpty)
    }

    @Test func optionalsBecomeNull() {
        #expect(SQLValue(String?.none) == .null)
        #expect(SQLValue(Int64?.none) == .null)
        #expect(SQLValue("a" as String?) == "a")
        #expect(SQLValue(5 as Int64?) == 5)
    }

    @Test func errorsKeepSQLitesWords() throws {
        let connection = try Connection(path: path, access: .readWriteCreate)
        do {
            try connection.execute("SELEC 1")
            Issue.record("no error")
        } catch let error as SQLError {
            #expect(error.code == .mismatch && error.sql == "SELEC 1")
            #expect(error.reason.contains("syntax error") && error.description.contains("SELEC 1"))
        }
        #expect(code { _ = try connection.prepare("-- nothing") } == .other)
        #expect(code { try connection.query("SELECT 1", [1]) } == .other)
        try connection.execute("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
        #expect(code { try connection.query("INSERT INTO t VALUES (1)") } == .constraint)
    }

    @Test func whatCannotBeOpenedSaysSo() throws {
        let missing = path
        #expect(code { _ = try Connection(path: missing, access: .readOnly) } == .cannotOpen)
        #expect(code { _ = try Connection(path: missing, access: .readWrite) } == .cannotOpen)
    }

    @Test func readOnlyIsReadOnly() throws {
        try Connection(path: path, access: .readWriteCreate).execute("CREATE TABLE t (a)")
        let connection = try Connection(path: path, access: .readOnly)
        let isReadOnly = connection.isReadOnly
        #expect(isReadOnly)
        #expect(code { try connection.execute("INSERT INTO t VALUES (1)") } == .readOnly)
    }

    @Test func aStatementMayOutliveItsConnection() throws {
        func orphan() throws -> Statement { try Connection(path: path, access: .readWriteCreate).prepare("SELECT 7") }
        let statement = try orphan()
        #expect(try statement.step())
        let value = statement.integer(0)
        #expect(value == 7)
    }

    @Test func aStatementRunsAgain() throws {
        let connection = try Connection(path: path, access: .readWriteCreate)
        try connection.execute("CREATE TABLE t (a)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?1)")
        for value in 1...3 { try insert.run([.integer(Int64(value))]) }
        #expect(try connection.text("SELECT group_concat(a) FROM t") == "1,2,3")
    }

    @Test func aTransactionIsAllOrNothing() throws {
        let connection = try Connection(path: path, access: .readWriteCreate)
        try connection.execute("CREATE TABLE t (a)")
        let result = try connection.transaction(.immediate) {
            try connection.execute("INSERT INTO t VALUES (1)")
            return "done"
        }
        #expect(result == "done")
        #expect(
            code {
                try connection.transaction(.deferred) {
                    try connection.execute("INSERT INTO t VALUES (2)")
                    try connection.execute("nonsense")
                }
            } == .mismatch)
        #expect(try connection.text("SELECT group_concat(a) FROM t") == "1")
    }

    @Test func aLockIsWaitedForAndThenReported() throws {
        let one = try Connection(path: path, access: .readWriteCreate)
        try one.execute("CREATE TABLE t (a); BEGIN IMMEDIATE")
        let other = try Connection(path: path, access: .readWrite, busyTimeout: .milliseconds(20))
        #expect(code { try other.transaction(.immediate) {} } == .busy)
    }
}
