package import Foundation
package import PulseCore
import PulsePlatform
import PulseRendering
package import PulseStore
import PulseText

/// The reading history's file, which is opened anew for each task.
package struct History: Sendable {
    package let path: String

    package init(at path: String) { self.path = path }

    package var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// The canonical path, the same however the file was named.
    package var identity: String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    /// On a full disk, an open store keeps out all others: it must be closed before it is opened again.
    package func open(_ access: Store.Access = .readOnly) throws -> Store { try Store(at: path, access: access) }

    /// Records an unread entry or a bookmark as read, unless the history has it already.
    package func noteRead(_ reading: Reading, at date: Date) throws {
        guard reading.basis != .read else { return }
        let store = try open(.readWrite)
        guard try store.find(reading.article.key) == .none else { return }
        _ = try store.record([Reading(article: reading.article, readAt: date, origin: reading.origin, isExact: true)])
    }
}

/// The filters of a list; nil: no filter.
package struct ListFilter: Sendable {
    package let since: Date?
    package let category: PulseCore.Category?
    package let source: String?

    package init(since: Date? = nil, category: PulseCore.Category? = nil, source: String? = nil) {
        (self.since, self.category, self.source) = (since, category, source)
    }

    package var isOn: Bool { since != nil || category != nil || source != nil }
}

extension History {
    /// Writes the history as JSON Lines, one article per line.
    ///
    /// - Parameter put: Takes some lines at a time.
    /// - Returns: How many articles there are.
    package func export(_ filter: ListFilter, _ put: (Data) throws -> Void) throws -> Int {
        var count = 0
        var ready = Data()
        try open().each(since: filter.since, category: filter.category, source: filter.source) { reading in
            if Task.isCancelled { throw PulseError.interrupted }
            count += 1
            ready.append(contentsOf: ArticleLine.text(reading).utf8)
            if ready.count >= 1 << 16 {
                try put(ready)
                ready.removeAll(keepingCapacity: true)
            }
        }
        try put(ready)
        return count
    }
}

extension AppEnvironment {
    /// Deletes the whole history, and what was made of it.
    ///
    /// - Returns: How many unsent digests were deleted, too.
    package func clearHistory() throws -> Int {
        guard FileManager.default.fileExists(atPath: locations.state) else {
            try clear()
            return 0
        }
        let state = try state()
        return try state.delivery().hold {
            try clear()
            // Unsent mails were made from it.
            return try Outbox(in: state).clear(madeFrom: history.identity)
        }
    }

    private func clear() throws {
        // First, since an import that continues from its cursor would miss earlier articles.
        try Accounts(in: self).forgetImports()
        _ = try Store.clear(at: history.path)
    }
}

extension History {
    /// Adds what was imported since the last search to the full-text index; after a large import, this takes seconds.
    package func index(_ reporter: Reporter) throws {
        if try open().isIndexed() { return }
        defer { reporter.clear() }
        let start = ContinuousClock.now
        do {
            try open(.readWrite).index { share in
                if Task.isCancelled { throw PulseError.interrupted }
                if start.duration(to: .now) > .seconds(1) {
                    reporter.show("Indexing what is new: \(Int(share * 100)) %")
                }
            }
        } catch let error as PulseError where error.code == .permission || error.code == .tryAgain {
            reporter.note("\(error.message) The newest articles are not searched.")
        }
    }

    /// Fails for names that the history does not have, because those are most likely mistyped.
    package func requireKnown(_ filter: ListFilter) throws {
        try requireKnown([filter.category].compactMap(\.self))
        try requireKnown(sources: [filter.source].compactMap(\.self))
    }

    /// Fails for categories of which nothing was ever read: those are most likely mistyped.
    package func requireKnown(_ categories: [Category]) throws {
        guard !categories.isEmpty else { return }
        let counts = try open().statistics().categories
        try require(
            categories.map(\.name), among: counts.map(\.category.name), comparing: { $0 }, spelled: Self.headings
        ) {
            "Nothing in the history is in the category “\($0)”."
        }
    }

    /// The same for publications.
    package func requireKnown(sources: [String]) throws {
        guard !sources.isEmpty else { return }
        let names = try open().sourceNames()
        try require(sources, among: names, comparing: Words.name) { "Nothing in the history is from “\($0)”." }
    }

    /// The same for the names of sections: categories and publications.
    package func requireKnown(sections: [String]) throws {
        guard !sections.isEmpty else { return }
        let store = try open()
        let names = try store.statistics().categories.map(\.category.name) + store.sourceNames()
        let known = Set((names + Category.known.map(\.name)).flatMap(Self.headings).map(Words.name))
        let unknown = sections.filter { !known.contains(Words.name($0)) }
        try require(unknown, among: names, comparing: Words.name, spelled: Self.headings) {
            "No category and no publication in the history is called “\($0)”."
        }
    }

    /// The same among unread entries.
    package func requireKnown(_ filter: ListFilter, among waiting: [Article]) throws {
        guard !waiting.isEmpty else { return }
        let categories = Set(waiting.map(\.category.name)).sorted()
        try require(
            [filter.category?.name].compactMap(\.self), among: categories, comparing: { $0 }, spelled: Self.headings
        ) {
            "No unread entry is in the category “\($0)”."
        }
        let sources = Set(waiting.map(\.source)).sorted().filter { !$0.isEmpty }
        try require([filter.source].compactMap(\.self), among: sources, comparing: Words.name) {
            "No unread entry is from “\($0)”."
        }
    }

    /// A category's name, and its headings in digests.
    private static func headings(of category: String) -> [String] {
        [category] + Language.allCases.compactMap { $0.categories[category] }
    }

    /// - Parameters:
    ///   - form: Normalises names as digests compare them.
    ///   - spellings: A name, and other names for the same.
    private func require(
        _ wanted: [String], among names: [String], comparing form: (String) -> String,
        spelled spellings: (String) -> [String] = { [$0] }, _ what: (String) -> Message
    ) throws {
        let known = Set(names.map(form))
        guard let unknown = wanted.first(where: { !known.contains(form($0)) }) else { return }
        // A name is given in part more often than it is mistyped.
        var meant = Array(
            names.filter { spellings($0).contains { Words.name($0).contains(Words.name(unknown)) } }.sorted().prefix(5))
        if meant.isEmpty { meant = [EditDistance.nearest(to: unknown, among: names)].compactMap(\.self) }
        let quoted: [Message] = meant.map { "“\(PlainText.line($0))”" }
        throw PulseError(
            .noInput, what(PlainText.line(unknown)),
            hint: meant.isEmpty
                ? "There are: \(names.prefix(20).map(PlainText.line).joined(separator: ", "))."
                : "Did you mean \(quoted.joined(separator: " or "))?")
    }
}
