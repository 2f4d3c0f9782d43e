import Foundation
import PulseCore
import PulseMarkup
import PulseText

extension SourceKind {
    static let csv = SourceKind(
        name: "csv", operands: "[PATH|-]", summary: "a table of articles, one a line, with a header",
        details: """
            The columns are known by their names, such as Title, URL, Link, Date, Read at; others with
            --map title=Headline. Commas, semicolons or tabs. Without a time of reading, an article counts as read
            when it was saved or published.
            """,
        defaultPaths: { _ in ["-"] },
        recognises: { probe in
            let columns = CSVReader.columns(in: probe.head)
            let isAnothers = SourceKind.tables.contains { $0.columns.isSubset(of: columns) }
            return !isAnothers && (try? ArticleFields(columns: [:]))?.fits(columns) ?? false
        },
        open: { path, environment throws(PulseError) in
            let fields = try ArticleFields(columns: environment.columns)
            let files = try ExportFiles(path: path, in: environment)
            let now = environment.now
            return try RecordSource(
                origin: "csv", name: files.name, files: files.all { $0.hasSuffix(".csv") },
                open: { source throws(PulseError) in
                    let reader = try CSVReader(source)
                    try reader.check(fields)
                    return reader
                },
                add: { row, _, batch throws(PulseError) in
                    fields.add(line: row.line, origin: "csv", now: now, to: &batch) { row[$0] }
                })
        })

    /// The CSV formats of other programs.
    fileprivate static let tables: [TableSchema] = [.instapaper, .matter, .pocket, .readwise]

    static let instapaper = table(
        .instapaper, "instapaper", summary: "the CSV file that Instapaper exports",
        details: """
            Articles in the folder Archive were read; those in Starred become bookmarks. Instapaper notes when an article
            was saved and not when it was read, so it counts as read when it was saved, and is marked as an estimate.
            """)
    static let matter = table(
        .matter, "matter", summary: "the CSV file that Matter exports",
        details: """
            Articles marked as read, at the time of the last interaction, which is marked as an estimate; favourites become
            bookmarks.
            """)
    static let readwise = table(
        .readwise, "readwise", summary: "the CSV file that Readwise Reader exports",
        details: """
            Articles in the archive, and those read to nine tenths or more. Reader does not export when they were read, so
            they count as read when they were saved, and are marked as an estimate.
            """)

    static func table(_ schema: TableSchema, _ name: String, summary: Message, details: Message) -> SourceKind {
        SourceKind(
            name: name, operands: "PATH", summary: summary, details: details, defaultPaths: { _ in [] },
            recognises: { schema.columns.isSubset(of: CSVReader.columns(in: $0.head)) },
            open: { path, environment throws(PulseError) in
                let files = try ExportFiles(path: path, in: environment)
                return try schema.source(name, files.all { $0.hasSuffix(".csv") }, of: files, now: environment.now)
            })
    }
}

/// The CSV format of a program: its columns and the meaning of its rows.
struct TableSchema: Sendable {
    let program: String
    /// The columns by which it is recognised; names normalised by `CSVReader.plain`.
    let columns: Set<String>
    /// Adds a row to a batch. The string is the origin, the date the moment of the import.
    let add: @Sendable (CSVReader.Row, String, Date, inout ImportBatch) -> Void

    func source(
        _ origin: String, _ tables: [ExportFiles.File], of files: ExportFiles, now: Date
    ) throws(PulseError) -> any ArticleSource {
        guard !tables.isEmpty else {
            throw PulseError(
                .badData, "\(files.name) has nothing that \(program) exports in it.", hint: "Check the path.")
        }
        let (schema, add) = (self, add)
        return try RecordSource(
            origin: origin, name: files.name, files: tables,
            open: { source throws(PulseError) in
                let reader = try CSVReader(source)
                guard schema.columns.isSubset(of: reader.columns.keys) else {
                    throw PulseError(
                        .badData,
                        "\(reader.name) is not a table as \(schema.program) exports it: \(reader.headerText).",
                        hint: "Check the path, or import it with: pulse-digest import csv PATH")
                }
                return reader
            },
            add: { row, _, batch throws(PulseError) in add(row, origin, now, &batch) })
    }

    static let instapaper = TableSchema(program: "Instapaper", columns: ["url", "title", "selection", "folder"]) {
        row, origin, now, batch in
        let folder = row["folder"]?.lowercased()
        batch.addSaved(
            ArticleDraft(
                listed: row["url"], title: row["title"], tags: row["tags"], summary: row["selection"]),
            isRead: folder == "archive", isStarred: folder == "starred",
            savedAt: SourceTime.parse(row["timestamp"], now: now), origin: origin, now: now)
    }

    static let matter = TableSchema(
        program: "Matter", columns: ["title", "url", "read", "favorited", "lastinteractiondate"]
    ) { row, origin, now, batch in
        batch.addSaved(
            ArticleDraft(
                listed: row["url"], title: row["title"], tags: row["tags"], author: row["author"],
                source: row["publisher"]),
            isRead: row["read"].flatMap(Flag.parse) ?? false, isStarred: row["favorited"].flatMap(Flag.parse) ?? false,
            savedAt: SourceTime.parse(row["lastinteractiondate"], now: now), origin: origin, now: now)
    }

    static let pocket = TableSchema(program: "Pocket", columns: ["title", "url", "timeadded", "status"]) {
        row, origin, now, batch in
        batch.addSaved(
            ArticleDraft(listed: row["url"], title: row["title"], tags: row["tags"]),
            isRead: row["status"]?.lowercased() == "archive", savedAt: SourceTime.parse(row["timeadded"], now: now),
            origin: origin, now: now)
    }

    static let readwise = TableSchema(
        program: "Readwise Reader", columns: ["title", "url", "saveddate", "readingprogress", "location"]
    ) { row, origin, now, batch in
        batch.addSaved(
            ArticleDraft(listed: row["url"], title: row["title"], tags: row["documenttags"]),
            isRead: row["location"]?.lowercased() == "archive" || isFinished(row["readingprogress"]),
            savedAt: SourceTime.parse(row["saveddate"], now: now), origin: origin, now: now)
    }

    /// Whether at least nine tenths were read: `0.95`, `95` or `95%`. A bare `1` is ambiguous and does not count.
    private static func isFinished(_ progress: String?) -> Bool {
        guard let progress, let number = Double(progress.prefix { $0 != "%" }) else { return false }
        return number >= 90 || number >= 0.9 && number <= 1 && progress.contains(".")
    }
}
