import Foundation
import PulseApp
import PulseCore
import PulsePlatform
import PulseRendering
import PulseSources
import PulseStore
import PulseText

extension Command {
    static let feeds = Command(
        "feeds", summary: "follow feeds, and see their unread entries", implied: "list",
        subcommands: [
            Command(
                "list", summary: "list the feeds you follow", options: [.format([.text, .json])],
                resolving: \.list.isJSON, run: list),
            Command(
                "add", operands: "URL…", arity: 1...1000, summary: "follow feeds",
                details: """
                    The address of a feed or of a page that names its feed. Its entries count as new, those older than \
                    a week as seen. Of several addresses, all that work are added.
                    """, options: [.title, .folder] + Option.services,
                resolving: { ($0.feedAddition, $0.settings.feedTitle, $0.settings.feedFolder) }, run: add),
            Command(
                "preview", operands: "URL", arity: 1...1, summary: "show what is in a feed, without following it",
                options: [.limit, .format([.text, .json])] + Option.services,
                resolving: { ($0.feedAddition, $0.list) }
            ) { context in
                let (addition, list) = context.arguments
                let found = try await addition.look(at: context.operands[0])
                try context.show(found.feed, found.answer, as: list)
            },
            Command(
                "remove", operands: "FEED…", arity: 1...1000, summary: "stop following feeds",
                details: """
                    A feed is named by its number in the list, its address as feeds add takes it, or a part of its title
                    that no other feed has.
                    Its unread entries are deleted; what you read of it stays in the history.
                    """, run: remove),
            Command(
                "refresh", operands: "[FEED]…", arity: 0...1000, summary: "refresh your feeds",
                details: """
                    Eight at a time, and no server twice at once. A feed that answered less than ten minutes ago, or \
                    asked for a pause, is not refreshed again before its time. One that fails is refreshed less and \
                    less often; after ten failures in a row, once a day. One that reports being gone for good (410) is \
                    refreshed once a month. A server has 30 seconds for all its feeds; the remaining ones come first \
                    the next time.

                    Entries that nobody read are deleted after --keep-unread-days; what you read stays in the history.
                    """, options: [.force, .keepUnreadDays] + Option.services,
                resolving: { ($0.feedRefresh, $0.settings.isForced, $0.settings.keepUnreadDays) }, run: refresh),
            Command(
                "waiting", operands: "[FEED]", arity: 0...1, summary: "list what you have not read",
                details: """
                    The newest first, whether a digest included it or not. Other commands take the id at the start of \
                    a line: pulse-digest open ID shows the article in your browser, and marks it as read.
                    """, options: [.limit, .since, .ofCategory, .ofSource, .format([.text, .json])],
                resolving: { context in (context.list, try context.filter()) }, run: waiting),
            Command(
                "mark", operands: "[FEED]…", arity: 0...1000,
                summary: "mark entries as seen, in all feeds or in some",
                details: """
                    Seen entries are in no digest and do not count as unread. They are not read either, so they do not \
                    enter the history. With --as new they count as unread again, even if a digest has included them.
                    """, options: [.markAs], resolving: { $0.settings.marksAsNew ? EntryState.new : .seen }, run: mark),
            Command(
                "import-opml", operands: "FILE|-", arity: 1...1, summary: "follow the feeds of an OPML file",
                details: """
                    Most programs that read feeds export such a file; - reads standard input. Folders become categories.
                    """, options: [.allowPrivate],
                resolving: { ($0.settings.services.services(in: $0.app), $0.settings.allowsPrivate) },
                run: importList),
            Command("export-opml", summary: "print the feeds you follow as OPML") { context in
                let feeds = try context.history.open().feeds().map(\.feed)
                try context.console.write(FeedList.opml(feeds, title: "pulse-digest", now: context.now))
            },
        ])

    private static func add(_ context: CommandContext<(FeedAddition, String?, String?)>) async throws {
        let (addition, title, folder) = context.arguments
        func add(_ address: String) async throws {
            try context.tell(try await addition.add(address, title: title, folder: folder))
        }
        guard context.operands.count > 1 else { return try await add(context.operands[0]) }
        guard title == nil else {
            throw PulseError(.usage, "--title names one feed.", hint: "Add the feeds one at a time.")
        }
        var failure: PulseError?
        for address in context.operands {
            do {
                try await add(address)
            } catch let error as PulseError where error.code != .interrupted {
                context.console.say("\(PlainText.line(address, limit: 300)): \(error)")
                failure = failure ?? error
            }
        }
        if let failure { throw PulseError(failure.code, "") }
    }

    private static func list(_ context: CommandContext<Bool>) throws {
        let feeds = try context.history.open().feeds()
        try context.console.write(
            context.arguments
                ? FeedText.json(feeds, now: context.now)
                : FeedText.list(feeds, now: context.now, style: context.style))
        if feeds.isEmpty { context.note(FeedRefresh.noFeeds) }
    }

    private static func named(_ context: CommandContext<some Sendable>) throws -> [Feed]? {
        guard !context.operands.isEmpty else { return nil }
        let followed = try context.history.open().feeds()
        var feeds: [Feed] = []
        for reference in context.operands {
            let feed = try followed.find(reference)
            if !feeds.contains(where: { $0.id == feed.id }) { feeds.append(feed) }
        }
        return feeds
    }

    private static func remove(_ context: CommandContext<Void>) throws {
        let feeds = try named(context) ?? []
        let store = try context.history.open(.readWrite)
        for feed in feeds { _ = try store.removeFeed(feed.id) }
        for feed in feeds { context.note("No longer followed: \(PlainText.line(feed.title))") }
    }

    private static func refresh(_ context: CommandContext<(FeedRefresh, Bool, Int)>) async throws {
        let (refresh, isForced, keepUnreadDays) = context.arguments
        let feeds = try named(context)
        guard context.history.exists, try !context.history.open().feeds().isEmpty else {
            throw PulseError(.noInput, FeedRefresh.noFeeds)
        }
        let report = try await refresh.run(feeds, isForced: isForced)
        try context.tell(report, keepUnreadDays: keepUnreadDays)
        if report.new > 0 {
            try await ReportVectors(in: context.app, reporter: context.reporter).makeNewest(isWaiting: true)
        }
    }

    private static func waiting(_ context: CommandContext<(ListArguments, ListFilter)>) throws {
        let (list, filter) = context.arguments
        let feed = try named(context)?.first?.id
        let unread = try context.history.open().unread(
            since: filter.since, feed: feed, category: filter.category, source: filter.source)
        if unread.isEmpty {
            try context.history.requireKnown(
                filter, among: try context.history.open().unread(feed: feed).map(\.article))
        }
        let shown = Array(unread.prefix(list.limit))
        try context.console.write(
            list.isJSON ? HistoryJSON.list(shown) : HistoryText.list(shown, style: context.style))
        if unread.count > shown.count {
            context.note("\(shown.count) of \(unread.count) entries. To list all: --limit \(unread.count)")
        }
        if unread.isEmpty {
            context.note(
                try context.history.open().feeds().isEmpty
                    ? FeedRefresh.noFeeds : "There are no unread entries. To ask the feeds: pulse-digest feeds refresh")
        }
    }

    private static func importList(_ context: CommandContext<([any FeedService], Bool)>) throws {
        let (services, allowsPrivate) = context.arguments
        let path = context.operands[0]
        if path == "-" { context.tellOfTyping() }
        let reader =
            path == "-"
            ? ByteStream(descriptor: context.console.input, name: "standard input")
            : try ByteStream(path: Value.expanded(path))
        // More than any list has.
        let data = Data(try reader.rest(limit: 16 << 20))
        let name = path == "-" ? "standard input" : path
        var list = try FeedList.parse(data, name: name, now: context.now) { address in
            services.contains { $0.serves(address) }
        }
        if allowsPrivate {
            for index in list.feeds.indices { list.feeds[index].isNamed = true }
        }
        let feeds = list.feeds
        let store = try context.history.open(.readWrite)
        let (added, named) = (try store.add(feeds), try store.markNamed(feeds.filter(\.isNamed)))
        for refusal in list.refused.prefix(20) { context.note("Skipped: \(refusal.address) \(refusal.reason).") }
        if list.refused.count > 20 { context.note("\(list.refused.count - 20) more skipped.") }
        if !context.isQuiet {
            try context.console.tell(
                "\(Counted.text(list.feeds.count, "feed", "feeds")): \(added.count) added, "
                    + "\(list.feeds.count - added.count) followed already, \(list.refused.count) skipped\n")
        }
        if !list.isWhole {
            context.note("Not all of the list was read: it is too long, or nests folders too deeply.")
        }
        if named > 0 {
            context.note(
                named == 1
                    ? "One of them is now allowed to be on your own network."
                    : "\(named) of them are now allowed to be on your own network.")
        }
        if added.contains(where: { !$0.isNamed && WebAddress($0.address)?.isPrivate == true }) {
            context.note(FeedRefresh.privateHint("\(ShellWord.quoted(path))"))
        }
        if !added.isEmpty { context.note("To bring in what is in them: pulse-digest feeds refresh") }
    }

    private static func mark(_ context: CommandContext<EntryState>) throws {
        let feeds = try named(context)
        let state = context.arguments
        let count = try context.history.open(.readWrite).mark(state, feeds: feeds?.map(\.id))
        context.note(
            state == .new
                ? Counted.text(count, "entry marked as new.", "entries marked as new.")
                : Counted.text(count, "entry marked as seen.", "entries marked as seen."))
    }
}

/// The states that `feeds mark` sets.
private enum Mark: String, Sendable, CaseIterable { case seen, new }

extension Option {
    static let keepUnreadDays = Option(
        "keep-unread-days", value: "N", defaultValue: "30", help: "delete unread feed entries after N days",
        apply: set(\.keepUnreadDays, Value.integer(in: 1...100_000)))
    static let force = toggle(
        "force", \.isForced, help: "also refresh feeds that answered just now, or asked for a pause")
    static let title = Option(
        "title", value: "TITLE", isSetting: false, help: "title of the feed", apply: set(\.feedTitle, Value.text))
    static let folder = Option(
        "folder", value: "FOLDER", isSetting: false,
        help: "put the feed into this folder, which is the category of entries that have none",
        apply: set(\.feedFolder, Value.text))
    static let allowPrivate = toggle(
        "private", \.allowsPrivate,
        help: "allow feeds of this list whose addresses are on this machine or in a private network")
    static let markAs = Option(
        "as", value: "STATE", choices: Mark.allCases.map(\.rawValue), isSetting: false,
        help: "seen: leave it out of digests; new: include it again (default: seen)"
    ) { settings, values throws(InvalidValue) in
        settings.marksAsNew = (try Value.choice(values) as Mark) == .new
    }

    // MARK: Access to the news services, for every command that fetches feeds

    static let pulseURL = Option(
        "pulse-url", value: "URL", help: "the address of Pulse's backend, for feeds such as pulse:en/science",
        apply: set(\.services.pulseURL, Value.server))
    static let pulseKeyFile = Option(
        "pulse-key-file", value: "PATH", kind: .path,
        help: "read the backend's key, where it wants one, from this file, which must be readable by you alone",
        apply: set(\.services.pulseKey.file, Value.path))
    static let pulseKeyCommand = Option(
        "pulse-key-command", value: "CMD", help: "run this for the backend's key",
        apply: set(\.services.pulseKey.command, Value.text))
    static let guardianKeyFile = Option(
        "guardian-key-file", value: "PATH", kind: .path,
        help: "read the Guardian's API key from this file, which must be readable by you alone",
        apply: set(\.services.guardianKey.file, Value.path))
    static let guardianKeyCommand = Option(
        "guardian-key-command", value: "CMD", help: "run this for the Guardian's API key",
        apply: set(\.services.guardianKey.command, Value.text))
    static let services = [pulseURL, pulseKeyFile, pulseKeyCommand, guardianKeyFile, guardianKeyCommand]
}
