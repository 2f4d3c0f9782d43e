public import Foundation
public import PulseCore
import PulseText

/// The import format that any program can write: one JSON object a line, in UTF-8.
///
/// Keys: `id`, `url`, `title`, `description`, `content`, `author`, `source`, `category`, `language`, `published_at`,
/// `read_at`; every value is a string or null, and other keys are ignored. `id` or `url` is required, and `title` or
/// `content`. Texts may be plain or HTML. A `url` that is not http or https is dropped where there is an `id`. Times
/// are written as `Timestamp` says: ISO 8601, or a negative duration such as `-PT3H` for three hours before the import.
///
/// Where `read_at` is missing, or later than now, the article counts as read now, by approximation.
public struct JSONLines: Sendable {
    public static let origin = "jsonl"

    private let now: Date

    /// - Parameter now: the moment of the import.
    public init(now: Date) {
        self.now = now
    }

    /// What a line tells: a reading, or why it is none; nil for a blank line.
    public func reading(from line: LineReader.Line) -> Result<Reading, LineProblem>? {
        guard line.isWhole else { return problem(line, "the line is longer than this program reads") }
        // A byte order mark may stand at the start of a file, and so of each of several joined into one.
        let bytes = line.bytes.starts(with: [0xef, 0xbb, 0xbf]) ? line.bytes.dropFirst(3) : line.bytes[...]
        guard bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0d }) else { return nil }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            return problem(line, "it is not valid UTF-8")
        }
        do throws(JSONProblem) {
            return .success(try reading(try decode(Data(bytes))))
        } catch {
            return problem(line, error.reason)
        }
    }

    private struct JSONProblem: Error {
        let reason: String
    }

    private func problem(_ line: LineReader.Line, _ reason: String) -> Result<Reading, LineProblem> {
        .failure(LineProblem(line: line.number, reason: reason))
    }

    private func decode(_ data: Data) throws(JSONProblem) -> JSONLine {
        do {
            return try JSONDecoder().decode(JSONLine.self, from: data)
        } catch DecodingError.typeMismatch(_, let context) {
            guard let key = context.codingPath.last?.stringValue else {
                throw JSONProblem(reason: "it is not a JSON object")
            }
            throw JSONProblem(reason: "\(key) is not a string")
        } catch {
            throw JSONProblem(reason: "it is not valid JSON")
        }
    }

    private func reading(_ line: JSONLine) throws(JSONProblem) -> Reading {
        let draft = ArticleDraft(
            id: line.id, url: line.url, title: line.title ?? "", summary: line.description ?? "",
            content: line.content ?? "", author: line.author, source: line.source ?? "", category: line.category,
            language: line.language, publishedAt: try time(line.publishedAt, key: "published_at"))
        let readAt = try time(line.readAt, key: "read_at")
        let isExact = readAt.map { $0 <= now } ?? false
        do throws(ArticleDraft.Problem) {
            return Reading(
                article: try draft.article(), readAt: min(readAt ?? now, now), origin: JSONLines.origin,
                isExact: isExact)
        } catch {
            throw JSONProblem(reason: JSONLines.reason(error))
        }
    }

    /// Nil where the key is missing or blank.
    private func time(_ text: String?, key: String) throws(JSONProblem) -> Date? {
        guard let text = text?.trimmed.nonEmpty else { return nil }
        guard let date = Timestamp.parse(text, now: now) else {
            throw JSONProblem(reason: "\(key) is not a time: \"\(PlainText.line(String(text.prefix(40))))\"")
        }
        return date
    }

    private static func reason(_ problem: ArticleDraft.Problem) -> String {
        switch problem {
        case .noIdentity: "it has neither id nor url"
        case .badURL: "it has no id, and its url is not http or https"
        case .longIdentity: "its id is longer than \(ArticleDraft.longestIdentifier) bytes"
        case .noText: "it has neither title nor content"
        }
    }
}
