import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform
import PulseText

extension ServerKind {
    static let miniflux = ServerKind(
        name: "miniflux", program: "Miniflux", example: "https://miniflux.example.org", asksUser: false,
        keyName: "API key", keyHint: "Make a new key in Miniflux under Settings → API Keys.",
        summary: "a Miniflux server",
        details: """
            Miniflux tells when each entry was marked as read, and that is when it counts as read. Entries that were
            marked together, as "mark all as read" does, count as read when they were published, and so do those that
            Miniflux marked by itself.
            """,
        trimmed: ["/v1"],
        signIn: { connection, credentials in
            var connection = connection
            connection.headers = [try await MinifluxServer.header(credentials)]
            let me = try await connection.json("/v1/me")
            guard let user = JSONObject(me)?.text("username"), user == PlainText.line(user, limit: 200) else {
                throw connection.strange
            }
            return (connection.address, user)
        },
        open: { MinifluxServer($0) })
}

/// The articles that were read on a Miniflux server (https://miniflux.app/docs/api.html).
///
/// Entries are listed by the time of their last change: being marked as read or unread, starred or not. Pages are
/// requested by time and not by offset, because an entry that changes meanwhile moves to the end and shifts the others.
final class MinifluxServer: ArticleSource {
    var origin: String { account.origin }
    var name: String { connection.address }

    private var account: ServerAccount
    private var connection: ServerConnection { account.connection }
    private var now: Date { account.now }
    private var state: SyncCursor<State>?
    private var step = Step.read
    /// The range that is being listed by id; nil: none.
    private var sameTime: SameTimeRange?
    /// The second of the import, or of a later cursor. Entries with later times are placed in this second.
    private var latest = 0
    /// The counts to add to the next batch.
    private var leftOut: [LeftOut: Int] = [:]
    /// Entries without an id or a time.
    private var unplaced: Set<String> = []

    private enum Step { case read, starred, unread, end }

    private struct State: Codable {
        var read = Cursor()
        var starred = Cursor()
        /// Whether a run reached the end.
        var isComplete = false
        /// A smaller number of entries to request at once, after a response was too large; nil: the page size.
        var most: Int?
    }

    /// A position among the entries, which are ordered by the time of their last change.
    private struct Cursor: Codable {
        /// Entries that changed before this second were returned. Counted from 1970.
        var second = 0
        /// Entries of this second that were returned.
        var ids: Set<Int> = []
        /// Whether entries of exactly this second (with a fraction of 0) were returned, so that only later ones need be
        /// requested.
        var isBegun = false
    }

    /// A range of seconds whose entries are listed by id instead, because there are more of them than fit on a page, or
    /// one is too large.
    private struct SameTimeRange {
        /// The last second of the range.
        let end: Int
        /// The id of the last entry that was received.
        var last = 0
        /// The number of entries after it that are too large to receive.
        var skipped = 0
        /// The server's count of entries.
        var count: Int?
    }

    /// The most entries in a row that may be too large.
    private static let mostSkipped = 20

    /// The most entries of a response. A server may send fewer.
    private static let pageSize = 100

    init(_ account: ServerAccount) { self.account = account }

    fileprivate static func header(_ credentials: Credentials) async throws -> (name: String, value: String) {
        (name: "X-Auth-Token", value: try await credentials.key().revealed())
    }

    func next(previousImport: Date?) async throws -> ImportBatch? {
        if state == nil { try await open(previousImport) }
        while step != .end {
            guard var batch = try await advance() else { continue }
            batch.leftOut.merge(leftOut, uniquingKeysWith: +)
            leftOut = [:]
            return batch
        }
        state?.value.isComplete = true
        return nil
    }

    func noteStored(isLast: Bool) throws { try state?.save(isLast: isLast) }

    private func open(_ previousImport: Date?) async throws {
        account.connection.headers = [try await Self.header(account.credentials)]
        var state = try SyncCursor(origin, in: account.memory, initial: State())
        let today = Int(now.timeIntervalSince1970.rounded(.down))
        latest = max(today, state.value.read.second, state.value.starred.second)
        // Starts over if the local history was replaced or deleted, or if a wrong clock has left a cursor in the
        // future, after which nothing would be listed.
        if previousImport == nil && state.value.isComplete || latest > today + 86_400 {
            state.value = State()
            latest = today
        }
        self.state = state
    }

    /// Requests one page; nil if it held nothing.
    private func advance() async throws -> ImportBatch? {
        switch step {
        case .read:
            let page = try await page("status=read", from: state?.value.read ?? Cursor())
            state?.value.read = page.cursor
            if page.isLast { step = .starred }
            return page.entries.isEmpty ? nil : batch(page.entries, areTogether: page.areTogether)
        case .starred:
            let page = try await page("status=unread&starred=true", from: state?.value.starred ?? Cursor())
            state?.value.starred = page.cursor
            if page.isLast { step = .unread }
            guard !page.entries.isEmpty else { return nil }
            var batch = ImportBatch()
            for entry in page.entries { batch.add(star: entry.draft, savedAt: min(entry.changedAt, now)) }
            return batch
        case .unread:
            step = .end
            let answer = try await connection.json("/v1/entries?status=unread&limit=1")
            return ImportBatch(unread: JSONObject(answer)?.count("total") ?? 0)
        case .end: return nil
        }
    }

    // MARK: Pages

    private struct Page {
        var entries: [Entry] = []
        var cursor: Cursor
        var isLast = false
        /// Whether these entries are a part of more that were marked in bulk.
        var areTogether = false
    }

    /// The second of an entry's position. An entry with a time in the future takes the position of the import. So each
    /// import returns it again until that time.
    private func second(_ entry: Entry) -> Int { min(entry.second, latest) }

    /// The entries of the next seconds, each second whole, so that those marked in bulk are together.
    private func page(_ filter: String, from cursor: Cursor) async throws -> Page {
        if let sameTime { return try await page(filter, of: sameTime, from: cursor) }
        // `changed_after` is exclusive, and times have fractions.
        let moment = cursor.isBegun ? cursor.second : cursor.second - 1
        let query = "\(filter)&order=changed_at&direction=asc" + (cursor.second > 0 ? "&changed_after=\(moment)" : "")
        let answer: Answer
        do {
            answer = try await entries(query)
        } catch let error as PulseError where error.isTooLarge {
            return try await pageAfterOversized(query, from: cursor, error)
        }
        guard let last = answer.entries.last else {
            guard answer.isLast else { throw connection.strange }
            return Page(cursor: cursor, isLast: true)
        }
        let fresh = answer.entries.filter {
            second($0) > cursor.second || second($0) == cursor.second && !cursor.ids.contains($0.id)
        }
        let end = second(last)
        if answer.isLast {
            guard end >= cursor.second else { return Page(cursor: cursor, isLast: true) }
            var next = end == cursor.second ? cursor : Cursor(second: end)
            next.ids.formUnion(fresh.filter { second($0) == end }.map(\.id))
            return Page(entries: fresh, cursor: next, isLast: true)
        }
        guard end >= cursor.second else { throw tooOld }
        if end == cursor.second {
            sameTime = SameTimeRange(end: end)
            return Page(cursor: cursor)
        }
        return Page(entries: fresh.filter { second($0) < end }, cursor: Cursor(second: end))
    }

    /// Called if the next entry alone is too large, so that the time of its change is unknown: from here to the entry
    /// after it, entries are listed by id.
    private func pageAfterOversized(_ query: String, from cursor: Cursor, _ failure: PulseError) async throws -> Page {
        for skipped in 1...Self.mostSkipped {
            do {
                guard let next = try await entries(query, skipping: skipped).entries.first else {
                    leftOut[.tooLong, default: 0] += skipped
                    return Page(cursor: cursor, isLast: true)
                }
                guard second(next) >= cursor.second else { throw tooOld }
                sameTime = SameTimeRange(end: second(next))
                return Page(cursor: cursor)
            } catch let error as PulseError where error.isTooLarge {
            }
        }
        throw failure
    }

    /// The range's entries by id, an order that does not change, and those of exactly the following second, so that the
    /// next request can begin after it.
    private func page(_ filter: String, of sameTime: SameTimeRange, from cursor: Cursor) async throws -> Page {
        var query = "\(filter)&order=id&direction=asc"
        if cursor.second > 0 { query += "&changed_after=\(cursor.second - 1)" }
        // Future entries are in the current second.
        let isOpen = sameTime.end >= latest
        if !isOpen { query += "&changed_before=\(sameTime.end + 2)" }
        if sameTime.last > 0 { query += "&after_entry_id=\(sameTime.last)" }
        var sameTime = sameTime
        let answer: Answer
        do {
            answer = try await entries(query, skipping: sameTime.skipped)
        } catch let error as PulseError where error.isTooLarge && sameTime.skipped < Self.mostSkipped {
            leftOut[.tooLong, default: 0] += 1
            sameTime.skipped += 1
            self.sameTime = sameTime
            return Page(cursor: cursor)
        }
        guard answer.entries.allSatisfy({ (isOpen || $0.second < sameTime.end + 2) && $0.id > sameTime.last }) else {
            throw tooOld
        }
        let next = Double(sameTime.end + 1)
        let fresh = answer.entries.filter {
            let isHere = (cursor.second...sameTime.end).contains(second($0))
            return (isHere || $0.changedAt.timeIntervalSince1970 == next) && !cursor.ids.contains($0.id)
        }
        sameTime.count = sameTime.count ?? answer.total
        let areTogether = sameTime.count ?? .max >= ImportBatch.fewestInBulk
        let ids = Set(fresh.map(\.id))
        guard !answer.isLast else {
            self.sameTime = nil
            let end =
                isOpen
                ? Cursor(second: sameTime.end, ids: cursor.ids.union(ids))
                : Cursor(
                    second: sameTime.end + 1, ids: Set(fresh.filter { $0.second > sameTime.end }.map(\.id)),
                    isBegun: true)
            return Page(entries: fresh, cursor: end, isLast: isOpen, areTogether: areTogether)
        }
        guard let last = answer.entries.last else { throw connection.strange }
        (sameTime.last, sameTime.skipped) = (last.id, 0)
        self.sameTime = sameTime
        var end = cursor
        end.ids.formUnion(ids)
        return Page(entries: fresh, cursor: end, areTogether: areTogether)
    }

    private var tooOld: PulseError {
        PulseError(
            .unavailable, "\(connection.host) does not list entries by the time of their last change.",
            hint: "Update Miniflux to version 2.0.49 or later.", cause: "\(connection.host): changed_after is ignored")
    }

    private struct Answer {
        let entries: [Entry]
        let isLast: Bool
        let total: Int?
    }

    /// Requests as many entries as a response may hold. Throws an error with `isTooLarge` if one entry alone is too
    /// large.
    private func entries(_ query: String, skipping skipped: Int = 0) async throws -> Answer {
        while true {
            let most = state?.value.most ?? Self.pageSize
            do {
                let answer = try await answer(to: "limit=\(most)&\(query)", most, skipped)
                state?.value.most = most * 2 < Self.pageSize ? most * 2 : nil
                return answer
            } catch let error as PulseError where error.shouldRequestLess && most > 1 {
                state?.value.most = max(1, most / 4)
                // After a timeout the run ends; the next run requests fewer entries.
                guard error.isTooLarge else { throw error }
            }
        }
    }

    private func answer(to query: String, _ most: Int, _ skipped: Int) async throws -> Answer {
        let offset = skipped > 0 ? "&offset=\(skipped)" : ""
        let answer = JSONObject(try await connection.json("/v1/entries?\(query)\(offset)"))
        guard let answer, answer.has("entries") else { throw connection.strange }
        let objects = answer.objects("entries")
        // Counts all elements, as the server does.
        let count = (answer.value("entries") as? [Any])?.count ?? 0
        let entries = objects.compactMap { Entry($0, of: origin, now: now) }
        if entries.count < objects.count {
            leftOut[.unplaced, default: 0] += objects.count {
                Entry($0, of: origin, now: now) == nil && unplaced.insert($0.text("id") ?? "").inserted
            }
        }
        // The total ignores the limit.
        let total = answer.integer("total")
        let isLast = total.map { $0 <= count + skipped } ?? (count < most)
        return Answer(entries: entries, isLast: isLast || objects.isEmpty, total: total)
    }

    // MARK: Entries

    private struct Entry {
        let id: Int
        let changedAt: Date
        /// Marked as read by the server on arrival.
        let isReadAtArrival: Bool
        let isStarred: Bool
        private(set) var draft: ArticleDraft

        var second: Int { Int(changedAt.timeIntervalSince1970.rounded(.down)) }

        /// Nil if it has no id or no time of change. Every entry has both.
        init?(_ fields: JSONObject, of origin: String, now: Date) {
            guard let id = fields.integer("id"),
                let changedAt = fields.text("changed_at").flatMap({ Timestamp.parse($0, now: now) }),
                changedAt.timeIntervalSince1970 > 0
            else { return nil }
            self.id = id
            self.changedAt = changedAt
            let createdAt = fields.text("created_at").flatMap { Timestamp.parse($0, now: now) }
            isReadAtArrival = createdAt.map { abs($0.timeIntervalSince(changedAt)) < 1 } ?? false
            isStarred = fields.flag("starred") ?? false
            let feed = fields.object("feed")
            draft = ArticleDraft(
                url: fields.text("url"), title: fields.text("title") ?? "", content: fields.text("content") ?? "",
                contentForm: .html, author: fields.text("author"), source: feed?.text("title") ?? "",
                category: feed?.object("category")?.text("title"), language: fields.text("language"),
                publishedAt: SourceTime.parse(fields.text("published_at"), now: now))
            draft.fit(id.description, of: origin, feed: feed?.text("feed_url"))
        }
    }

    private func batch(_ entries: [Entry], areTogether: Bool) -> ImportBatch {
        var batch = ImportBatch()
        let counts = Dictionary(grouping: entries, by: \.second).mapValues(\.count)
        for entry in entries {
            let draft = entry.draft
            let isBulk = areTogether || counts[entry.second, default: 0] >= ImportBatch.fewestInBulk
            let changedAt = min(entry.changedAt, now)
            let isExact = !isBulk && !entry.isReadAtArrival && SourceTime.plausible(entry.changedAt, now: now) != nil
            batch.add(
                draft, readAt: isExact ? changedAt : min(draft.publishedAt ?? changedAt, changedAt), isExact: isExact,
                isBulk: isBulk, origin: origin)
            if entry.isStarred { batch.add(star: draft, savedAt: nil) }
        }
        return batch
    }
}
