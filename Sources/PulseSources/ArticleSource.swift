public import Foundation
public import PulseCore
import PulseMarkup

/// A place where another program keeps what was read: a file, a database, a server. It is read once from its beginning
/// to its end, and never changed.
///
/// To add one, write a type that conforms to this and a `SourceKind` that opens it, and add that to `SourceKind.all`.
public protocol ArticleSource: AnyObject {
    /// The name under which the journal notes imports, and the `Reading.origin` of its articles: the program, and the
    /// account where one program may have several.
    var origin: String { get }
    /// What the user knows it by in messages, such as a path or `standard input`.
    var name: String { get }

    /// The next articles, in the source's own order: a few hundred, or a few thousand short ones. Nil at the end. After
    /// a failure in the middle, what was read before it is handed out first, and the error is thrown by the next call.
    /// - Parameter previousImport: when an import from this origin last came to its end; nil: never.
    func next(previousImport: Date?) async throws(PulseError) -> ImportBatch?

    /// Lets the source pass over what earlier imports brought in: what they had in `ImportBatch.rows`, called before
    /// `next`. A row that has changed since is handed out again.
    func skip(_ rows: [Int64: Int64])

    /// Tells the source that all it has handed out is stored: only now may it note how far it came.
    /// - Parameter isLast: whether nothing more is asked for, since the import has ended or failed.
    func noteStored(isLast: Bool) throws(PulseError)
}

extension ArticleSource {
    /// For sources whose entries are not worth telling apart.
    public func skip(_ rows: [Int64: Int64]) {}

    /// For sources that are read from their beginning each time.
    public func noteStored(isLast: Bool) {}
}

/// A part of what a source holds.
public struct ImportBatch: Sendable {
    public var readings: [Reading] = []
    /// Articles that the reader starred, saved or liked there, read or not: they become bookmarks.
    public var starred: [Bookmark] = []
    /// How many articles that were read were passed over, since an earlier import brought them in.
    public var known = 0
    /// Of the rows whose articles are in the batch, by their numbers: a hash of all that is in them.
    public var rows: [Int64: Int64] = [:]
    /// How many items were seen that nobody has read.
    public var unread = 0
    /// How many items are not among the readings, by reason.
    public var leftOut: [LeftOut: Int] = [:]
    /// The ids of those readings that were marked as read together with many others, where the source sees that: their
    /// times are not those of the marking.
    public var bulk: Set<String> = []
    /// Lines of a text file that could not be read at all.
    public var badLines: [LineProblem] = []

    /// So many articles that became read within one second were not read but marked.
    public static let fewestInBulk = 10

    mutating func append(_ other: ImportBatch) {
        readings += other.readings
        starred += other.starred
        known += other.known
        rows.merge(other.rows) { $1 }
        unread += other.unread
        leftOut.merge(other.leftOut, uniquingKeysWith: +)
        bulk.formUnion(other.bulk)
        badLines += other.badLines
    }

    /// Adds an article that was read, or counts why it is none.
    mutating func add(_ draft: ArticleDraft, readAt: Date, isExact: Bool, origin: String) {
        do throws(ArticleDraft.DraftError) {
            readings.append(Reading(article: try draft.article(), readAt: readAt, origin: origin, isExact: isExact))
        } catch {
            leftOut[error == .noText ? .noText : .noIdentity, default: 0] += 1
        }
    }

    /// The reading time for a program that notes that an article was read, but not when: at the first import the time
    /// of publication, which keeps an old archive out of today's digest; later, the time of the import. The store keeps
    /// the earliest, so an article that was imported before keeps its time. Never exact.
    static func approximateTime(published: Date?, previousImport: Date?, now: Date) -> Date {
        previousImport == nil ? min(published ?? now, now) : now
    }
}

/// A reason for which items of a source are not imported.
public struct LeftOut: Sendable, Hashable {
    /// What follows the number of items in a message, such as `without a title and a text`.
    public let words: Message

    public static let noText = LeftOut(words: "without a title and a text")
    public static let noIdentity = LeftOut(words: "without an id or a link that can be used")
    /// What `--no-bulk` leaves out.
    public static let bulk = LeftOut(words: "marked as read together with many others")

    /// False where the items are imported, and only something of them is missing.
    public let isWhole: Bool

    public init(words: Message, isWhole: Bool = true) {
        self.words = words
        self.isWhole = isWhole
    }
}

/// One bad line of a text file. The other lines are imported.
public struct LineProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    /// What is wrong with it, without a full stop, such as `read_at is not a time: "yesterday"`.
    public let reason: Message

    public var text: Message { "line \(line): \(reason)" }
    public var description: String { text.description }
}

/// What a source may know of the machine and of the import.
public struct ImportEnvironment: Sendable {
    /// The moment of the import.
    public let now: Date
    /// The user's home folder.
    public let home: String
    public let variables: [String: String]
    /// The file descriptor that the path `-` stands for.
    public let standardInput: Int32
    /// Hosts whose pages count as reading, for browsers; a host stands for its subdomains too.
    public let hosts: [String]
    /// What a file's own columns or keys are called, by the field of an article that they hold: `title` → `Headline`.
    public let columns: [String: String]
    /// The fields that a column can be named for.
    public static let fields = [
        "id", "url", "title", "description", "content", "author", "source", "category", "language", "published_at",
        "read_at",
    ]

    public init(
        now: Date, home: String, variables: [String: String], standardInput: Int32 = 0, hosts: [String] = [],
        columns: [String: String] = [:]
    ) {
        self.now = now
        self.home = home
        self.variables = variables
        self.standardInput = standardInput
        self.hosts = hosts
        self.columns = columns
    }

    /// A folder of the XDG Base Directory Specification, by which a path that is not absolute is to be ignored.
    /// - Parameters:
    ///   - variable: such as `XDG_DATA_HOME`.
    ///   - standard: the folder below the home where the variable is not set, such as `.local/share`.
    func folder(_ variable: String, or standard: String) -> String {
        variables[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/" + standard
    }
}

/// One kind of source, as the command `import` offers it.
public struct SourceKind: Sendable {
    /// What follows `pulse-digest import`, such as `newsboat`.
    public let name: String
    /// What may follow that, such as `[PATH]`.
    public let operands: String
    /// What it reads, in a few words, for the list in the help.
    public let summary: Message
    /// The rest of its help, in whole sentences.
    public let details: Message
    /// Where to look when the user names no path, the likeliest place first; `-` is standard input.
    let places: @Sendable (ImportEnvironment) -> [String]
    /// Whether what was found at a path is of this kind.
    var recognises: @Sendable (SourceProbe) -> Bool = { _ in false }
    let open: @Sendable (String, ImportEnvironment) throws(PulseError) -> any ArticleSource
    /// Whether it holds every page that was visited, and not only articles: it is imported only where hosts are named.
    public var isBrowser = false
    /// The folders in which its profiles are looked for, where it has several.
    var folders: (@Sendable (ImportEnvironment) -> [String])?
    /// `ArticleSource.origin` of the file at a path, by which two files of one program are told apart. Nil: its files
    /// are all of one origin, its name, and none of them takes another's place.
    var fileOrigin: (@Sendable (_ path: String) -> String)?

    /// All there are, in the order of the help.
    public static let all: [SourceKind] = [
        .jsonLines,
        .newsboat,
        .chromium,
        .csv,
        .firefox,
        .freshRSS,
        .greader,
        .instapaper,
        .json,
        .liferea,
        .matter,
        .netNewsWire,
        .omnivore,
        .pocket,
        .pulse,
        .quiteRSS,
        .readwise,
        .rssGuard,
        .rssium,
        .safari,
        .wallabag,
    ]

    /// `ArticleSource.origin` of what is at a path, without a look inside.
    public func origin(at path: String) -> String { fileOrigin?(path) ?? name }

    /// Its usual places where there is something, the likeliest first. A program that has moved, or come in another
    /// package, leaves its old file behind: of several that are of one origin, that which was written to last.
    public func found(in environment: ImportEnvironment) -> [String] {
        let found = places(environment).filter { $0 != "-" && FileManager.default.fileExists(atPath: $0) }
        guard let fileOrigin else { return found }
        let newest = Dictionary(grouping: found, by: fileOrigin).mapValues { files in
            guard files.count > 1 else { return files.first }
            // Another program's file may lie there: any app of a Mac may have a default.store.
            let own = files.filter { (try? SourceProbe(lookingAt: $0)).map(recognises) ?? false }
            return (own.isEmpty ? files : own).max { Self.changed($0) < Self.changed($1) }
        }
        return found.filter { newest[fileOrigin($0)] == $0 }
    }

    /// When a database was last written to, with its log, which lies beside the file that a link leads to.
    private static func changed(_ path: String) -> Date {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return ["", "-wal"].compactMap {
            (try? FileManager.default.attributesOfItem(atPath: file + $0))?[.modificationDate] as? Date
        }.max() ?? .distantPast
    }

    /// Opens the source at a path or, where that is nil, the first that is `found`, or standard input.
    public func source(at path: String?, in environment: ImportEnvironment) throws(PulseError) -> any ArticleSource {
        if let path { return try open(path, environment) }
        let places = places(environment)
        guard let place = found(in: environment).first ?? places.first(where: { $0 == "-" }) else {
            if let folders {
                let folders = folders(environment).filter { FileManager.default.fileExists(atPath: $0) }
                let program = name.prefix(1).uppercased() + name.dropFirst()
                let found: Message = folders.isEmpty ? "" : " in \(folders.joined(separator: ", "))"
                throw PulseError(
                    .noInput, "No \(program) profile was found\(found).",
                    hint: "Name its folder: pulse-digest import \(name) PATH --host SITE")
            }
            let nowhere = places.map(Message.init(verbatim:)).joined(separator: " nor at ")
            throw PulseError(
                .noInput,
                places.count == 1
                    ? "Nothing of \(name) was found: it is not at \(nowhere)."
                    : "Nothing of \(name) was found: it is neither at \(nowhere).",
                hint: "Name it: pulse-digest import \(name) PATH")
        }
        return try open(place, environment)
    }
}

/// What can be seen of a file or a folder without reading it whole, by which the kinds of source know their own.
public struct SourceProbe: Sendable, Hashable {
    public let path: String
    public let isFolder: Bool
    /// The first bytes of the file, 64 KiB at most, unpacked where the file is compressed by gzip; empty for a folder.
    public let head: Data
    /// The columns of each table, in lower case, where the file is an SQLite database.
    public let tables: [String: Set<String>]

    public init(path: String, isFolder: Bool, head: Data, tables: [String: Set<String>]) {
        self.path = path
        self.isFolder = isFolder
        self.head = head
        self.tables = tables
    }

    /// Whether a table has all of these columns; names in lower case.
    public func hasTable(_ name: String, with columns: Set<String>) -> Bool {
        tables[name]?.isSuperset(of: columns) ?? false
    }
}
