package import Foundation
package import PulseCore
package import PulseDigest
import PulseModels
package import PulseRendering
import PulseStore
import PulseText

/// Makes a digest: history → stories → sentences. Callers print, store and mail it.
package struct DigestMaker {
    private let app: AppEnvironment
    private let request: DigestRequest
    private let settings: ModelSettings
    /// The recipient; nil: the reader of the output.
    private let recipient: MailAddress?
    private let reporter: Reporter
    /// Whether somebody reads it while it is made.
    private let isReadAlong: Bool
    /// Whether nobody waits for it.
    private let isUnattended: Bool

    package init(
        of request: DigestRequest, for recipient: MailAddress? = nil, by settings: ModelSettings,
        in app: AppEnvironment, reporter: Reporter, isReadAlong: Bool = false, isUnattended: Bool = false
    ) {
        self.app = app
        self.request = request
        self.settings = settings
        self.recipient = recipient
        self.reporter = reporter
        self.isReadAlong = isReadAlong
        self.isUnattended = isUnattended
    }

    /// The state of an unfinished digest. Updates come in reading order, all of one story before any of the next.
    package struct Update {
        /// The stories before this one are final; later ones have their publications' own words.
        package let digest: Digest
        package let section: Int
        package let index: Int
        /// The unfinished sentence about it, as a model writes it; nil: the story is final.
        package let unfinished: String?

        package var entry: Digest.Entry { digest.sections[section].entries[index] }
    }

    /// - Parameter onUpdate: Called on the caller's task; an error that it throws ends the work. The first update comes
    ///   when the model is open, if one is needed.
    /// - Returns: nil where there is nothing to tell.
    package func make(_ onUpdate: (Update) throws -> Void = { _ in }) async throws -> Digest? {
        guard var digest = try await plan() else { return nil }
        let entries = digest.sections.flatMap(\.entries)
        let places = digest.sections.enumerated().flatMap { section, stories in
            stories.entries.indices.map { (section: section, index: $0) }
        }
        var told = 0
        func show(_ number: Int, unfinished: String? = nil) throws {
            let (section, index) = places[number]
            try onUpdate(Update(digest: digest, section: section, index: index, unfinished: unfinished))
        }
        func tell(upTo number: Int) throws {
            while told < number {
                try show(told)
                told += 1
            }
        }
        let model = digest.isWeek ? nil : try ModelCatalog.writer(in: app, named: settings.name)
        if let model {
            let writer = StoryWriter(
                model: model, app: app, settings: settings, language: request.language, length: request.length,
                reporter: reporter, isReadAlong: isReadAlong)
            do {
                let asked = entries.indices.filter { writer.isAsked(entries[$0]) }
                let report = try await writer.write(asked.map { entries[$0] }) { update in
                    let number = asked[update.number]
                    try tell(upTo: number)
                    guard update.isWhole else { return try show(number, unfinished: update.answer.unfinished) }
                    let (section, index) = places[number]
                    digest.sections[section].entries[index].sentences = update.answer.sentences.orReplacements(
                        entries[number].sentences)
                    try tell(upTo: number + 1)
                }
                if report.isUsed {
                    digest.model = report.model
                } else if !asked.isEmpty {
                    digest.unusable = model.name
                    if let tooSmall = report.tooSmall { reporter.note("\(tooSmall)") }
                }
                digest.refused = report.refused
                digest.timing = report.timing
                model.tellForeign(entries.count(where: writer.isForeign), reporter)
                if report.quotesOnly { digest.chosen = Self.chosen(digest.sections.flatMap(\.entries), by: writer) }
            } catch let error as PulseError where [.unavailable, .tryAgain].contains(error.code) {
                // Clears the unfinished sentence, so that the notes do not follow it on its line.
                if told < places.count { try show(told, unfinished: "") }
                // What it wrote before is kept.
                if digest.sentences.allSatisfy(\.isQuotation) {
                    digest.unusable = model.name
                } else {
                    digest.model = ModelIdentity(name: model.name, sha256: nil)
                }
                reporter.note("\(error)")
                reporter.note("The publications are quoted instead.")
            }
            digest.check = settings.check
        }
        try tell(upTo: entries.count)
        if let model { tellOfLittleUse(of: model, digest) }
        return digest
    }

    /// The number of stories whose sentence the model chose. A `replaced` one does not count.
    private static func chosen(_ entries: [Digest.Entry], by writer: StoryWriter) -> Int {
        entries.count { entry in
            writer.isAsked(entry) && entry.sentences.allSatisfy { [.copied, .shortened].contains($0.origin) }
        }
    }

    /// Warns of a model that costs time for nothing, but not of the catalogue's adapters: they are made to copy.
    private func tellOfLittleUse(of model: ResolvedModel, _ digest: Digest) {
        let told = digest.sections.flatMap(\.entries).filter { !$0.sentences.isEmpty }
        let written = told.count { $0.sentences.contains { !$0.isQuotation } }
        guard model.adapter == nil, digest.timing.outputTokens > 0, told.count >= 5, written * 5 < told.count
        else { return }
        reporter.hint(
            "Hardly anything that \(model.name) writes can be confirmed from the articles, so most stories are "
                + "quotations.")
        guard model.entry?.isWorthIt != true, let advice = (try? ModelCatalog(in: app))?.advice
        else { return }
        reporter.hint(advice)
    }

    private static func nothingNew(of stories: Int, hours: Int) -> Message {
        let count = Counted.text(stories, "story of that time was told before", "stories of that time were told before")
        return "Nothing is new: \(count). To see that again: pulse-digest today --hours \(hours)"
    }

    /// Why there is no digest: nothing was read, or all of it is muted or in other categories.
    private func reasonForNoDigest(readings: Int, isMuted: Bool) throws -> Message {
        if readings == 0 {
            return switch request.basis {
            case .read:
                if let recipient, try app.daysWithReading() == AppEnvironment.stretches[0] {
                    "What you read was already sent to \(recipient.address). To send it again: pulse-digest today --send "
                        + "--again --to \(recipient.address)"
                } else {
                    try app.explainNothingNew()
                }
            case .unread where try app.history.open().feeds().isEmpty:
                FeedRefresh.noFeeds
            case .unread, .readAndUnread:
                try isToldToday()
                    ? "Nothing new has come into your feeds since today's last digest. To see that again: "
                        + "pulse-digest today --date today. To refresh the feeds: pulse-digest feeds refresh"
                    : "There is nothing new in your feeds. To refresh them: pulse-digest feeds refresh"
            case .bookmarks: "You bookmarked nothing in that time. To go further back: --hours N"
            }
        }
        if readings == 1 {
            return isMuted
                ? "The article of that time is muted. To include it: --mute \"\" --mute-source \"\""
                : "The article of that time is in none of these categories."
        }
        let count = Counted.text(readings)
        return isMuted
            ? "All \(count) articles of that time are muted. To include them: --mute \"\" --mute-source \"\""
            : "None of the \(count) articles of that time is in these categories."
    }

    /// Notes the publications that the history does not have: otherwise nobody would notice a mistyped one.
    private func warnOfUnknown(_ sources: [String]) throws {
        for source in sources { try warn { try app.history.requireKnown(sources: [source]) } }
    }

    private func warn(_ requireKnown: () throws -> Void) throws {
        do {
            try requireKnown()
        } catch let error as PulseError where error.code == .noInput {
            reporter.note("\(error)")
        }
    }

    private func isToldToday() throws -> Bool {
        let today = try app.history.open().digest(on: app.now, for: request.profile, calendar: app.calendar)
        return if case .digest = today { true } else { false }
    }

    /// If nothing was read, perhaps nothing was imported: hints at it if the last import was days ago.
    private func tellWhyNothingWasRead() throws {
        let last = try app.history.open().lastImport()
        guard let last, app.now.timeIntervalSince(last) > StaleSource.patience else { return }
        let day = Day(last, in: app.timeZone).text
        reporter.hint("Nothing has been imported since \(day). To import what you read: pulse-digest import")
    }

    /// The prompts for the model; nil if there is nothing to tell.
    package func prompts() async throws -> PromptList? {
        let model = try ModelCatalog.requiredWriter(in: app, named: settings.name)
        guard let digest = try await plan() else { return nil }
        return try await StoryWriter(
            model: model, app: app, settings: settings, language: request.language, length: request.length,
            reporter: reporter
        ).prompts(digest.sections.flatMap(\.entries))
    }

    /// The digest in the publications' own words. Nil if there is nothing to tell, which is reported.
    func plan() async throws -> Digest? {
        let window = DigestWindow(of: request, for: recipient, in: app)
        let store = try app.history.open()
        let (period, readings) = try window.readings(in: store)
        let told = try window.told(in: store)
        let daysInARow =
            [.read, .readAndUnread].contains(request.basis)
            ? try store.daysInARow(endingAt: app.now, in: app.timeZone) : 0
        _ = consume store
        let isWeek = request.isWeek
        let candidates = StoryCandidates(readings, interests: request.interests, earlier: isWeek ? [] : told)
        let doubtful = candidates.doubtful
        var meanings = Meanings.none
        if doubtful.count > 1 {
            meanings = try await ReportVectors(in: app, reporter: reporter).meanings(
                of: doubtful, within: isUnattended ? ReportVectors.atNight : ReportVectors.patience)
        }
        let taste = try taste(for: readings)
        let selection = StorySelection(
            from: candidates, limit: request.maximumStories, mostOfSection: request.mostOfSection,
            isAskedAgain: request.isAskedAgain,
            day: app.calendar.dateInterval(of: .day, for: app.now), isWeek: isWeek, meanings: meanings, taste: taste,
            language: request.language, length: request.length)
        guard !selection.sections.isEmpty else {
            if selection.repeated > 0 {
                reporter.hint(Self.nothingNew(of: selection.repeated, hours: request.hours))
                return nil
            }
            if request.basis == .read {
                try app.history.requireKnown(request.namedCategories)
                try app.history.requireKnown(sources: request.namedSources)
                try warnOfUnknown(request.namedMuteSources)
            }
            reporter.hint(try reasonForNoDigest(readings: readings.count, isMuted: selection.muted > 0))
            if readings.isEmpty, request.basis == .read { try tellWhyNothingWasRead() }
            return nil
        }
        if request.basis == .read {
            try warn { try app.history.requireKnown(request.namedCategories) }
            try warnOfUnknown(request.namedSources + request.namedMuteSources)
        }
        let headings = selection.sections.compactMap(\.heading.name)
        for name in request.namedSections where !headings.map(Words.name).contains(Words.name(name)) {
            let (name, there) = (PlainText.line(name), headings.map(PlainText.line).joined(separator: ", "))
            reporter.note(
                there.isEmpty
                    ? "This digest has no section “\(name)”."
                    : "This digest has no section “\(name)”. It has: \(there).")
        }
        if selection.muted == 0, !request.namedMute.isEmpty {
            let words = request.namedMute.map(PlainText.line).joined(separator: ", ")
            reporter.note("Nothing of that time has “\(words)” in it, so nothing is muted.")
        }
        var digest = Digest(
            date: app.now, basis: request.basis, period: period, isWeek: isWeek, language: request.language,
            sections: isWeek ? selection.courses(told: told, in: app.timeZone) : selection.digestSections(),
            toldBefore: selection.toldBefore,
            daysInARow: daysInARow, muted: selection.muted)
        digest.toldArticles = selection.toldArticles
        digest.times = readings.filter(\.isExact).map(\.readAt)
        digest.considered = window.considered(readings, in: digest)
        return digest
    }

    /// The reader's taste, if more entries wait than the digest has room for.
    private func taste(for readings: [Reading]) throws -> Taste? {
        guard request.order == .interests, !request.isWeek, request.maximumStories < readings.count,
            readings.contains(where: { $0.basis == .unread })
        else { return nil }
        return try ReaderInterests(in: app, reporter: reporter).taste()
    }
}

/// The order of unread stories that equally many publications tell.
package enum WaitingOrder: String, Sendable, CaseIterable {
    /// By what the reader has read before.
    case interests
    case newest
}

/// The requested digest: its articles, its period and its language.
package struct DigestRequest: Sendable {
    package enum Window: Sendable, Hashable {
        case hours(Double)
        case since(Date)
        /// Articles that no sent digest has included yet.
        case sinceLast
        /// The last seven days of the calendar, today among them.
        case week
    }

    /// The name of the reader's profile; empty: the default profile.
    package var profile = ""
    package var basis = DigestBasis.read
    package var window = Window.hours(48)
    /// Whether the window was given for this digest, and so limits unread entries, too.
    package var isWindowNamed = false
    /// The only categories and publications; empty: all.
    package var categories: [Category] = []
    package var sources: [String] = []
    /// Words and names of categories that come first; and words and publications that are left out.
    package var follow: [String] = []
    package var mute: [String] = []
    package var muteSources: [String] = []
    /// Those of the command line. If the digest is empty, an unknown one is an error: it is most likely mistyped.
    package var namedCategories: [Category] = []
    /// The same for publications.
    package var namedSources: [String] = []
    package var namedMuteSources: [String] = []
    package var namedSections: [String] = []
    package var namedMute: [String] = []
    /// Whether the command line limits it to a part, so that the rest is left for the next digest.
    package var isPart = false
    package var maximumStories = 25
    package var mostOfSection = StorySelection.mostSummarized
    package var order = WaitingOrder.interests
    package var length = StoryLength.normal
    /// Names of categories and publications whose sections come first, in this order.
    package var sections: [String] = []
    package var language = Language.english
    /// Whether it is sent even if that day's digest was sent already: what was sent today then counts as not sent.
    package var isAgain = false

    package var isWeek: Bool { window == .week }

    /// Whether stories that were told before may come again: with a given window, from bookmarks, in a repeated mail,
    /// and since the last mail, because those articles have not reached their reader yet.
    var isAskedAgain: Bool { isWindowNamed || isAgain || basis == .bookmarks || window == .sinceLast }

    /// The window in hours, for the command in a hint; 48 if it is of another kind.
    var hours: Int { if case .hours(let hours) = window { max(1, Int(hours.rounded(.up))) } else { 48 } }

    var interests: Interests {
        Interests(
            categories: Set(categories), sources: sources, follow: follow, sections: sections, mute: mute,
            muteSources: muteSources)
    }

    package init() {}
}
