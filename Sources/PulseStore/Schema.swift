import PulseSQL

/// How a database file tells whether it is a store, and which of its versions.
enum Schema {
    /// "PlsD", in the header's application_id, where SQLite keeps room for "the specific type of the file"
    /// (https://www.sqlite.org/pragma.html#pragma_application_id).
    static let applicationID: Int64 = 0x506c_7344

    enum State: Equatable {
        /// A database without anything in it, such as one whose making was interrupted.
        case empty
        case version(Int)
        /// Another program's database.
        case foreign
    }

    static func state(of connection: borrowing Connection) throws(SQLError) -> State {
        // Of one moment: while it is being made by another program, half of its marks would be those of a stranger.
        try connection.transaction(.deferred) { () throws(SQLError) in
            let application = try connection.integer("PRAGMA application_id") ?? 0
            let version = try connection.integer("PRAGMA user_version") ?? 0
            if application == applicationID { return .version(Int(version)) }
            if application != 0 || version != 0 { return .foreign }
            return try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 ? .empty : .foreign
        }
    }

    /// Takes the steps that the store has not taken yet, all of them or none.
    static func migrate(_ connection: borrowing Connection, with migrations: [Migration]) throws(SQLError) {
        try connection.transaction(.immediate) { () throws(SQLError) in
            // Read again under the lock: another program may have been faster.
            let taken = Int(try connection.integer("PRAGMA user_version") ?? 0)
            guard taken < migrations.count else { return }
            for migration in migrations.dropFirst(taken) { try connection.execute(migration.sql) }
            // Both live in the file's header, so they are part of the transaction.
            try connection.execute("PRAGMA application_id = \(applicationID)")
            try connection.execute("PRAGMA user_version = \(migrations.count)")
        }
    }

    /// Makes the database anew, as if every migration had just been taken: whatever tables there are, now and in
    /// versions to come, go with all they hold.
    static func reset(_ connection: borrowing Connection, with migrations: [Migration]) throws(SQLError) {
        // A virtual table takes its shadow tables with it, so those go first; then the youngest tables, so that none
        // is dropped while another still refers to it.
        var tables: [String] = []
        let all = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        try connection.query(all + "ORDER BY rootpage <> 0, rowid DESC") { row throws(SQLError) in
            tables.append(row.text(0) ?? "")
        }
        for table in tables {
            let quoted = table.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            try connection.execute("DROP TABLE IF EXISTS \"\(quoted)\"")
        }
        for migration in migrations { try connection.execute(migration.sql) }
    }
}
