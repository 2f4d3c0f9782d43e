import Foundation
package import PulseCore
import PulsePlatform
import PulseRendering
import PulseStore
import PulseText

/// Messages on their way: each is kept here before sendmail is started, and until it has taken it.
package struct Outbox {
    struct Item: Codable {
        let day: Day
        /// The recipient's `MailAddress.key`.
        let to: String
        let articles: Int
        /// Whether it goes out although that day's digest did already.
        let again: Bool
        /// The ids of the articles that count as told by it.
        let covered: Set<String>
        let message: String
        /// The history that it was made from, as `History.identity`.
        let store: String
        /// Whose settings it was made with; empty: nobody's in particular.
        let profile: String
        /// What the history is to note; nil of a week, which covers nothing, and of what an earlier version made.
        var coverage: DeliveredPeriod?

        /// A week's message has a name of its own beside the day's: see `DigestDelivery`.
        var recipient: String { to.replacing(Self.week, with: "") }
        static let week = " (week)"
    }

    private let folder: StateFolder

    package init(in folder: StateFolder) throws(PulseError) { self.folder = try folder.folder(Self.name) }

    /// How many messages wait below a state folder that need not exist.
    package static func count(below path: String) -> Int { names(below: path).count }

    /// The recipients of these messages, as far as they can be understood, each once.
    package static func recipients(below path: String) -> [String] {
        let items = names(below: path).compactMap { StateFile<Item>.value(of: $0, below: path + "/" + name) }
        return Set(items.map(\.recipient)).sorted()
    }

    private static func names(below path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + name)) ?? []).filter { !$0.hasPrefix(".") }
    }

    private static let name = "outbox"

    /// Keeps a message, in the place of another of that day for that recipient.
    func put(_ item: Item) throws(PulseError) { try file(item.day, item.to).write(item) }

    func holds(_ day: Day, for address: String) -> Bool { folder.files().contains(Self.name(day, address)) }

    /// The oldest first.
    func items() throws(PulseError) -> [Item] { try contents().items }

    /// What its name still says of a message that cannot be understood.
    struct Damaged {
        let day: Day
        private let name: String

        /// Nil where even the name is not one of ours.
        fileprivate init?(_ name: String) {
            guard let day = Day(text: String(name.prefix(10))) else { return nil }
            self.day = day
            self.name = name
        }

        func isFor(_ address: String) -> Bool { name == Outbox.name(day, address) }
    }

    /// The messages, the oldest first, and those that cannot be understood any more, which are set aside.
    func contents() throws(PulseError) -> (items: [Item], damaged: [Damaged]) {
        var (items, damaged): ([Item], [Damaged]) = ([], [])
        for name in folder.files() {
            if let item = try StateFile<Item>(folder: folder, name: name).read() {
                items.append(item)
            } else if let found = Damaged(name) {
                damaged.append(found)
            }
        }
        return (items, damaged)
    }

    /// Drops messages. What they tell counts as not told, so that the next digest has it.
    func drop(_ items: [Item], in history: History) throws(PulseError) {
        for item in items {
            if item.store == history.identity, history.exists {
                let reader = EntryRecipient(profile: item.profile, recipient: item.recipient)
                try history.writing { store throws(PulseError) in
                    try store.unmarkDelivered(articles: item.covered, to: item.to)
                    try store.unmarkDelivered(entries: item.covered, to: reader)
                }
            }
            try remove(item)
        }
    }

    func remove(_ item: Item) throws(PulseError) { try folder.remove(Self.name(item.day, item.to)) }

    /// Drops the messages of days before this one. Returns their number, without those that were set aside.
    func trim(before day: Day) throws(PulseError) -> Int {
        try remove { ($0.hasPrefix(".") ? $0.dropFirst() : $0[...]) < day.text }
    }

    /// Drops the messages made from a history, and those of unknown origin, such as damaged ones. Returns their number,
    /// without those that were set aside.
    func clear(madeFrom store: String) throws(PulseError) -> Int {
        let others = Set(try items().filter { $0.store != store }.map { Self.name($0.day, $0.to) })
        return try remove { !others.contains($0) }
    }

    /// - Parameter isMeant: Is asked about what was set aside, too, whose names begin with a full stop.
    private func remove(_ isMeant: (String) -> Bool) throws(PulseError) -> Int {
        let names = folder.files(areHiddenToo: true).filter(isMeant)
        for name in names { try folder.remove(name) }
        return names.count { !$0.hasPrefix(".") }
    }

    private func file(_ day: Day, _ address: String) -> StateFile<Item> {
        StateFile(folder: folder, name: Self.name(day, address))
    }

    /// Sorts by day. An address may hold a slash and be as long as a file's name may be, so a hash stands for it.
    fileprivate static func name(_ day: Day, _ address: String) -> String {
        "\(day.text)-\(ShortHash.of(address)).json"
    }
}

extension AppEnvironment {
    /// Drops what waits to be sent to an address, such as a mistyped one.
    ///
    /// - Returns: How many messages that were.
    package func dropUnsent(to text: String) throws(PulseError) -> Int {
        let waiting = Outbox.recipients(below: locations.state)
        guard let address = try? MailAddress(text), waiting.contains(address.key) else {
            throw PulseError(
                .noInput, "Nothing waits to be sent to \(PlainText.line(text, limit: 200)).",
                hint: waiting.isEmpty ? nil : "What waits is for \(waiting.joined(separator: ", ")).")
        }
        let state = try state()
        return try state.delivery().hold { () throws(PulseError) in
            let outbox = try Outbox(in: state)
            let items = try outbox.items().filter { $0.recipient == address.key }
            try outbox.drop(items, in: history)
            return items.count
        }
    }
}

/// Which day's digest was handed over for whom.
struct SentRecord {
    private let file: StateFile<[Entry]>
    private var entries: [Entry]

    fileprivate struct Entry: Codable {
        let day: Day
        let to: String
        let at: Date
    }

    init(in folder: StateFolder) throws(PulseError) {
        file = StateFile(folder: folder, name: "sent.json")
        entries = try file.read() ?? []
    }

    func holds(_ day: Day, for address: String) -> Bool { entries.contains { $0.day == day && $0.to == address } }

    /// A note that is on the disk and does not count yet.
    struct Note {
        fileprivate let entries: [Entry]
        fileprivate let file: AtomicFile.Prepared

        func discard() { file.discard() }
    }

    /// Writes the note of a message before it is sent: afterwards there may be no room for it, and without it the
    /// message would be sent again.
    func prepare(_ day: Day, for address: String, at date: Date) throws(PulseError) -> Note {
        // A year of ten readers is far more than the question "today already?" needs.
        let entries = Array((entries + [Entry(day: day, to: address, at: date)]).suffix(3650))
        return Note(entries: entries, file: try file.prepare(entries))
    }

    /// Returns once it counts.
    mutating func add(_ note: Note) throws(PulseError) {
        try note.file.commit()
        entries = note.entries
    }
}

/// When each address was first to be sent a digest: what came after that is still to be told, also where there was
/// nothing to send for nights.
enum FirstRunDates {
    private static let name = "begun.json"

    /// - Parameter path: Of a state folder that need not exist.
    static func first(for address: MailAddress, below path: String) -> Date? { all(below: path)[address.key] }

    static func note(_ addresses: [MailAddress], at date: Date, in folder: StateFolder) throws(PulseError) {
        let known = all(below: folder.path)
        let begun = addresses.reduce(into: known) { $0[$1.key] = $0[$1.key] ?? date }
        if begun != known { try StateFile<[String: Date]>(folder: folder, name: name).write(begun) }
    }

    private static func all(below path: String) -> [String: Date] {
        StateFile<[String: Date]>.value(of: name, below: path) ?? [:]
    }
}
