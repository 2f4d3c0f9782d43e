import Foundation
package import PulseCore
import PulsePlatform
import PulseRendering
import PulseStore
import PulseText

/// Unsent messages: each is stored here before sendmail is started, until sendmail has taken it.
///
/// The result of sendmail is in the file's name, because renaming needs no room on the disk.
package struct Outbox {
    struct Item: Codable {
        let day: Day
        /// The recipient's `MailAddress.key`.
        let to: String
        let articles: Int
        /// Whether it is sent although that day's digest was sent already.
        let again: Bool
        /// The ids of the articles that count as told by it.
        let covered: Set<String>
        let message: String
        /// The history that it was made from, as `History.identity`.
        let store: String
        /// The profile whose settings it was made with; empty: the default profile.
        let profile: String
        /// What the history is to record; nil for a week, which covers nothing, and for messages of an earlier version.
        var coverage: DeliveredPeriod?

        /// `to` without the mark by which a week's message differs from the day's: see `DigestDelivery`.
        var recipient: String { to.replacing(Self.week, with: "") }
        static let week = " (week)"
    }

    /// How often sendmail took the whole message without reporting a result, and the day of the last time.
    package struct Tries: Hashable, Sendable {
        package let count: Int
        package let day: Day

        /// Whether it is sent again without being asked for: only once, and on another day.
        func areGoneOn(with today: Day) -> Bool { count < Self.most && day != today }

        package static let most = 2
    }

    struct Kept {
        let item: Item
        fileprivate(set) var name: String

        /// Nil: it was certainly not sent.
        var tries: Tries? { Outbox.tries(of: name) }

        /// Identifies it as a cause; in letters, since `AlertThrottle` does not tell numbers apart.
        var cause: String {
            "unanswered " + ShortHash.of(String(name.prefix { $0 != "." })).map { Self.letters[$0] ?? $0 }
        }
        private static let letters = Dictionary(uniqueKeysWithValues: zip("0123456789", "ghijklmnop"))
    }

    private let folder: StateFolder

    package init(in folder: StateFolder) throws { self.folder = try folder.folder(Self.name) }

    /// How many messages wait below a state folder that need not exist.
    package static func count(below path: String) -> Int { names(below: path, areUnanswered: false).count }

    /// The recipients of the messages that wait, as far as these can be read, each once.
    package static func recipients(below path: String) -> [String] { recipients(below: path, areUnanswered: false) }

    /// The recipients of messages that may have gone out, each once.
    package static func unanswered(below path: String) -> [String] { recipients(below: path, areUnanswered: true) }

    /// The advice about messages that may have gone out; nil if there are none.
    package static func text(ofUnanswered recipients: [String]) -> Message? {
        guard !recipients.isEmpty else { return nil }
        return "to \(recipients.joined(separator: ", ")); sendmail did not confirm. To send again now: "
            + "pulse-digest schedule retry ADDRESS. To delete: pulse-digest schedule drop ADDRESS"
    }

    private static func recipients(below path: String, areUnanswered: Bool) -> [String] {
        let items = names(below: path, areUnanswered: areUnanswered).compactMap {
            StateFile<Item>.value(of: $0, below: path + "/" + name)
        }
        return Set(items.map(\.recipient)).sorted()
    }

    private static func names(below path: String, areUnanswered: Bool) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + name)) ?? []).filter {
            Damaged($0)?.mayHaveGoneOut == areUnanswered
        }
    }

    private static let name = "outbox"

    /// Stores a message. If it repeats a day, it replaces the waiting messages of that day whose articles it has, too.
    func put(_ item: Item) throws {
        let name = Self.name(item)
        try StateFile<Item>(folder: folder, name: name).write(item)
        guard item.again else { return }
        for other in items() where other.item.day == item.day && other.item.to == item.to && other.name != name {
            if other.item.covered.isSubset(of: item.covered) { try remove(other) }
        }
    }

    func holds(_ day: Day, for address: String) -> Bool {
        folder.files().contains { $0.hasPrefix(Self.name(day, address)) }
    }

    /// The oldest first.
    func items() -> [Kept] { contents().items }

    /// A message that cannot be read, as far as its name identifies it.
    struct Damaged {
        let day: Day
        private let name: String

        /// Nil if the name is not one of ours either.
        fileprivate init?(_ name: String) {
            guard let day = Day(text: String(name.prefix(10))) else { return nil }
            self.day = day
            self.name = name
        }

        var mayHaveGoneOut: Bool { Outbox.tries(of: name) != nil }

        func isFor(_ address: String) -> Bool { name.hasPrefix(Outbox.name(day, address)) }
    }

    /// The messages, the oldest first, and those that can no longer be read, which are set aside.
    func contents() -> (items: [Kept], damaged: [Damaged]) {
        var (items, damaged): ([Kept], [Damaged]) = ([], [])
        for name in folder.files() {
            // Other programs' files stay as they are.
            guard let found = Damaged(name) else { continue }
            let file = StateFile<Item>(folder: folder, name: name)
            var item: Item?
            // An unreadable file, such as another user's, does not hold up the mail of other recipients.
            do { item = try file.read() } catch { file.setAside() }
            if let item { items.append(Kept(item: item, name: name)) } else { damaged.append(found) }
        }
        return (items, damaged)
    }

    /// Drops messages. Unless they may have been sent, their articles count as not told: the next digest has them.
    func drop(_ kept: [Kept], in history: History) throws {
        for message in kept {
            let item = message.item
            // A week's message covers nothing.
            if message.tries == nil, item.to == item.recipient, item.store == history.identity, history.exists {
                let reader = EntryRecipient(profile: item.profile, recipient: item.recipient)
                try history.open(.readWrite).unmarkDelivered(item.covered, entriesFrom: reader, articlesFrom: item.to)
            }
            try remove(message)
        }
    }

    func remove(_ message: Kept) throws { try folder.remove(message.name) }

    /// Records that sendmail is given a message: from here on it may have been sent.
    func mark(_ message: inout Kept, on day: Day) throws {
        try rename(&message, to: Tries(count: (message.tries?.count ?? 0) + 1, day: day))
    }

    /// Undoes `mark` for a message that was certainly not sent.
    func unmark(_ message: inout Kept, to tries: Tries?) throws { try rename(&message, to: tries) }

    private func rename(_ message: inout Kept, to tries: Tries?) throws {
        let name = Self.name(message.item) + (tries.map { ".\($0.count).\($0.day.text)" } ?? "")
        guard name != message.name else { return }
        try folder.rename(message.name, to: name)
        message.name = name
    }

    /// Parses what follows the day and the hash in a file's name.
    fileprivate static func tries(of name: String) -> Tries? {
        let parts = name.split(separator: ".")
        guard parts.count == 4, let count = Int(parts[2]), let day = Day(text: String(parts[3])) else { return nil }
        return Tries(count: count, day: day)
    }

    /// Drops the messages of earlier days, except those that may have been sent, and what a killed writer has left.
    /// Returns their number, without those that were set aside. Other programs' files stay.
    func trim(before day: Day) throws -> Int {
        try remove { name in
            let isHidden = name.hasPrefix(".")
            guard let found = Damaged(isHidden ? String(name.dropFirst()) : name) else { return false }
            return isHidden && name.hasSuffix(".new") || found.day < day && (isHidden || !found.mayHaveGoneOut)
        }
    }

    /// Drops the messages made from a history or of unknown origin. Returns their number, without those set aside.
    func clear(madeFrom store: String) throws -> Int {
        let others = Set(items().filter { $0.item.store != store }.map(\.name))
        return try remove { !others.contains($0) }
    }

    /// - Parameter isMeant: Also called for files that were set aside, whose names begin with a full stop.
    private func remove(_ isMeant: (String) -> Bool) throws -> Int {
        let names = folder.files(areHiddenToo: true).filter(isMeant)
        for name in names { try folder.remove(name) }
        return names.count { !$0.hasPrefix(".") }
    }

    /// Names sort by day. There is one for a day and an address; a message that repeats the day has its own.
    private static func name(_ item: Item) -> String {
        name(item.day, item.to) + (item.again ? "-" + ShortHash.of(item.message) : "") + ".json"
    }

    /// The address is hashed, because it may have a slash and be as long as a file's name may be.
    fileprivate static func name(_ day: Day, _ address: String) -> String { "\(day.text)-\(ShortHash.of(address))" }
}

extension AppEnvironment {
    /// Drops the messages that wait for an address, such as a mistyped one.
    ///
    /// - Returns: How many messages that were.
    package func dropUnsent(to text: String) throws -> Int {
        let address = try waitingAddress(text)
        let state = try state()
        return try state.delivery().hold {
            let outbox = try Outbox(in: state)
            let items = outbox.items().filter { $0.item.recipient == address.key }
            try outbox.drop(items, in: history)
            return items.count
        }
    }

    /// Removes articles from the history, and the unsent messages with one of them: the next digest has the others.
    ///
    /// - Returns: The ids of the articles that were there, the number of deleted messages, and the recipients of those
    ///   that may have gone out, which stay.
    package func remove(_ ids: [String]) throws -> (gone: Set<String>, unsent: Int, unanswered: [String]) {
        guard FileManager.default.fileExists(atPath: locations.state) else {
            return (try history.open(.readWrite).remove(ids, at: now), 0, [])
        }
        let state = try state()
        return try state.delivery().hold {
            let outbox = try Outbox(in: state)
            let kept = outbox.items().filter {
                $0.item.store == history.identity && !$0.item.covered.isDisjoint(with: ids)
            }
            // First, because nobody would look for these messages if this run was killed in between.
            let unsent = kept.filter { $0.tries == nil }
            try outbox.drop(unsent, in: history)
            let unanswered = Set(kept.filter { $0.tries != nil }.map(\.item.recipient)).sorted()
            return (try history.open(.readWrite).remove(ids, at: now), unsent.count, unanswered)
        }
    }

    func waitingAddress(_ text: String) throws -> MailAddress {
        let state = locations.state
        let waiting = Set(Outbox.recipients(below: state) + Outbox.unanswered(below: state)).sorted()
        if let address = try? MailAddress(text), waiting.contains(address.key) { return address }
        throw PulseError(
            .noInput, "Nothing waits to be sent to \(PlainText.line(text, limit: 200)).",
            hint: waiting.isEmpty ? nil : "Waiting: emails to \(waiting.joined(separator: ", ")).")
    }
}

/// The days with a sent digest, by recipient.
struct SentRecord {
    private let file: StateFile<[Entry]>
    private var entries: [Entry]
    private static let name = "sent.json"

    fileprivate struct Entry: Codable {
        let day: Day
        let to: String
        let at: Date
        /// Of a message that repeats its day: its hash.
        var message: String?

        init(_ item: Outbox.Item, at date: Date) {
            (day, to, at) = (item.day, item.to, date)
            message = item.again ? ShortHash.of(item.message) : nil
        }
    }

    init(in folder: StateFolder) throws {
        file = StateFile(folder: folder, name: Self.name)
        entries = try file.read() ?? []
    }

    func holds(_ day: Day, for address: String) -> Bool { entries.contains { $0.day == day && $0.to == address } }

    func holds(_ item: Outbox.Item) -> Bool {
        let entry = Entry(item, at: .distantPast)
        return entries.contains {
            $0.day == item.day && $0.to == item.to && (!item.again || $0.message == entry.message)
        }
    }

    /// How many messages of a day were sent to a recipient, as recorded below a state folder that need not exist.
    static func count(_ day: Day, for address: String, below path: String) -> Int {
        StateFile<[Entry]>.value(of: name, below: path)?.count { $0.day == day && $0.to == address } ?? 0
    }

    /// A record that is on the disk, but not in effect yet.
    struct Note {
        fileprivate let entries: [Entry]
        fileprivate let file: AtomicFile.Prepared

        func discard() { file.discard() }
    }

    /// Writes the record of a message before it is sent: if the disk was full afterwards, it would be sent again.
    func prepare(_ item: Outbox.Item, at date: Date) throws -> Note {
        // A year of ten readers is far more than the question "today already?" needs.
        let entries = Array((entries + [Entry(item, at: date)]).suffix(3650))
        return Note(entries: entries, file: try file.prepare(entries))
    }

    /// Puts the record into effect.
    mutating func add(_ note: Note) throws {
        try note.file.commit()
        entries = note.entries
    }
}

/// The date from which each address gets digests: later articles are told, even after nights with nothing to send.
enum FirstRunDates {
    private static let name = "begun.json"

    /// - Parameter path: Of a state folder that need not exist.
    static func first(for address: MailAddress, below path: String) -> Date? { all(below: path)[address.key] }

    /// Notes that digests of these addresses begin now, unless a run was for them before.
    ///
    /// - Parameter addresses: Nil if the settings are faulty. The addresses noted next then begin at this date.
    static func note(_ addresses: [MailAddress]?, at date: Date, in folder: StateFolder) throws {
        try folder.waitingLock(RunLog.lock).hold {
            let known = all(below: folder.path)
            var begun = known
            if let addresses {
                let first = begun.removeValue(forKey: unknown) ?? date
                for address in addresses { begun[address.key] = known[address.key] ?? first }
            } else {
                begun[unknown] = known[unknown] ?? date
            }
            if begun != known { try StateFile<[String: Date]>(folder: folder, name: name).write(begun) }
        }
    }

    private static let unknown = ""

    private static func all(below path: String) -> [String: Date] {
        StateFile<[String: Date]>.value(of: name, below: path) ?? [:]
    }
}
