import Foundation
import PulseCore
import PulseDigest
import PulseRendering
import PulseStore

/// Makes a digest: history → stories → sentences. Printing, keeping and mailing it are its callers' business.
struct DigestMaker {
    let context: Context
    let status: StatusLine
    /// Whom the digest is for; nil: whoever reads the output.
    var reader: MailAddress?

    /// What happens while a digest is made, in the order in which it is read.
    enum Event {
        /// What was read is known, and the stories; none is told.
        case begun(Digest)
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
        guard context.settings.grounded == .checked else {
            try hear(.begun(digest))
            for place in places {
                let entry = digest.sections[place.section].entries[place.index]
                try hear(.told(entry, index: place.index, section: place.section))
            }
            return digest
        }
        let writer = StoryWriter(context: context, status: status)
        let entries = digest.sections.flatMap(\.entries)
        let report = try await writer.write(entries) { number, entry throws(PulseError) in
            // Not before the model is open: where it cannot be, nothing is printed.
            if number == 0 { try hear(.begun(digest)) }
            let place = places[number]
            digest.sections[place.section].entries[place.index] = entry
            try hear(.told(entry, index: place.index, section: place.section))
        }
        if entries.isEmpty { try hear(.begun(digest)) }
        digest.model = report.model
        digest.refused = report.refused
        digest.timing = report.timing
        return digest
    }

    /// `--dry-run`: prints what the model would be asked.
    func printPrompts() async throws(PulseError) {
        guard let digest = try plan() else { return }
        try await StoryWriter(context: context, status: status).printPrompts(digest.sections.flatMap(\.entries))
    }

    /// The digest in the publications' own words: every story has what it is told by where no model tells it better.
    private func plan() throws(PulseError) -> Digest? {
        let settings = context.settings
        let window = DigestWindow(context: context, reader: reader)
        let (period, readings, daysInARow) = try context.reading { store throws(PulseError) in
            let (period, readings) = try window.readings(in: store)
            return (period, readings, try store.daysInARow(endingAt: context.now, in: context.timeZone))
        }
        let interests = Interests(
            categories: Set(settings.categories), follow: settings.follow, mute: settings.mute,
            muteSources: settings.muteSources)
        let selection = Selection(from: readings, interests: interests, limit: settings.maximumStories)
        guard !selection.sections.isEmpty else {
            if context.isGiven(.category), settings.scheduler == nil { try context.requireKnown(settings.categories) }
            context.noteOnTerminal(context.messages.emptiness(readings: readings.count, muted: selection.muted))
            return nil
        }
        var digest = Digest(
            date: context.now, period: period, language: settings.language, sections: selection.tell(),
            daysInARow: daysInARow, muted: selection.muted)
        digest.considered = Set(readings.map(\.article.id))
        return digest
    }
}
