import Foundation
public import PulseCore
import PulseMarkup
import PulseText

/// A part of a source's contents.
public struct ImportBatch: Sendable {
    public var readings: [Reading] = []
    /// Articles that the user starred, saved or liked, whether read or not. They become bookmarks.
    public var starred: [Bookmark] = []
    /// The number of read articles that were skipped because an earlier import stored them.
    public var known = 0
    /// A hash of each row in this batch, by row id.
    public var rows: [Int64: Int64] = [:]
    /// The number of unread items.
    public var unread = 0
    /// The number of items that were left out wholly or in part (`LeftOut.isWhole`), by reason.
    public var leftOut: [LeftOut: Int] = [:]
    /// The ids of readings that were marked as read in bulk, for sources that can tell. Their reading times are
    /// estimates.
    public var bulk: Set<String> = []
    /// Lines of a text file that could not be read at all.
    public var badLines: [LineError] = []

    /// If at least this many articles became read within one second, they were marked in bulk and not read.
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

    /// Adds a reading, or counts why the draft makes no article.
    /// - Returns: the article that was added.
    @discardableResult
    mutating func add(
        _ draft: ArticleDraft, readAt: Date, isExact: Bool, isBulk: Bool = false, origin: String
    ) -> Article? {
        guard let article = article(of: draft) else { return nil }
        readings.append(Reading(article: article, readAt: readAt, origin: origin, isExact: isExact))
        if isBulk { bulk.insert(article.id) }
        return article
    }

    /// The article of a draft. A draft without one is counted.
    mutating func article(of draft: ArticleDraft) -> Article? {
        do throws(ArticleDraft.DraftError) {
            return try draft.article()
        } catch {
            leftOut[error == .noText ? .noText : .noIdentity, default: 0] += 1
            return nil
        }
    }

    /// Adds a reading from a source that may have only the title.
    mutating func add(listed draft: ArticleDraft, readAt: Date, isExact: Bool, origin: String) {
        let article = add(draft, readAt: readAt, isExact: isExact, origin: origin)
        if article?.content.isEmpty == true { leftOut[.noTextKept, default: 0] += 1 }
    }

    /// Adds a bookmark, unless the draft makes no article.
    mutating func add(star draft: ArticleDraft, savedAt: Date?) {
        if let article = try? draft.article() { starred.append(Bookmark(article: article, savedAt: savedAt)) }
    }

    /// Adds an item of a list of articles to read later.
    /// - Parameters:
    ///   - readAt: when it was read; nil: not known. Then the estimate is the time of saving or publication rather than
    ///     of the import, because the list may be years old, or a further part of one that was imported.
    ///   - savedAt: when it was added to the list.
    ///   - starredAt: when it was starred; nil: not known.
    mutating func addSaved(
        _ draft: ArticleDraft, isRead: Bool, isStarred: Bool = false, readAt: Date? = nil, savedAt: Date? = nil,
        starredAt: Date? = nil, origin: String, now: Date
    ) {
        if isStarred { add(star: draft, savedAt: starredAt ?? savedAt) }
        guard isRead else {
            unread += 1
            return
        }
        let time = min(readAt ?? savedAt ?? draft.publishedAt ?? now, now)
        add(listed: draft, readAt: time, isExact: readAt != nil, origin: origin)
    }

    /// Marks the readings of a second in which many were read: their times are not exact.
    /// - Parameter counts: the number of readings in each second, including those of earlier batches.
    mutating func markBulk(_ counts: inout [Int: Int]) {
        func second(_ reading: Reading) -> Int? { reading.isExact ? Int(reading.readAt.timeIntervalSince1970) : nil }
        for second in readings.compactMap(second) { counts[second, default: 0] += 1 }
        for index in readings.indices
        where second(readings[index]).map({ counts[$0, default: 0] >= Self.fewestInBulk }) == true {
            readings[index].isExact = false
            bulk.insert(readings[index].article.id)
        }
    }

    /// The reading time for a program that records that an article was read, but not when. At the first import it is
    /// the time of publication, which keeps an old archive out of today's digest; later, it is the time of the import.
    /// The store keeps the earliest time, so an article that is imported again keeps its first one. Never exact.
    static func approximateTime(published: Date?, previousImport: Date?, now: Date) -> Date {
        previousImport == nil ? min(published ?? now, now) : now
    }
}

/// A reason why items are not, or only partly, imported.
public struct LeftOut: Sendable, Hashable {
    /// Follows the number of items in a message: `without a title and a text`.
    public let words: Message

    public static let noText = LeftOut(words: "without a title and a text")
    public static let noIdentity = LeftOut(words: "without an id or a link that can be used")
    /// Counts articles that are imported without a text.
    public static let noTextKept = LeftOut(words: "with only a title", isWhole: false)
    /// The items that `--no-bulk` excludes.
    public static let bulk = LeftOut(words: "marked as read together with many others")
    // Of feed readers.
    static let readOnArrival = LeftOut(words: "marked as read on arrival")
    static let tooLargeText = LeftOut(words: "with a text that is too long")
    // Of browsers.
    static let otherSites = LeftOut(words: "of other sites")
    static let noArticles = LeftOut(words: "of front pages, searches, logins or videos")
    static let notSeenLong = LeftOut(words: "seen for less than ten seconds")
    static let noTime = LeftOut(words: "without a time")
    // Of servers.
    static let notMarked = LeftOut(words: "listed as read by the server, but not marked as read")
    static let filtered = LeftOut(words: "marked as read by a filter of the server")
    static let unsent = LeftOut(words: "listed by the server, but missing in its response")
    static let tooLong = LeftOut(words: "too large for one response of the server")
    static let unplaced = LeftOut(words: "without an id or a time of their last change")
    static let gone = LeftOut(words: "deleted, or no longer visible")
    static let labelled = LeftOut(words: "with a warning label")
    static let loginOnly = LeftOut(words: "shown only to people who have logged in")

    /// False if the items are imported, and only a part of them is missing.
    public var isWhole = true
}

/// A line of a text file that could not be imported. The other lines are.
public struct LineError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    /// The fault, without a full stop: `read_at is not a time: "yesterday"`.
    public let reason: Message

    public var text: Message { "line \(line): \(reason)" }
    public var description: String { text.description }
}

extension ArticleDraft {
    /// A draft of an entry in a list of links.
    /// - Parameter tags: in any format whose separators are not letters. The first known category becomes the
    ///   article's.
    init(
        listed url: String?, title: String?, tags: String? = nil, summary: String? = nil, author: String? = nil,
        source: String? = nil
    ) {
        let title = title ?? ""
        let host = url.flatMap(WebURL.host).map { $0.hasPrefix("www.") ? String($0.dropFirst(4)) : $0 }
        let words = tags?.lowercased().split { !$0.isLetter } ?? []
        self.init(
            url: url, title: title, summary: summary ?? "", author: author, source: source ?? host ?? "",
            category: words.first { PulseCore.Category.known.contains(PulseCore.Category(String($0))) }.map(String.init)
        )
    }
}
