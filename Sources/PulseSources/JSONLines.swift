public import Foundation
import PulseCore
import PulseMarkup
import PulseText

extension SourceKind {
    static let jsonLines = SourceKind(
        name: "jsonl", operands: "[PATH|-]", summary: "JSON Lines, one article a line",
        details: """
            Keys: id, url, title, description, content, author, source, category, language, published_at, read_at.
            Each line needs a title or content, and an id or url. Dates are ISO 8601, or a duration back from now,
            such as -PT3H. Keys of other names: --map title=headline. A line with saved_at is a bookmark, and was
            read only if it has read_at, too. An invalid line is reported with its number; the rest is imported.
            """,
        defaultPaths: { _ in ["-"] },
        recognises: { JSONLines.recognises($0) },
        open: { path, environment in
            let lines =
                path == "-"
                ? LineReader(descriptor: environment.standardInput, name: "standard input")
                : try LineReader(path: path)
            let format = JSONLines(
                now: environment.now, columns: environment.columns, timeZone: environment.timeZone)
            return JSONLinesFile(lines, format: format)
        })
}

/// A file or a pipe of JSON Lines.
final class JSONLinesFile: ArticleSource {
    let origin = JSONLines.origin
    var name: String { lines.name }

    /// A batch ends at this number of bytes or lines, whichever comes first: a line may hold a word or a book.
    private static let most = (bytes: 4 << 20, lines: 5000)
    /// A batch waits for this many lines of a slow pipe, and takes more only if they are available.
    private static let awaited = 500

    private var lines: LineReader
    private let format: JSONLines
    /// The next batch, which is parsed while the caller stores the current one.
    private var ahead: Task<ImportBatch, Never>?
    private var failure: PulseError?

    init(_ lines: consuming LineReader, format: JSONLines) {
        self.lines = lines
        self.format = format
    }

    func next(previousImport: Date?) async throws -> ImportBatch? {
        var batch = await ahead?.value
        if batch == nil {
            let chunk = chunk(waiting: true)
            if !chunk.isEmpty { batch = format.batch(chunk) }
        }
        guard let batch else {
            if let failure { throw failure }
            return nil
        }
        // This must not wait for the next line: the caller stores the current batch first.
        let chunk = chunk(waiting: false)
        ahead = chunk.isEmpty ? nil : Task { [format] in format.batch(chunk) }
        return batch
    }

    /// The next lines; empty at the end, after a failure, or if there are none yet and `waiting` is false.
    private func chunk(waiting: Bool) -> [LineReader.Line] {
        var chunk: [LineReader.Line] = []
        var bytes = 0
        do {
            while failure == nil, bytes < Self.most.bytes, chunk.count < Self.most.lines,
                waiting && chunk.count < Self.awaited || lines.isReady, let line = try lines.next()
            {
                bytes += line.bytes.count
                chunk.append(line)
            }
        } catch {
            failure = error.asPulseError
        }
        return chunk
    }
}

/// The import format that any program can write: one JSON object a line, in UTF-8.
///
/// Keys: `id`, `url`, `title`, `description`, `content`, `author`, `source`, `category`, `language`, `published_at`,
/// `read_at`, `saved_at`. Every value is a string or null, and other keys are ignored. `id` or `url` is required, and
/// `title` or `content`. Texts may be plain or HTML. A `url` that is not http or https is dropped if there is an `id`.
/// For times, see `Timestamp`: ISO 8601, or a negative duration such as `-PT3H` for three hours before the import; and
/// `SourceTime`, as in other files.
///
/// If `read_at` is missing or later than now, the reading time is now, as an estimate. A line with `saved_at` is a
/// bookmark, and is a reading only if it also has `read_at`.
///
/// This program's own exports have `form` set to `stored`: their texts are plain and were cleaned, so only harmful
/// characters are removed from them. Exports also have `read_at_exact` (false if the time is an estimate) and `origin`
/// (the importer that reported the article).
public struct JSONLines: Sendable {
    public static let origin = "jsonl"
    private static let storedForm = "stored"

    /// The moment of the import.
    private let now: Date
    private let decoder = JSONDecoder()
    /// The file's key of each field, if it is not the field's own name.
    private let keys: [String: String]
    private let timeZone: TimeZone

    /// - Parameters:
    ///   - columns: the file's keys, by the key that they stand for: `title` → `headline`; see
    ///     `ImportEnvironment.fields`.
    ///   - timeZone: of a day without a time.
    public init(now: Date, columns: [String: String] = [:], timeZone: TimeZone = .gmt) {
        self.now = now
        self.timeZone = timeZone
        keys = columns
    }

    /// The readings, bookmarks and errors of lines; blank lines are skipped.
    public func batch(_ lines: [LineReader.Line]) -> ImportBatch {
        var batch = ImportBatch()
        for line in lines {
            do throws(JSONLineError) {
                try add(line, to: &batch)
            } catch {
                batch.badLines.append(LineError(line: line.number, reason: error.reason))
            }
        }
        return batch
    }

    /// Whether the first line is an article in this format.
    static func recognises(_ probe: SourceProbe) -> Bool {
        var line = probe.head.drop { $0 == 0x0a || $0 == 0x0d || $0 == 0x20 || $0 == 0x09 }
        if line.starts(with: [0xef, 0xbb, 0xbf]) { line = line.dropFirst(3) }
        // A one-line list of articles may have a title and an id, too.
        guard line.first == UInt8(ascii: "{"), !JSONRecords.isContainer(probe.head) else { return false }
        let first = JSONObject.repaired(line.prefix { $0 != 0x0a })
        if let entry = try? JSONDecoder().decode(Line.self, from: first) {
            return (entry.id ?? entry.url) != nil && (entry.title ?? entry.content) != nil
        }
        // The line is longer than the probe, so it cannot be parsed.
        let text = String(decoding: line, as: UTF8.self)
        return probe.head.count >= SourceProbe.longestHead && !line.contains(0x0a)
            && text.contains(/"(id|url)"\s*:\s*"/)
            && text.contains(/"(title|content)"\s*:\s*"/)
    }

    private func add(_ line: LineReader.Line, to batch: inout ImportBatch) throws(JSONLineError) {
        guard line.isWhole else { throw JSONLineError(reason: "the line is longer than this program reads") }
        // A byte order mark may begin a file, and so each of several concatenated files.
        let bytes = line.bytes.starts(with: [0xef, 0xbb, 0xbf]) ? line.bytes.dropFirst(3) : line.bytes[...]
        guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0d }) else { return }
        try add(try decode(Data(bytes)), to: &batch)
    }

    /// A line as written.
    private struct Line: Decodable {
        let id: String?
        let url: String?
        let title: String?
        let description: String?
        let content: String?
        let author: String?
        let source: String?
        let category: String?
        let language: String?
        let publishedAt: String?
        let readAt: String?
        let readAtExact: Bool?
        let savedAt: String?
        let origin: String?
        let form: String?

        enum CodingKeys: String, CodingKey {
            case id, url, title, description, content, author, source, category, language
            case publishedAt = "published_at"
            case readAt = "read_at"
            case readAtExact = "read_at_exact"
            case savedAt = "saved_at"
            case origin, form
        }
    }

    private struct JSONLineError: Error { let reason: Message }

    private func decode(_ data: Data) throws(JSONLineError) -> Line {
        do {
            return try decoder.decode(Line.self, from: keys.isEmpty ? data : try renamed(data))
        } catch DecodingError.typeMismatch(let type, let context) {
            guard let key = context.codingPath.last?.stringValue else {
                throw JSONLineError(reason: "it is not a JSON object")
            }
            throw JSONLineError(reason: "\(key) is not \(type is Bool.Type ? "true or false" : "a string")")
        } catch {
            let isText = String(validating: data, as: UTF8.self) != nil
            let repaired = JSONObject.repaired(data)
            if isText, repaired != data { return try decode(repaired) }
            throw JSONLineError(reason: isText ? "it is not valid JSON" : "it is not valid UTF-8")
        }
    }

    /// The JSON object with the file's keys replaced by this format's.
    private func renamed(_ data: Data) throws -> Data {
        guard var object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else { return data }
        let values = keys.mapValues { object[$0] }
        for key in keys.values { object[key] = nil }
        for (field, value) in values { object[field] = value }
        return try JSONSerialization.data(withJSONObject: object)
    }

    private func add(_ line: Line, to batch: inout ImportBatch) throws(JSONLineError) {
        let isStored = line.form == Self.storedForm
        let draft = ArticleDraft(
            id: line.id, url: line.url, title: line.title ?? "", summary: line.description ?? "",
            content: line.content ?? "", contentForm: isStored ? .stored : .unknown,
            author: line.author, source: line.source ?? "", category: line.category,
            language: line.language, publishedAt: try time(line.publishedAt, key: "published_at"))
        let readAt = try time(line.readAt, key: "read_at")
        let isExact = readAt.map { $0 <= now && line.readAtExact != false } ?? false
        let savedAt = try time(line.savedAt, key: "saved_at").map { min($0, now) }
        do throws(ArticleDraft.DraftError) {
            var article = try draft.article()
            if isStored { article = try article.withoutPromptInjections() }
            if let savedAt { batch.starred.append(Bookmark(article: article, savedAt: savedAt)) }
            guard savedAt == nil || readAt != nil else {
                batch.unread += 1
                return
            }
            let origin = isStored ? line.origin.map { PlainText.line($0, limit: 300) }?.nonEmpty : nil
            batch.readings.append(
                Reading(
                    article: article, readAt: min(readAt ?? now, now), origin: origin ?? JSONLines.origin,
                    isExact: isExact))
        } catch {
            throw JSONLineError(reason: JSONLines.reason(error))
        }
    }

    /// Nil if the key is missing or blank.
    private func time(_ text: String?, key: String) throws(JSONLineError) -> Date? {
        guard let text = text?.trimmed.nonEmpty else { return nil }
        guard
            let date = Timestamp.parse(text, now: now, dayZone: timeZone)
                ?? SourceTime.parse(text, now: now, dayZone: timeZone)
        else {
            throw JSONLineError(reason: "\(key) is not a time: \"\(text.excerpt)\"")
        }
        return date
    }

    private static func reason(_ problem: ArticleDraft.DraftError) -> Message {
        switch problem {
        case .noIdentity: "it has neither id nor url"
        case .badURL: "it has no id, and its url is not http or https"
        case .longIdentity: "its id is longer than \(ArticleDraft.longestIdentifier) bytes"
        case .noText: "it has neither title nor content"
        }
    }
}
