import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform

/// A server that lists read articles without their reading times.
protocol ListingServer: AnyObject {
    var itemsPerRequest: Int { get }

    /// Signs in and returns the lists to read. Called once, before the others.
    /// - Parameter lastRun: when a run last reached the end; nil: never.
    func open(lastRun: Date?) async throws -> [ServerList]
    /// A page of a list.
    /// - Parameter cursor: `next` of the previous page; nil: the first page.
    func page(of list: ServerList, at cursor: String?) async throws -> ServerPage
    /// The articles with these ids, in any order. Deleted ones are missing.
    func items(_ ids: [String]) async throws -> [ServerItem]
    /// The number of unread articles; nil if the server has no cheap call for it.
    func unread() async throws -> Int?
}

struct ServerList {
    /// The server's name for it.
    let name: String
    var isStarred = false
    /// Ordered from the last read to the first: after a page without new articles there are no more.
    var isNewestFirst = false
    /// Whether all of it was read within the last day.
    var isOfLastDay = false
}

struct ServerPage {
    var ids: [String] = []
    /// Articles that came with the list and need not be requested.
    var items: [ServerItem] = []
    /// The number of listed articles that are excluded, by reason.
    var leftOut: [LeftOut: Int] = [:]
    /// The cursor of the next page; nil: this was the last.
    var next: String?
}

struct ServerItem {
    /// The id in the lists.
    let id: String
    let draft: ArticleDraft
    /// The server's id of the feed.
    let feed: String
    /// The feed's URL or a substitute for it; nil if the server reports neither.
    var address: String?
    var isRead = true
    var isStarred = false
}

/// Articles that are new in a server's lists since the last run, for servers without reading times.
///
/// For the reading times see `ImportBatch.approximateTime`. Articles that were marked in bulk get the time of
/// publication.
final class DiffingSource: ArticleSource {
    var origin: String { account.origin }
    var name: String { account.connection.address }

    private let account: ServerAccount
    private var now: Date { account.now }
    private let server: any ListingServer
    private var state: SyncCursor<State>?
    private var lists: [ServerList] = []
    /// The cursor of the current list; nil: its first page.
    private var cursor: String?
    /// The ids of the current page that are still to be requested.
    private var ids: ArraySlice<String> = []
    /// The articles that came with the current page, by id.
    private var itemsAtHand: [String: ServerItem] = [:]
    /// All ids of the current list so far.
    private var listedHere: Set<String> = []
    /// The cursors of the current list so far.
    private var cursors: Set<String> = []
    private var emptyPages = 0
    /// Ids that were listed and requested in this run, but not sent.
    private var unsent: Set<String> = []
    private var isAtEnd = false
    /// All ids that were listed in this run.
    private var listed = Marks()
    private var hasWholeLists = true

    private struct Marks: Codable {
        var read: Set<String> = []
        var starred: Set<String> = []

        subscript(isStarred: Bool) -> Set<String> {
            get { isStarred ? starred : read }
            set { if isStarred { starred = newValue } else { read = newValue } }
        }

        /// Unlike the subscript, this does not copy the set.
        mutating func add(_ ids: some Sequence<String>, _ isStarred: Bool) {
            if isStarred { starred.formUnion(ids) } else { read.formUnion(ids) }
        }
    }

    private struct State: Codable {
        /// Ids returned by complete runs.
        var known = Marks()
        /// Ids returned since then, by incomplete runs. They do not end a list, since the articles after them may be
        /// new.
        var recent = Marks()
        /// When a run last reached the end.
        var lastRun: Date?
        /// The number of runs in which an id was requested and not sent.
        var tries: [String: Int]?
        /// A smaller number of articles to request at once, after a response was too large; nil: `itemsPerRequest`.
        var most: Int?

        func has(_ id: String, _ isStarred: Bool) -> Bool {
            known[isStarred].contains(id) || recent[isStarred].contains(id)
        }
    }

    init(_ account: ServerAccount, _ server: any ListingServer) {
        self.account = account
        self.server = server
    }

    func next(previousImport: Date?) async throws -> ImportBatch? {
        if state == nil { try await open(previousImport) }
        while let list = lists.first {
            if !ids.isEmpty { return try await batch(list, previousImport) }
            if let batch = try await nextPage(of: list) { return batch }
        }
        if !isAtEnd {
            isAtEnd = true
            let unread = try await server.unread() ?? 0
            if unread > 0 { return ImportBatch(unread: unread) }
        }
        finish()
        return nil
    }

    func noteStored(isLast: Bool) throws { try state?.save(isLast: isLast) }

    private func open(_ previousImport: Date?) async throws {
        // Without a previous import, the local history was replaced or deleted.
        let state = try SyncCursor(origin, in: account.memory, initial: State()) {
            previousImport == nil && $0.lastRun != nil
        }
        lists = try await server.open(lastRun: state.value.lastRun)
        hasWholeLists = !lists.contains(where: \.isNewestFirst)
        self.state = state
    }

    private func finish() {
        guard var value = state?.value else { return }
        let tries = unsent.map { ($0, (value.tries?[$0] ?? 0) + 1) }.filter { $0.1 < Self.mostTries }
        value.tries = tries.isEmpty ? nil : Dictionary(uniqueKeysWithValues: tries)
        for isStarred in [false, true] {
            // Ids that the server no longer lists need not be stored.
            value.known[isStarred] =
                (hasWholeLists
                ? listed[isStarred] : value.known[isStarred].union(value.recent[isStarred]).union(unsent))
                .subtracting(tries.map(\.0))
        }
        value.recent = Marks()
        value.lastRun = now
        state?.value = value
    }

    /// A listed article that is not sent may be gone, or the server may be in trouble. It is requested in this many
    /// runs.
    private static let mostTries = 7

    /// Reads the next page of a list. Returns a batch only if some of the page is excluded.
    private func nextPage(of list: ServerList) async throws -> ImportBatch? {
        let page = try await server.page(of: list, at: cursor)
        let all = page.ids + page.items.map(\.id)
        var seen: Set<String> = []
        ids =
            all.filter {
                !(state?.value.has($0, list.isStarred) ?? false) && !unsent.contains($0) && seen.insert($0).inserted
            }[...]
        itemsAtHand = Dictionary(page.items.map { ($0.id, $0) }) { first, _ in first }
        // A server that repeats ids or sends none is treated as being at the end.
        emptyPages = all.isEmpty ? emptyPages + 1 : 0
        let isNew = all.isEmpty ? emptyPages < Self.mostEmptyPages : !listedHere.isSuperset(of: all)
        listedHere.formUnion(all)
        listed.add(all, list.isStarred)
        let known = state?.value.known[list.isStarred] ?? []
        let isKnown = list.isNewestFirst && !all.isEmpty && known.isSuperset(of: all)
        cursor = isNew && !isKnown ? page.next.flatMap { cursors.insert($0).inserted ? $0 : nil } : nil
        if cursor == nil, ids.isEmpty { leaveList() }
        return page.leftOut.isEmpty ? nil : ImportBatch(leftOut: page.leftOut)
    }

    private func leaveList() {
        lists.removeFirst()
        (listedHere, cursors, emptyPages) = ([], [], 0)
    }

    /// Tiny Tiny RSS has pages of 200 articles, which are empty here if all of them are unread. After this many in a
    /// row, the server must be ignoring the cursor.
    private static let mostEmptyPages = 1000

    /// The next articles of the current page.
    private func batch(_ list: ServerList, _ previousImport: Date?) async throws -> ImportBatch {
        let most = state?.value.most ?? server.itemsPerRequest
        let wanted = Array(ids.prefix(itemsAtHand.isEmpty ? most : ids.count))
        var batch = ImportBatch()
        var items: [ServerItem] = []
        do {
            items = try await self.items(wanted)
            state?.value.most = most * 2 < server.itemsPerRequest ? most * 2 : nil
            unsent.formUnion(Set(wanted).subtracting(items.map(\.id)))
            let missing = wanted.count { unsent.contains($0) }
            if missing > 0 { batch.leftOut[.unsent] = missing }
        } catch let error as PulseError where error.shouldRequestLess {
            if wanted.count > 1 { state?.value.most = max(1, wanted.count / 4) }
            // After a timeout the run ends; the next run requests fewer articles.
            guard error.isTooLarge else { throw error }
            guard wanted.count == 1 else { return batch }
            batch.leftOut[.tooLong] = 1
        }
        let counts = Dictionary(grouping: items, by: \.feed).mapValues(\.count)
        for item in items {
            var draft = item.draft
            draft.fit(item.id, of: origin, feed: item.address)
            if item.isStarred || list.isStarred {
                batch.add(star: draft, savedAt: nil)
                state?.value.recent.starred.insert(item.id)
            }
            guard !list.isStarred else { continue }
            guard item.isRead else {
                batch.leftOut[.notMarked, default: 0] += 1
                continue
            }
            let isBulk = counts[item.feed, default: 0] > Self.mostOfAFeed
            let readAt = readAt(draft, list, previousImport, isBulk: isBulk)
            // At the first import many articles of one feed are normal.
            batch.add(draft, readAt: readAt, isExact: false, isBulk: isBulk && previousImport != nil, origin: origin)
        }
        state?.value.recent.add(wanted.filter { !unsent.contains($0) }, list.isStarred)
        ids = ids.dropFirst(wanted.count)
        if ids.isEmpty {
            itemsAtHand = [:]
            if cursor == nil { leaveList() }
        }
        return batch
    }

    /// More articles of one feed than this count as marked in bulk.
    private static let mostOfAFeed = 20

    private func readAt(_ draft: ArticleDraft, _ list: ServerList, _ previousImport: Date?, isBulk: Bool) -> Date {
        let date = ImportBatch.approximateTime(
            published: draft.publishedAt, previousImport: isBulk ? nil : previousImport, now: now)
        return list.isOfLastDay && !isBulk ? max(date, now.addingTimeInterval(-86_400)) : date
    }

    /// Requests missing articles again: some servers send fewer than were requested.
    private func items(_ wanted: [String]) async throws -> [ServerItem] {
        var found = wanted.compactMap { itemsAtHand[$0] }
        var missing = wanted.filter { itemsAtHand[$0] == nil }
        while !missing.isEmpty {
            let asked = Set(missing)
            // Ignores articles that were not requested.
            let more = try await server.items(missing).filter { asked.contains($0.id) }
            guard !more.isEmpty else { break }
            found += more
            let ids = Set(more.map(\.id))
            missing.removeAll { ids.contains($0) }
        }
        return found
    }
}
