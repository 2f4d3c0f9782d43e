public import Foundation
public import PulseCore

/// A file, database or server in which another program records what its user has read. A source is read once, from
/// beginning to end, and is never written to.
///
/// To add one, write a type that conforms to this protocol and a `SourceKind` that opens it, and add that to
/// `SourceKind.all`.
public protocol ArticleSource: AnyObject {
    /// The key of this source in the journal of imports, and the `Reading.origin` of its articles: the program,
    /// followed by the account if a program may have several.
    var origin: String { get }
    /// The name that messages use, such as a path or `standard input`.
    var name: String { get }

    /// The next batch, in the source's own order: a few hundred articles, or a few thousand short ones. Nil at the end.
    /// If reading fails in the middle, the articles before the failure are returned first, and the next call throws.
    /// - Parameter previousImport: when the last complete import from this origin took place; nil: never.
    func next(previousImport: Date?) async throws -> ImportBatch?

    /// Tells the source which rows earlier imports stored, so that it can skip them. Called before `next`. A row whose
    /// hash has changed is returned again.
    /// - Parameter rows: hashes by row id, as earlier batches had them in `ImportBatch.rows`.
    func skip(_ rows: [Int64: Int64])

    /// Called once everything returned so far is stored. Only now may the source save its sync cursor.
    /// - Parameter isLast: whether `next` will not be called again, because the import has ended or failed.
    func noteStored(isLast: Bool) throws
}

extension ArticleSource {
    /// For sources that do not identify their rows.
    public func skip(_ rows: [Int64: Int64]) {}

    /// For sources that are always read from the beginning.
    public func noteStored(isLast: Bool) {}
}

/// The machine and the import, as sources see them.
public struct ImportEnvironment: Sendable {
    /// The moment of the import.
    public let now: Date
    /// The user's home folder.
    public let home: String
    public let variables: [String: String]
    /// The file descriptor that the path `-` stands for.
    public let standardInput: Int32
    /// Hosts whose pages count as reading, for browsers. Subdomains are included.
    public let hosts: [String]
    /// The file's names of columns or keys, by the article field that they hold: `title` → `Headline`.
    public let columns: [String: String]
    /// The reader's time zone, in which a day without a time begins.
    public let timeZone: TimeZone
    /// The fields that `--map` accepts.
    public static let fields = [
        "id", "url", "title", "description", "content", "author", "source", "category", "language", "published_at",
        "read_at",
    ]

    public init(
        now: Date, home: String, variables: [String: String], standardInput: Int32 = 0, hosts: [String] = [],
        columns: [String: String] = [:], timeZone: TimeZone = .gmt
    ) {
        self.now = now
        self.home = home
        self.variables = variables
        self.standardInput = standardInput
        self.hosts = hosts
        self.columns = columns
        self.timeZone = timeZone
    }

    /// A folder of the XDG Base Directory Specification, which says that relative paths must be ignored.
    /// - Parameter standard: the folder below the home folder if the variable is not set, such as `.local/share`.
    func folder(_ variable: String, or standard: String) -> String {
        variables[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/" + standard
    }

    /// The folders that Flatpak and Snap programs have in place of the home folder.
    var sandboxes: [String] {
        Self.entries(of: home + "/.var/app")
            + Self.entries(of: home + "/snap").flatMap { [$0 + "/common", $0 + "/current"] }
    }

    /// The possible data folders of a program: the user's, and those of its Flatpaks and Snaps.
    func dataFolders(of program: String) -> [String] {
        [folder("XDG_DATA_HOME", or: ".local/share")]
            + sandboxes.filter { $0.lowercased().contains(program) }.flatMap { [$0 + "/data", $0 + "/.local/share"] }
    }

    /// The paths of a folder's entries, sorted; at most 2000, more than any folder of programs has.
    static func entries(of folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().prefix(2000).map {
            folder + "/" + $0
        }
    }
}

/// One kind of source, as the command `import` offers it.
public struct SourceKind: Sendable {
    /// The argument of `import`, such as `newsboat`.
    public let name: String
    /// The arguments after the name, such as `[PATH]`.
    public let operands: String
    /// One line for the list in the help.
    public let summary: Message
    /// The rest of the help, in whole sentences.
    public let details: Message
    /// Where to look if the user gives no path, the likeliest first. `-` is standard input.
    var defaultPaths: @Sendable (ImportEnvironment) -> [String] = { _ in [] }
    /// Whether a file or folder is of this kind.
    var recognises: @Sendable (SourceProbe) -> Bool
    /// Whether other kinds take precedence for the same file.
    var isOfAnyProgram = false
    let open: @Sendable (String, ImportEnvironment) throws -> any ArticleSource
    /// Whether the source holds every visited page and not only articles. It is imported only if hosts are named.
    public var isBrowser = false
    /// The folders that may hold profiles, for programs with profiles.
    var folders: (@Sendable (ImportEnvironment) -> [String])?
    /// `ArticleSource.origin` of the file at a path. Of several files with the same origin, only the newest is imported
    /// by default. Nil: every file has the kind's name as its origin, and all are imported.
    var fileOrigin: (@Sendable (_ path: String) -> String)?

    /// All kinds, in the order of the help.
    public static let all: [SourceKind] = [
        .jsonLines,
        .store(.newsboat),
        .bookmarks,
        .browser(.chromium),
        .csv,
        .browser(.firefox),
        .store(.freshRSS),
        .greader,
        .table(.instapaper),
        .json,
        .store(.liferea),
        .table(.matter),
        .store(.netNewsWire),
        .omnivore,
        .pocket,
        .store(.pulse),
        .store(.quiteRSS),
        .table(.readwise),
        .store(.rssGuard),
        .store(.rssium),
        .safari,
        .wallabag,
    ]

    /// The kinds of a file or folder.
    static func recognising(_ probe: SourceProbe, among kinds: [SourceKind] = all) -> [SourceKind] {
        let found = kinds.filter { $0.recognises(probe) }
        let programs = found.filter { !$0.isOfAnyProgram }
        return programs.isEmpty ? found : programs
    }

    /// `ArticleSource.origin` of a path, which is not opened.
    public func origin(at path: String) -> String { fileOrigin?(path) ?? name }

    /// The default paths that exist, the likeliest first. A program that has moved its data, or was installed from
    /// another package, leaves its old file behind: of several files with the same origin, the most recently changed
    /// one is returned.
    public func found(in environment: ImportEnvironment) -> [String] {
        let found = defaultPaths(environment).filter { $0 != "-" && FileManager.default.fileExists(atPath: $0) }
        guard let fileOrigin else { return found }
        let newest = Dictionary(grouping: found, by: fileOrigin).mapValues { files in
            guard files.count > 1 else { return files.first }
            // The file may be another program's: any Mac app may have a default.store.
            let own = files.filter { (try? SourceProbe(lookingAt: $0)).map(recognises) ?? false }
            return (own.isEmpty ? files : own).max { Self.changed($0) < Self.changed($1) }
        }
        return found.filter { newest[fileOrigin($0)] == $0 }
    }

    /// When a database or its write-ahead log was last written to. The log is beside the target of a symbolic link.
    private static func changed(_ path: String) -> Date {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return ["", "-wal"].compactMap {
            (try? FileManager.default.attributesOfItem(atPath: file + $0))?[.modificationDate] as? Date
        }.max() ?? .distantPast
    }

    /// Whether `source(at:in:)` reads standard input.
    public func readsStandardInput(at path: String?, in environment: ImportEnvironment) -> Bool {
        (path ?? defaultPaths(environment).first) == "-"
    }

    /// Opens the source at a path or, if that is nil, the first of `found` or standard input.
    public func source(at path: String?, in environment: ImportEnvironment) throws -> any ArticleSource {
        if let path { return try open(path, environment) }
        let defaultPaths = defaultPaths(environment)
        guard let path = found(in: environment).first ?? defaultPaths.first(where: { $0 == "-" }) else {
            if let folders {
                let folders = folders(environment).filter { FileManager.default.fileExists(atPath: $0) }
                let program = name.prefix(1).uppercased() + name.dropFirst()
                let found: Message = folders.isEmpty ? "" : " in \(folders.joined(separator: ", "))"
                throw PulseError(
                    .noInput, "No \(program) profile was found\(found).",
                    hint: "Name its folder: pulse-digest import \(name) PATH --host SITE")
            }
            guard !defaultPaths.isEmpty else {
                throw PulseError(
                    .usage, "import \(name) needs the path of a file or folder.",
                    hint: "Name it: pulse-digest import \(name) PATH")
            }
            let nowhere = defaultPaths.map(Message.init(verbatim:)).joined(separator: " nor at ")
            throw PulseError(
                .noInput,
                defaultPaths.count == 1
                    ? "No files of \(name) were found: they are not at \(nowhere)."
                    : "No files of \(name) were found: they are neither at \(nowhere).",
                hint: "Name it: pulse-digest import \(name) PATH")
        }
        return try open(path, environment)
    }
}
