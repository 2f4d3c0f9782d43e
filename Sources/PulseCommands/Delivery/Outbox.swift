import Foundation
import PulseCore

/// Messages on their way: each is kept here before sendmail is started, and until it has taken it.
struct Outbox {
    struct Item: Codable {
        let day: Day
        /// The recipient's `MailAddress.key`.
        let to: String
        let articles: Int
        /// Whether it goes out although that day's digest did already.
        let again: Bool
        let message: String
        /// The name of the file it was read from; versions have named them differently.
        fileprivate(set) var file: String?

        private enum CodingKeys: String, CodingKey { case day, to, articles, again, message }
    }

    private let folder: StateFolder

    init(in folder: StateFolder) throws(Failure) { self.folder = try folder.folder(Self.name) }

    /// How many messages wait below a state folder that need not exist.
    static func count(below path: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + name)) ?? []
        return names.count { !$0.hasPrefix(".") }
    }

    private static let name = "outbox"

    /// Keeps a message, in the place of another of that day for that recipient.
    func put(_ item: Item) throws(Failure) { try file(item.day, item.to).write(item) }

    func holds(_ day: Day, for address: String) -> Bool { folder.files().contains(Self.name(day, address)) }

    /// The oldest first, and how many were there that cannot be understood; those are set aside.
    func items() throws(Failure) -> (items: [Item], damaged: Int) {
        let names = folder.files()
        var items: [Item] = []
        for name in names {
            guard var item = try StateFile<Item>(folder: folder, name: name).read() else { continue }
            item.file = name
            items.append(item)
        }
        return (items, names.count - items.count)
    }

    func remove(_ item: Item) throws(Failure) { try folder.remove(item.file ?? Self.name(item.day, item.to)) }

    /// Drops what is of a day before this one, and says how many messages that were.
    func trim(before day: Day) throws(Failure) -> Int {
        try remove { ($0.hasPrefix(".") ? $0.dropFirst() : $0[...]) < day.text }
    }

    /// Drops everything, and says how many messages that were.
    func clear() throws(Failure) -> Int { try remove { _ in true } }

    /// - Parameter isMeant: Is asked about what was set aside, too, whose names begin with a full stop.
    private func remove(_ isMeant: (String) -> Bool) throws(Failure) -> Int {
        let names = folder.files(areHiddenToo: true).filter(isMeant)
        for name in names { try folder.remove(name) }
        return names.count { !$0.hasPrefix(".") }
    }

    private func file(_ day: Day, _ address: String) -> StateFile<Item> {
        StateFile(folder: folder, name: Self.name(day, address))
    }

    /// Sorts by day. An address may hold a slash and be as long as a file's name may be, so a hash stands for it.
    private static func name(_ day: Day, _ address: String) -> String {
        "\(day.text)-\(ArticleKey.make(from: address)).json"
    }
}
