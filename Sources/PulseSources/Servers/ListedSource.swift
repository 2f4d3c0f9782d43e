import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform

/// A server that lists what was read without saying when.
protocol ListingServer: AnyObject {
    /// How many articles to ask for at once.
    var itemsPerRequest: Int { get }

    /// Makes ready to ask, and says what to read: called once, and first.
    /// - Parameter lastRun: when a run last came to its end; nil: never.
    func open(lastRun: Date?) async throws(PulseError) -> [ServerList]
    /// A part of a list.
    /// - Parameter place: the `next` of the part before; nil: the beginning.
    func page(of list: ServerList, at place: String?) async throws(PulseError) -> ServerPage
    /// The articles with these ids, in any order; those that are gone are missing.
    func items(_ ids: [String]) async throws(PulseError) -> [ServerItem]
    /// Nil where the server does not say it cheaply.
    func unread() async throws(PulseError) -> Int?
}

/// One of the lists of a server.
struct ServerList {
    /// As the server calls it.
    let name: String
    var isStarred = false
    /// The last read first: behind a part that is all known there is nothing new.
    var isNewestFirst = false
    /// Whether it holds what was read within a day.
    var isOfLastDay = false
}

struct ServerPage {
    var ids: [String] = []
    /// Articles that came with the list; they need not be asked for.
    var items: [ServerItem] = []
    /// How many of the list were left out already, by reason.
    var leftOut: [LeftOut: Int] = [:]
    /// Where the list goes on; nil at its end.
    var next: String?
}

struct ServerItem {
    /// The same as in the lists.
    let id: String
    let draft: ArticleDraft
    /// What tells feeds apart.
    let feed: String
    /// The feed's address, or what stands for it; nil where the server tells neither.
    var address: String?
    var isRead = true
    var isStarred = false
}

/// What was read on a server that keeps no times: what is new in its lists since the last run.
///
/// In the first import an article counts as read when it was published, later when an import first finds it; so does
/// what was read in bulk: see `ImportBatch.approximateTime`.
final class ListedSource: ArticleSource {
    let origin: String
    let name: String

    private let server: any ListingServer
    private let memory: any SourceMemory
    private let now: Date
    private var state: Remembered<State>?
    private var lists: [ServerList] = []
    /// Where the first of the lists goes on; nil: at its beginning.
    private var place: String?
    /// What is to be asked for of the list's last part.
    private var ids: [String] = []
    private var itemsAtHand: [String: ServerItem] = [:]
    /// What the first of the lists has held so far.
    private var listedHere: Set<String> = []
    /// The places where it went on.
    private var places: Set<String> = []
    /// How many of its last parts listed nothing.
    private var emptyParts = 0
    /// What was listed in this run, asked for, and not sent.
    private var unsent: Set<String> = []
    private var isAtEnd = false
    /// Of each kind of list, what it has held in this run.
    private var listed = Marks()
    private var hasWholeLists = true

    private struct Marks: Codable {
        var read: Set<String> = []
        var starred: Set<String> = []

        subscript(isStarred: Bool) -> Set<String> {
            get { isStarred ? starred : read }
            set { if isStarred { starred = newValue } else { read = newValue } }
        }
    }

    private struct State: Codable {
        /// Handed out by runs that came to their end.
        var known = Marks()
        /// Handed out since then. Not enough to stop at: what is behind these may be new too.
        var recent = Marks()
        /// When a run last came to its end.
        var lastRun: Date?
        /// In how many runs what is not known was asked for and not sent.
        var tries: [String: Int]?
        /// How many to ask for at once, where an answer was too much; nil: as many as usual.
        var most: Int?

        func has(_ id: String, _ isStarred: Bool) -> Bool {
            known[isStarred].contains(id) || recent[isStarred].contains(id)
        }
    }

    init(_ account: ServerAccount, _ server: any ListingServer) {
        origin = account.origin
        name = account.connection.address
        self.server = server
        memory = account.memory
        now = account.now
    }

    func next(previousImport: Date?) async throws(PulseError) -> ImportBatch? {
        if state == nil { try await open(previousImport) }
        while let list = lists.first {
            if !ids.isEmpty { return try await batch(list, previousImport) }
            if let batch = try await nextPage(of: list) { return batch }
        }
        if !isAtEnd {
            isAtEnd = true
            var batch = ImportBatch()
            batch.unread = try await server.unread() ?? 0
            if batch.unread > 0 { return batch }
        }
        finish()
        return nil
    }

    func noteStored(isLast: Bool) throws(PulseError) { try state?.save(isLast: isLast) }

    private func open(_ previousImport: Date?) async throws(PulseError) {
        var state = try Remembered(origin, in: memory, initial: State())
        // The history is another one, or was deleted.
        if previousImport == nil, state.value.lastRun != nil { state.value = State() }
        lists = try await server.open(lastRun: state.value.lastRun)
        hasWholeLists = !lists.contains(where: \.isNewestFirst)
        self.state = state
    }

    private func finish() {
        guard var value = state?.value else { return }
        let tries = unsent.map { ($0, (value.tries?[$0] ?? 0) + 1) }.filter { $0.1 < Self.mostTries }
        value.tries = tries.isEmpty ? nil : Dictionary(uniqueKeysWithValues: tries)
        for isStarred in [false, true] {
            // What the server does not list any more need not be remembered.
            value.known[isStarred] =
                (hasWholeLists
                ? listed[isStarred] : value.known[isStarred].union(value.recent[isStarred]).union(unsent))
                .subtracting(tries.map(\.0))
        }
        value.recent = Marks()
        value.lastRun = now
        state?.value = value
    }

    /// What a server lists may be gone, or it may be in trouble: in so many runs it is asked for.
    private static let mostTries = 7

    /// Reads the next part of a list; a batch only where something is to be said of it.
    private func nextPage(of list: ServerList) async throws(PulseError) -> ImportBatch? {
        let page = try await server.page(of: list, at: place)
        let all = page.ids + page.items.map(\.id)
        var seen = unsent
        ids = all.filter { !(state?.value.has($0, list.isStarred) ?? false) && seen.insert($0).inserted }
        itemsAtHand = Dictionary(page.items.map { ($0.id, $0) }) { first, _ in first }
        // A server that sends the same again and again, or nothing, is at its end, whatever it says.
        emptyParts = all.isEmpty ? emptyParts + 1 : 0
        let isNew = all.isEmpty ? emptyParts < Self.mostEmptyParts : !listedHere.isSuperset(of: all)
        listedHere.formUnion(all)
        listed[list.isStarred].formUnion(all)
        let known = state?.value.known[list.isStarred] ?? []
        let isKnown = list.isNewestFirst && !all.isEmpty && known.isSuperset(of: all)
        place = isNew && !isKnown ? page.next.flatMap { places.insert($0).inserted ? $0 : nil } : nil
        if place == nil, ids.isEmpty { leaveList() }
        guard !page.leftOut.isEmpty else { return nil }
        var batch = ImportBatch()
        batch.leftOut = page.leftOut
        return batch
    }

    private func leaveList() {
        lists.removeFirst()
        (listedHere, places, emptyParts) = ([], [], 0)
    }

    /// Tiny Tiny RSS has parts of 200 articles, which list nothing where all of them are unread: so many on end are a
    /// server that does not look at the place.
    private static let mostEmptyParts = 1000

    /// The next articles of the list's last part.
    private func batch(_ list: ServerList, _ previousImport: Date?) async throws(PulseError) -> ImportBatch {
        let most = state?.value.most ?? server.itemsPerRequest
        let wanted = Array(ids.prefix(itemsAtHand.isEmpty ? most : ids.count))
        var batch = ImportBatch()
        var items: [ServerItem] = []
        do throws(PulseError) {
            items = try await self.items(wanted)
            state?.value.most = most * 2 < server.itemsPerRequest ? most * 2 : nil
            unsent.formUnion(Set(wanted).subtracting(items.map(\.id)))
            let missing = wanted.count { unsent.contains($0) }
            if missing > 0 { batch.leftOut[.unsent] = missing }
        } catch {
            guard error.wantsLess else { throw error }
            if wanted.count > 1 { state?.value.most = max(1, wanted.count / 4) }
            // A server that was too slow has had its time; it is asked for less by the next import.
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
            // At the first import many articles of a feed are nothing strange.
            batch.add(
                draft, readAt: readAt, isExact: false, isBulk: isBulk && previousImport != nil, origin: origin)
        }
        state?.value.recent[list.isStarred].formUnion(wanted.filter { !unsent.contains($0) })
        ids.removeFirst(wanted.count)
        if ids.isEmpty {
            itemsAtHand = [:]
            if place == nil { leaveList() }
        }
        return batch
    }

    /// More than this of one feed at once was marked, and not read.
    private static let mostOfAFeed = 20

    private func readAt(_ draft: ArticleDraft, _ list: ServerList, _ previousImport: Date?, isBulk: Bool) -> Date {
        let date = ImportBatch.approximateTime(
            published: draft.publishedAt, previousImport: isBulk ? nil : previousImport, now: now)
        return list.isOfLastDay && !isBulk ? max(date, now.addingTimeInterval(-86_400)) : date
    }

    /// Asks again for what is missing in an answer: some servers give fewer articles than they are asked for.
    private func items(_ wanted: [String]) async throws(PulseError) -> [ServerItem] {
        var found = wanted.compactMap { itemsAtHand[$0] }
        var missing = wanted.filter { itemsAtHand[$0] == nil }
        while !missing.isEmpty {
            let asked = Set(missing)
            // Whatever else it sends.
            let more = try await server.items(missing).filter { asked.contains($0.id) }
            found += more
            let ids = Set(more.map(\.id))
            let rest = missing.filter { !ids.contains($0) }
            guard rest.count < missing.count else { break }
            missing = rest
        }
        return found
    }
}

extension LeftOut {
    static let notMarked = LeftOut(words: "listed as read by the server, but not marked as read")
    static let filtered = LeftOut(words: "marked as read by a filter of the server")
    static let unsent = LeftOut(words: "listed by the server, but not sent")
}
