import Foundation
import PulseCore
import PulseDigest
import PulseModels
import PulseRendering
import PulseStore

/// Makes a digest: history → stories → sentences. Printing, keeping and mailing it are its callers' business.
struct DigestMaker {
    let context: Context
    let status: StatusLine
    /// Whom the digest is for; nil: whoever reads the output.
    var reader: MailAddress?
    /// Whether somebody reads it while it is made.
    var isReadAlong = false

    /// What happens while a digest is made, in the order in which it is read.
    enum Event {
        /// What was read is known, and the stories; none is told.
        case begun(Digest)
        /// What is there of the next sentence about the story at a place of a section, as a model writes it.
        case writing(String, index: Int, section: Int)
        /// The story at a place of a section is told.
        case told(Digest.Entry, index: Int, section: Int)
    }

    /// - Parameter hear: Is told of each step, on the caller's task; what it throws ends the work.
    /// - Returns: nil where there is nothing to tell.
    func make(_ hear: (Event) throws(PulseError) -> Void = { _ in }) async throws(PulseError) -> Digest? {
        guard var digest = try plan() else { return nil }
        let places = digest.sections.enumerated().flatMap { section, stories in
            stories.entries.indices.map { (section: section, index: $0) }
        }
        guard !digest.isWeek, let model = try context.writer() else {
            try hear(.begun(digest))
            for place in places {
                let entry = digest.sections[place.section].entries[place.index]
                try hear(.told(entry, index: place.index, section: place.section))
            }
            return digest
        }
        let writer = StoryWriter(model: model, context: context, status: status, isReadAlong: isReadAlong)
        let entries = digest.sections.flatMap(\.entries)
        var told: Int?
        func begin() throws(PulseError) {
            guard told == nil else { return }
            told = 0
            try hear(.begun(digest))
        }
        do throws(PulseError) {
            let report = try await writer.write(entries) { event throws(PulseError) in
                // Not before the model is open, so that a status line can say what is going on.
                try begin()
                switch event {
                case .writing(let number, let text):
                    try hear(.writing(text, index: places[number].index, section: places[number].section))
                case .told(let number, let entry):
                    let place = places[number]
                    digest.sections[place.section].entries[place.index] = entry
                    try hear(.told(entry, index: place.index, section: place.section))
                    told = number + 1
                }
            }
            // Of stories that no model can be asked about, none has said anything.
            if entries.contains(where: writer.isAsked) { digest.model = report.model }
            digest.refused = report.refused
            digest.timing = report.timing
        } catch  where [.unavailable, .tryAgain].contains(error.code) {
            // A model that cannot be used is no reason for a night without a digest. What stands there unfinished would
            // be in the way of what is said.
            if let told, told < places.count {
                try hear(.writing("", index: places[told].index, section: places[told].section))
            }
            digest.model = ModelIdentity(name: model.name, sha256: nil)
            context.note("\(error)")
            context.note("The publications are quoted instead.")
        }
        try begin()
        for number in (told ?? 0)..<entries.count {
            try hear(.told(entries[number], index: places[number].index, section: places[number].section))
        }
        digest.check = context.settings.check
        tellOfLittleUse(of: model, digest)
        return digest
    }

    /// A model of which hardly anything can be shown costs time for nothing, and somebody may have a better one.
    private func tellOfLittleUse(of model: ResolvedModel, _ digest: Digest) {
        let told = digest.sections.flatMap(\.entries).filter { !$0.sentences.isEmpty }
        let written = told.count { $0.sentences.contains { !$0.isQuotation } }
        guard digest.timing.outputTokens > 0, told.count >= 5, written * 5 < told.count else { return }
        context.noteOnTerminal("Hardly anything that \(model.name) writes can be shown.")
        guard model.entry?.isWorthIt != true, let advice = (try? ModelFiles(context: context))?.advice else { return }
        context.noteOnTerminal(advice)
    }

    /// Why there is no digest of so many articles.
    private func emptiness(readings: Int, isMuted: Bool) throws(PulseError) -> Message {
        if readings == 0 {
            return switch context.settings.basis {
            case .read: try context.whatCameIn()
            case .unread, .readAndUnread:
                try isToldToday()
                    ? "Nothing new is waiting in your feeds since the last digest of today. To see that again: "
                        + "pulse-digest today --date today. To ask the feeds: pulse-digest feeds refresh"
                    : "Nothing new is waiting in your feeds. To ask them: pulse-digest feeds refresh"
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

    private func isToldToday() throws(PulseError) -> Bool {
        let today = try context.reading { store throws(PulseError) in
            try store.digest(on: context.now, for: context.settings.profile, calendar: context.calendar)
        }
        if case .digest = today { return true }
        return false
    }

    /// That nothing was read may mean that nothing was imported.
    private func tellWhyNothingWasRead() throws(PulseError) {
        let last = try context.reading { store throws(PulseError) in try store.lastImport() }
        guard let last, context.now.timeIntervalSince(last) > NightlyRun.patience else { return }
        let day = Day(last, in: context.timeZone).text
        context.noteOnTerminal("Nothing has been imported since \(day). To import what you read: pulse-digest import")
    }

    /// `--dry-run`: prints what the model would be asked.
    func printPrompts() async throws(PulseError) {
        let model = try context.requireWriter()
        guard let digest = try plan() else { return }
        try await StoryWriter(model: model, context: context, status: status).printPrompts(
            digest.sections.flatMap(\.entries))
    }

    /// The digest in the publications' own words: every story has what it is told by where no model tells it better.
    func plan() throws(PulseError) -> Digest? {
        let settings = context.settings
        let isWeek = settings.isWeek
        let window = DigestWindow(context: context, reader: reader)
        let (period, readings, told, daysInARow) = try context.reading { store throws(PulseError) in
            let (period, readings) = try window.readings(in: store)
            let days =
                [.read, .readAndUnread].contains(settings.basis)
                ? try store.daysInARow(endingAt: context.now, in: context.timeZone) : 0
            return (
                period, readings,
                try isWeek ? DigestArchive(context: context).told(in: period, store) : window.told(in: store), days
            )
        }
        let interests = Interests(
            categories: Set(settings.categories), sources: settings.sources, follow: settings.follow,
            mute: settings.mute,
            muteSources: settings.muteSources)
        let selection = Selection(
            from: readings, interests: interests, limit: settings.maximumStories,
            earlier: isWeek ? [] : told, isWeek: isWeek)
        guard !selection.sections.isEmpty else {
            if settings.scheduler == nil, settings.basis == .read {
                if context.isGiven(.category) { try context.requireKnown(settings.categories) }
                if context.isGiven(.source) { try context.requireKnown(sources: settings.sources) }
            }
            context.noteOnTerminal(try emptiness(readings: readings.count, isMuted: selection.muted > 0))
            if readings.isEmpty, settings.basis == .read { try tellWhyNothingWasRead() }
            return nil
        }
        var digest = Digest(
            date: context.now, basis: settings.basis, period: period, isWeek: isWeek, language: settings.language,
            sections: isWeek ? selection.courses(told: told, in: context.timeZone) : selection.tell(),
            daysInARow: daysInARow, muted: selection.muted)
        digest.considered = window.considered(readings, in: digest, interests)
        return digest
    }
}
