package import Foundation
package import PulseCore
package import PulseStore

/// What a run of the program works with, whichever use case that is: the user's files, the history, the environment's
/// variables, and one reading of the clock.
package struct AppEnvironment: Sendable {
    package let locations: Locations
    package let history: History
    package let variables: [String: String]
    package let now: Date
    package let timeZone: TimeZone

    /// - Parameter history: Nil: the one at the usual place.
    package init(
        locations: Locations, history: History? = nil, variables: [String: String], now: Date, timeZone: TimeZone
    ) {
        self.locations = locations
        self.history = history ?? History(at: locations.store)
        self.variables = variables
        self.now = now
        self.timeZone = timeZone
    }

    /// The reader's: which days there are.
    package var calendar: Calendar { .gregorian(in: timeZone) }

    package var today: Day { Day(now, in: timeZone) }

    /// What was mailed, and what is still to be; the folder is made where it is missing.
    package func state() throws(PulseError) -> StateFolder { try StateFolder(locations.state) }
}

/// The reading history's file, which is opened for each piece of work and closed again.
package struct History: Sendable {
    package let path: String
    private let onOpen: @Sendable (String) -> Void

    /// - Parameter onOpen: Is handed the path whenever the file is opened.
    package init(at path: String, onOpen: @escaping @Sendable (String) -> Void = { _ in }) {
        self.path = path
        self.onOpen = onOpen
    }

    package var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// The path as it is the same however the file was named.
    package var identity: String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    package func open(_ access: Store.Access) throws(PulseError) -> Store {
        onOpen(path)
        return try Store(at: path, access: access)
    }

    package func reading<Result>(
        _ body: (borrowing Store) throws(PulseError) -> Result
    ) throws(PulseError) -> Result { try body(open(.readOnly)) }

    package func writing<Result>(
        _ body: (borrowing Store) throws(PulseError) -> Result
    ) throws(PulseError) -> Result { try body(open(.readWrite)) }

    /// Notes that what waited, or was only kept, was read; unless it is there already, with a time of its own.
    package func noteRead(_ reading: Reading, at date: Date) throws(PulseError) {
        guard reading.basis != .read else { return }
        try writing { store throws(PulseError) in
            guard try store.find(reading.article.key) == .none else { return }
            _ = try store.record([
                Reading(article: reading.article, readAt: date, origin: reading.origin, isExact: true)
            ])
        }
    }
}
