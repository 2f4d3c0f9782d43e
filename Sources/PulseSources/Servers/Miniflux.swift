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
    /// The last entry of a second that has more of them than a page; nil: none has.
    private var crowded: Int?

    private enum Step { case read, starred, unread, end }

    /// How far an earlier run came.
    private struct State: Codable {
        var read = Place()
        var starred = Place()
        /// Whether a run came to its end.
        var isComplete = false
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
        while true {
            if let batch = try await advance() { return batch }
            if step == .end { break }
        }
        state?.value.isComplete = true
        return nil
    }

    func noteStored(isLast: Bool) throws(PulseError) { try state?.save(isLast: isLast) }

    private func open(_ previousImport: Date?) async throws(PulseError) {
        headers = [Self.header(try await credentials.key().revealed())]
        var state = try Remembered(origin, in: memory, initial: State())
        // The history is another one, or was deleted.
        if previousImport == nil, state.value.isComplete { state.value = State() }
        self.state = state
    }

    /// Takes one step; nil where it gave nothing.
    private func advance() async throws(PulseError) -> ImportBatch? {
        switch step {
        case .read:
            let page = try await page("status=read", from: state?.value.read ?? Place())
            state?.value.read = page.place
            if page.isLast { step = .starred }
            return page.entries.isEmpty ? nil : batch(page.entries, areTogether: page.isCrowded)
        case .starred:
            let page = try await page("status=unread&starred=true", from: state?.value.starred ?? Place())
            state?.value.starred = page.place
            if page.isLast { step = .unread }
            guard !page.entries.isEmpty else { return nil }
            var batch = ImportBatch()
            for entry in page.entries {
                var draft = entry.draft
                draft.fit(entry.id.description, of: origin)
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
        var entries: [Entry]
        var place: Place
        var isLast: Bool
        /// Whether these are a part of what was marked in one second.
        var isCrowded = false
    }

    /// The entries that come next, in whole seconds, so that it is seen which were marked together.
    private func page(_ filter: String, from place: Place) async throws(PulseError) -> Page {
        if let crowded { return try await crowdedPage(filter, place, after: crowded) }
        // `changed_after` leaves out its own moment, and times have fractions.
        let moment = place.isBegun ? place.second : place.second - 1
        let after = place.second > 0 ? "&changed_after=\(moment)" : ""
        let answer = try await entries("\(filter)&order=changed_at&direction=asc\(after)")
        guard let last = answer.entries.last else { return Page(entries: [], place: place, isLast: true) }
        let fresh = answer.entries.filter {
            $0.second > place.second || $0.second == place.second && !place.ids.contains($0.id)
        }
        if answer.isLast {
            guard last.second >= place.second else { return Page(entries: [], place: place, isLast: true) }
            var end = last.second == place.second ? place : Place(second: last.second)
            end.ids.formUnion(fresh.filter { $0.second == last.second }.map(\.id))
            return Page(entries: fresh, place: end, isLast: true)
        }
        guard last.second >= place.second else { throw tooOld }
        if last.second == place.second {
            crowded = 0
            return Page(entries: [], place: place, isLast: false)
        }
        return Page(
            entries: fresh.filter { $0.second < last.second }, place: Place(second: last.second), isLast: false)
    }

    /// The entries of one second in the order of their ids, which does not change; and those of the very beginning of
    /// the next, so that it can be asked for what is later.
    private func crowdedPage(_ filter: String, _ place: Place, after id: Int) async throws(PulseError) -> Page {
        let answer = try await entries(
            "\(filter)&order=id&direction=asc&changed_after=\(place.second - 1)&changed_before=\(place.second + 2)"
                + (id > 0 ? "&after_entry_id=\(id)" : ""))
        guard answer.entries.allSatisfy({ $0.second < place.second + 2 && $0.id > id }) else { throw tooOld }
        let next = Double(place.second + 1)
        let fresh = answer.entries.filter {
            ($0.second == place.second || $0.changedAt.timeIntervalSince1970 == next) && !place.ids.contains($0.id)
        }
        guard !answer.isLast, let last = answer.entries.last else {
            crowded = nil
            let begun = fresh.filter { $0.second > place.second }.map(\.id)
            return Page(
                entries: fresh, place: Place(second: place.second + 1, ids: Set(begun), isBegun: true), isLast: false,
                isCrowded: true)
        }
        crowded = last.id
        var end = place
        end.ids.formUnion(fresh.map(\.id))
        return Page(entries: fresh, place: end, isLast: false, isCrowded: true)
    }

    private var tooOld: PulseError {
        PulseError(
            .unavailable, "\(connection.host) does not list entries by the time of their last change.",
            hint: "Miniflux 2.0.49 or later does.", cause: "\(connection.host): changed_after is ignored")
    }

    private func entries(_ query: String) async throws(PulseError) -> (entries: [Entry], isLast: Bool) {
        let answer = JSONObject(
            try await connection.json("/v1/entries?limit=\(pageSize)&\(query)", headers: headers))
        guard let answer, answer.has("entries") else {
            throw connection.strange
        }
        let entries = answer.objects("entries")
        // Of any kind, as the server counts them.
        let count = (answer.value("entries") as? [Any])?.count ?? 0
        // The total is that of the query, without its limit.
        let isLast = answer.integer("total").map { $0 <= count } ?? (count < pageSize)
        return (entries.compactMap { Entry($0, now: now) }, isLast || entries.isEmpty)
    }

    // MARK: Entries

    private struct Entry {
        let id: Int
        let changedAt: Date
        /// Marked as read by the server itself, when it came.
        let isReadAtArrival: Bool
        let isStarred: Bool
        let draft: ArticleDraft

        var second: Int { Int(changedAt.timeIntervalSince1970.rounded(.down)) }

        /// Nil where it has no id or no time of change, which every entry has.
        init?(_ fields: JSONObject, now: Date) {
            guard let id = fields.integer("id"),
                let changedAt = fields.text("changed_at").flatMap({ Timestamp.parse($0, now: now) })
            else { return nil }
            self.id = id
            self.changedAt = changedAt
            let createdAt = fields.text("created_at").flatMap { Timestamp.parse($0, now: now) }
            isReadAtArrival = createdAt.map { abs($0.timeIntervalSince(changedAt)) < 1 } ?? false
            isStarred = (fields.flag("starred") ?? false)
            let feed = fields.object("feed")
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
            draft.fit(entry.id.description, of: origin)
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
