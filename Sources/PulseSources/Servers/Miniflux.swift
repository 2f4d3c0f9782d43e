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
        signIn: { connection, credentials throws(PulseError) in
            let key = try await credentials.key().revealed()
            let me = try await connection.json("/v1/me", headers: [MinifluxServer.header(key)])
            guard let user = JSONObject(me)?.text("username"), user == PlainText.line(user, limit: 200) else {
                throw connection.strange
            }
            return (connection.address, user)
        },
        open: { MinifluxServer($0) })
}

/// What was read on a Miniflux server (https://miniflux.app/docs/api.html).
///
/// Entries come in the order of their last change: marked as read or unread, starred or not. Pages are asked for by
/// time and not by number, since an entry that changes meanwhile moves to the end and the others move up.
final class MinifluxServer: ArticleSource {
    let origin: String
    var name: String { connection.address }

    private let connection: ServerConnection
    private let credentials: Credentials
    private let memory: any SourceMemory
    private let now: Date
    private let pageSize: Int
    private var state: Remembered<State>?
    private var headers: [(name: String, value: String)] = []
    private var step = Step.read
    /// What is being asked for by ids; nil: nothing.
    private var crowd: Crowd?
    /// The second of the import, or a place that is later: no entry's time counts as later than that.
    private var latest = 0
    /// What is to be told with the next batch.
    private var leftOut: [LeftOut: Int] = [:]
    /// Entries without an id or a time.
    private var unplaced: Set<String> = []

    private enum Step { case read, starred, unread, end }

    /// How far an earlier run came.
    private struct State: Codable {
        var read = Place()
        var starred = Place()
        /// Whether a run came to its end.
        var isComplete = false
        /// How many entries to ask for at once, where an answer was too much; nil: as many as usual.
        var most: Int?
    }

    /// A place among entries that are in the order of their last change.
    private struct Place: Codable {
        /// What changed before this second since 1970 was handed out.
        var second = 0
        /// And these of this second.
        var ids: Set<Int> = []
        /// Whether what the second begins with was handed out: only what is later than that need be asked for.
        var isBegun = false
    }

    /// The seconds from a place on whose entries are asked for in the order of their ids: there are more of them than a
    /// page has, or one of them is too long.
    private struct Crowd {
        /// The last of its seconds.
        let end: Int
        /// The last entry that came.
        var last = 0
        /// How many behind that are too long to come.
        var skipped = 0
        /// How many there are, as the server says.
        var count: Int?
    }

    /// Behind as many that are too long, one after another, nothing is looked for.
    private static let mostSkipped = 20

    /// - Parameter pageSize: how many entries to ask for at once; the server may give fewer.
    init(_ account: ServerAccount, pageSize: Int = 100) {
        origin = account.origin
        connection = account.connection
        credentials = account.credentials
        memory = account.memory
        now = account.now
        self.pageSize = pageSize
    }

    static func header(_ key: String) -> (name: String, value: String) { (name: "X-Auth-Token", value: key) }

    func next(previousImport: Date?) async throws(PulseError) -> ImportBatch? {
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

    func noteStored(isLast: Bool) throws(PulseError) { try state?.save(isLast: isLast) }

    private func open(_ previousImport: Date?) async throws(PulseError) {
        headers = [Self.header(try await credentials.key().revealed())]
        var state = try Remembered(origin, in: memory, initial: State())
        let today = Int(now.timeIntervalSince1970.rounded(.down))
        latest = max(today, state.value.read.second, state.value.starred.second)
        // The history is another one, or was deleted. Or a clock was wrong: behind such a place nothing would come.
        if previousImport == nil && state.value.isComplete || latest > today + 86_400 {
            state.value = State()
            latest = today
        }
        self.state = state
    }

    /// Takes one step; nil where it gave nothing.
    private func advance() async throws(PulseError) -> ImportBatch? {
        switch step {
        case .read:
            let page = try await page("status=read", from: state?.value.read ?? Place())
            state?.value.read = page.place
            if page.isLast { step = .starred }
            return page.entries.isEmpty ? nil : batch(page.entries, areTogether: page.areTogether)
        case .starred:
            let page = try await page("status=unread&starred=true", from: state?.value.starred ?? Place())
            state?.value.starred = page.place
            if page.isLast { step = .unread }
            guard !page.entries.isEmpty else { return nil }
            var batch = ImportBatch()
            for entry in page.entries {
                var draft = entry.draft
                draft.fit(entry.id.description, of: origin, feed: entry.feed)
                batch.add(star: draft, savedAt: min(entry.changedAt, now))
            }
            return batch
        case .unread:
            step = .end
            let answer = try await connection.json("/v1/entries?status=unread&limit=1", headers: headers)
            var batch = ImportBatch()
            batch.unread = JSONObject(answer)?.integer("total") ?? 0
            return batch
        case .end: return nil
        }
    }

    // MARK: Pages

    private struct Page {
        var entries: [Entry] = []
        var place: Place
        var isLast = false
        /// Whether these are a part of what was marked in one second.
        var areTogether = false
    }

    /// The second by which an entry has its place. An entry whose time has not come yet is handed out now and, since its
    /// place is that of the import, with each import until then.
    private func second(_ entry: Entry) -> Int { min(entry.second, latest) }

    /// The entries that come next, in whole seconds, so that it is seen which were marked together.
    private func page(_ filter: String, from place: Place) async throws(PulseError) -> Page {
        if let crowd { return try await page(filter, of: crowd, from: place) }
        // `changed_after` leaves out its own moment, and times have fractions.
        let moment = place.isBegun ? place.second : place.second - 1
        let query = "\(filter)&order=changed_at&direction=asc" + (place.second > 0 ? "&changed_after=\(moment)" : "")
        let answer: Answer
        do throws(PulseError) {
            answer = try await entries(query)
        } catch {
            guard error.isTooLarge else { throw error }
            return try await pageOfTheTooLong(query, from: place, error)
        }
        guard let last = answer.entries.last else {
            guard answer.isLast else { throw connection.strange }
            return Page(place: place, isLast: true)
        }
        let fresh = answer.entries.filter {
            second($0) > place.second || second($0) == place.second && !place.ids.contains($0.id)
        }
        let end = second(last)
        if answer.isLast {
            guard end >= place.second else { return Page(place: place, isLast: true) }
            var next = end == place.second ? place : Place(second: end)
            next.ids.formUnion(fresh.filter { second($0) == end }.map(\.id))
            return Page(entries: fresh, place: next, isLast: true)
        }
        guard end >= place.second else { throw tooOld }
        if end == place.second {
            crowd = Crowd(end: end)
            return Page(place: place)
        }
        return Page(entries: fresh.filter { second($0) < end }, place: Place(second: end))
    }

    /// The next entry is too long by itself, and when it changed is not known: from here to the one behind it, entries
    /// are asked for by their ids.
    private func pageOfTheTooLong(
        _ query: String, from place: Place, _ fault: PulseError
    ) async throws(PulseError) -> Page {
        for skipped in 1...Self.mostSkipped {
            do throws(PulseError) {
                guard let next = try await entries(query, skipping: skipped).entries.first else {
                    leftOut[.tooLong, default: 0] += skipped
                    return Page(place: place, isLast: true)
                }
                guard second(next) >= place.second else { throw tooOld }
                crowd = Crowd(end: second(next))
                return Page(place: place)
            } catch {
                guard error.isTooLarge else { throw error }
            }
        }
        throw fault
    }

    /// The entries of a crowd in the order of their ids, which does not change; and those of the very beginning of the
    /// second behind it, so that it can be asked for what is later.
    private func page(_ filter: String, of crowd: Crowd, from place: Place) async throws(PulseError) -> Page {
        var query = "\(filter)&order=id&direction=asc"
        if place.second > 0 { query += "&changed_after=\(place.second - 1)" }
        // What is later than now has the place of now.
        let isOpen = crowd.end >= latest
        if !isOpen { query += "&changed_before=\(crowd.end + 2)" }
        if crowd.last > 0 { query += "&after_entry_id=\(crowd.last)" }
        var crowd = crowd
        let answer: Answer
        do throws(PulseError) {
            answer = try await entries(query, skipping: crowd.skipped)
        } catch {
            guard error.isTooLarge, crowd.skipped < Self.mostSkipped else { throw error }
            leftOut[.tooLong, default: 0] += 1
            crowd.skipped += 1
            self.crowd = crowd
            return Page(place: place)
        }
        guard answer.entries.allSatisfy({ (isOpen || $0.second < crowd.end + 2) && $0.id > crowd.last }) else {
            throw tooOld
        }
        let next = Double(crowd.end + 1)
        let fresh = answer.entries.filter {
            let isHere = (place.second...crowd.end).contains(second($0))
            return (isHere || $0.changedAt.timeIntervalSince1970 == next) && !place.ids.contains($0.id)
        }
        crowd.count = crowd.count ?? answer.total
        let areTogether = crowd.count ?? .max >= ImportBatch.fewestInBulk
        let ids = Set(fresh.map(\.id))
        guard !answer.isLast else {
            self.crowd = nil
            let end =
                isOpen
                ? Place(second: crowd.end, ids: place.ids.union(ids))
                : Place(
                    second: crowd.end + 1, ids: Set(fresh.filter { $0.second > crowd.end }.map(\.id)), isBegun: true)
            return Page(entries: fresh, place: end, isLast: isOpen, areTogether: areTogether)
        }
        guard let last = answer.entries.last else { throw connection.strange }
        (crowd.last, crowd.skipped) = (last.id, 0)
        self.crowd = crowd
        var end = place
        end.ids.formUnion(ids)
        return Page(entries: fresh, place: end, areTogether: areTogether)
    }

    private var tooOld: PulseError {
        PulseError(
            .unavailable, "\(connection.host) does not list entries by the time of their last change.",
            hint: "Miniflux 2.0.49 or later does.", cause: "\(connection.host): changed_after is ignored")
    }

    private struct Answer {
        let entries: [Entry]
        let isLast: Bool
        /// How many the query has.
        let total: Int?
    }

    /// As many entries as an answer may hold; where one is too long by itself, throws what `isTooLarge`.
    private func entries(_ query: String, skipping skipped: Int = 0) async throws(PulseError) -> Answer {
        while true {
            let most = state?.value.most ?? pageSize
            do throws(PulseError) {
                let answer = try await answer(to: "limit=\(most)&\(query)", most, skipped)
                state?.value.most = most * 2 < pageSize ? most * 2 : nil
                return answer
            } catch {
                guard error.wantsLess, most > 1 else { throw error }
                state?.value.most = max(1, most / 4)
                // A server that was too slow has had its time; it is asked for less by the next import.
                guard error.isTooLarge else { throw error }
            }
        }
    }

    private func answer(to query: String, _ most: Int, _ skipped: Int) async throws(PulseError) -> Answer {
        let offset = skipped > 0 ? "&offset=\(skipped)" : ""
        let answer = JSONObject(try await connection.json("/v1/entries?\(query)\(offset)", headers: headers))
        guard let answer, answer.has("entries") else {
            throw connection.strange
        }
        let objects = answer.objects("entries")
        // Of any kind, as the server counts them.
        let count = (answer.value("entries") as? [Any])?.count ?? 0
        let entries = objects.compactMap { Entry($0, now: now) }
        if entries.count < objects.count {
            let isNew = objects.count {
                Entry($0, now: now) == nil && unplaced.insert($0.text("id") ?? "").inserted
            }
            leftOut[.unplaced, default: 0] += isNew
        }
        // The total is that of the query, without its limit.
        let total = answer.integer("total")
        let isLast = total.map { $0 <= count + skipped } ?? (count < most)
        return Answer(entries: entries, isLast: isLast || objects.isEmpty, total: total)
    }

    // MARK: Entries

    private struct Entry {
        let id: Int
        let changedAt: Date
        /// Marked as read by the server itself, when it came.
        let isReadAtArrival: Bool
        let isStarred: Bool
        /// The feed's address.
        let feed: String?
        let draft: ArticleDraft

        var second: Int { Int(changedAt.timeIntervalSince1970.rounded(.down)) }

        /// Nil where it has no id or no time of change, which every entry has.
        init?(_ fields: JSONObject, now: Date) {
            guard let id = fields.integer("id"),
                let changedAt = fields.text("changed_at").flatMap({ Timestamp.parse($0, now: now) }),
                changedAt.timeIntervalSince1970 > 0
            else { return nil }
            self.id = id
            self.changedAt = changedAt
            let createdAt = fields.text("created_at").flatMap { Timestamp.parse($0, now: now) }
            isReadAtArrival = createdAt.map { abs($0.timeIntervalSince(changedAt)) < 1 } ?? false
            isStarred = (fields.flag("starred") ?? false)
            let feed = fields.object("feed")
            self.feed = feed?.text("feed_url")
            draft = ArticleDraft(
                url: fields.text("url"), title: fields.text("title") ?? "", content: fields.text("content") ?? "",
                contentForm: .html, author: fields.text("author"), source: feed?.text("title") ?? "",
                category: feed?.object("category")?.text("title"), language: fields.text("language"),
                publishedAt: SourceTime.parse(fields.text("published_at"), now: now))
        }
    }

    private func batch(_ entries: [Entry], areTogether: Bool) -> ImportBatch {
        var batch = ImportBatch()
        let counts = Dictionary(grouping: entries, by: \.second).mapValues(\.count)
        for entry in entries {
            var draft = entry.draft
            draft.fit(entry.id.description, of: origin, feed: entry.feed)
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

extension LeftOut {
    fileprivate static let unplaced = LeftOut(words: "without an id or a time of their last change")
}
