import Foundation
import PulseApp
import PulseCore
import PulseDigest
import PulsePlatform
import PulseStore

extension Command {
    static let today = Command(
        "today", summary: "summarise what you read in the last two days",
        details: """
            Every story appears once, however many publications covered it, the most important first. A model on this \
            machine writes a sentence about each and shows it as it writes; if the story's articles do not support it, \
            a publication is quoted instead. Without a model (see pulse-digest models), or with --model none, every \
            story is quoted. If you read nothing in that time, nothing is printed.

            Every digest is stored: --date prints an earlier one, and other commands take the number of a story in the \
            last one, as in pulse-digest summarize 3.

            --basis unread sums up the unread entries of your feeds that were in no digest yet: each email address \
            gets them once, and so does standard output. --basis bookmarks sums up what you saved.

            --follow puts stories first in their category and may fill up to half of the digest; one article with a \
            muted word removes its whole story. Words are matched whole, in titles, descriptions and first sentences, \
            ignoring case and accents. The digest says how many articles were left out or muted.

            Formats other than text are printed in one piece at the end. An email can be piped on, a feed grows by an \
            entry a day:

              pulse-digest today --format email --to ana@example.org | sendmail -t -oi
              pulse-digest today --format atom --output digests.xml
            """,
        options: ([Option.profile, .basis, .hours, .since, .sinceLast, .week] + Option.choosing + Option.sizing).headed(
            "What to include")
            + [Option.language, .format(), .output, .speak, .explain, .date, .dryRun].headed("Output")
            + [Option.send, .to, .from, .again, .sendmail, .sendTimeout, .retryTime, .scheduled].headed("Email")
            + (Option.writing + [.fresh]).headed("Model"),
        resolving: TodayArguments.init
    ) { context in
        switch context.arguments {
        case .print(let digest): try await context.with(arguments: digest).print()
        case .reprint(let day, let profile, let output):
            try await context.with(arguments: output).print(day, for: profile)
        case .preview(let delivery):
            for mail in try delivery.mails() {
                if let message = try await delivery.preview(mail) { try context.console.write(message) }
            }
        case .send(let run): try await run.run()
        }
    }.workingWithFaultySettings { $0.isSent && $0.scheduler != nil }
}

enum TodayArguments: Sendable {
    case print(PrintedDigest)
    /// The digest of an earlier day, as typed, and of a profile.
    case reprint(day: String, profile: String, OutputArguments)
    case preview(DigestDelivery)
    case send(NightlyRun)

    init(_ context: RawContext) throws {
        try context.requireOptionsThatGoTogether()
        let settings = context.settings
        guard settings.isSent else {
            self =
                if let day = settings.day {
                    .reprint(day: day, profile: settings.profile, settings.output)
                } else {
                    .print(try PrintedDigest(context))
                }
            return
        }
        let delivery = DigestDelivery(
            to: try context.mailReaders(), by: settings.mail, in: context.app, reporter: context.reporter)
        if settings.isDryRun {
            if let fault = context.arguments.settingsFault { throw fault }
            self = .preview(delivery)
        } else {
            self = .send(
                NightlyRun(
                    delivery, of: try context.reader(settings, isMailed: true),
                    sources: ImportSources(context.importer), feeds: context.feedRefresh,
                    startedBy: settings.scheduler, fault: context.arguments.settingsFault,
                    catalogue: context.console.catalogue,
                    interruptedStatus: { Interruption.status }))
        }
    }
}

struct PrintedDigest: Sendable {
    let request: DigestRequest
    let model: ModelSettings
    let delivery: Delivery
    /// Whether only the prompts are printed.
    let isDryRun: Bool
    let output: OutputArguments

    init(_ context: RawContext) throws {
        let settings = context.settings
        if settings.format == .email, !settings.output.isSpoken { _ = try settings.to.recipients() }
        request = try context.request(settings, isMailed: false)
        model = context.model
        delivery = context.delivery
        isDryRun = settings.isDryRun
        output = settings.output
    }
}

extension RawContext {
    /// Throws if options contradict each other. Settings are not checked: they are for every run.
    fileprivate func requireOptionsThatGoTogether() throws {
        try requireOneWindow()
        if settings.digest.basis == .bookmarks, isGiven(.sinceLast) {
            throw PulseError(
                .usage, "--since-last does not apply to bookmarks.", hint: "Use --hours or --since.")
        }
        if settings.day != nil { try checkOfAnotherDay() }
        if settings.output.isWeek {
            for option in Option.writing + [.fresh] where isGiven(option) {
                throw PulseError(
                    .usage, "--week sums up earlier digests and asks no model, so --\(option.name) does not apply.")
            }
            if settings.isDryRun, !settings.isSent {
                throw PulseError(.usage, "--week asks no model, so there is no prompt to show.")
            }
        }
        if settings.isSent {
            for option in [Option.output, .speak, .explain] where isGiven(option) {
                throw PulseError.contradiction("--send emails the digest, so --\(option.name) does not apply.")
            }
            return try requireMailFormat()
        }
        try requireOneVoice()
        if isGiven(.explain), settings.format != .text || settings.output.isSpoken || settings.output.isWeek {
            throw PulseError(
                .usage, "--explain only works with a day's digest as text.", hint: "Leave --explain out.")
        }
        for option in Option.mailing where isGiven(option) {
            throw PulseError(.usage, "--\(option.name) only works with --send.")
        }
        for option in [Option.to, .from] where isGiven(option) && settings.format != .email {
            throw PulseError(.usage, "--\(option.name) only works with --send or --format email.")
        }
    }

    private func checkOfAnotherDay() throws {
        if settings.isSent {
            throw PulseError.contradiction("--send emails today's digest and --date prints an earlier one.")
        }
        let printing =
            ([Option.date, .profile, .to, .from, .output, .speak] + Option.everywhere).map(\.name) + [Option.formatName]
        for (option, _) in flags where isGiven(option) && !printing.contains(option.name) {
            throw PulseError.contradiction("--date prints a digest as it was, so --\(option.name) does not apply.")
        }
    }

    /// The delivery of a digest that is printed now: whole, unless the command line asks for a part.
    var delivery: Delivery {
        if settings.output.isWeek { return .week }
        let limits: [Option] = [.hours, .since, .category, .source, .mute, .muteSource, .maxStories]
        return limits.contains(where: isGiven) ? .glance : .printed
    }
}

extension CommandContext<OutputArguments> {
    fileprivate func print(_ day: String, for profile: String) async throws {
        let noon = try DateWords(now: now, calendar: calendar).pastNoon(day, for: "--date")
        let day = Day(noon, in: timeZone).text
        let found = try history.open().digest(on: noon, for: profile, calendar: calendar)
        switch found {
        case .digest(let digest):
            try await hand(out: digest, isPaged: true)
            // If the history cannot be written to, only the story numbers are lost.
            try? history.open(.readWrite).keepPrinted(digest, profile: profile, calendar: calendar)
        case .unreadable:
            throw PulseError(
                .badData, "The digest of \(day) is damaged, or was made by another version of pulse-digest.",
                hint: "To see what you read that day: pulse-digest history list")
        case .none(let before, let after):
            throw PulseError(
                .noInput, "There is no digest of \(day).", hint: nearest([before, after].compactMap(\.self)))
        }
    }

    private func nearest(_ dates: [Date]) -> Message {
        let days = dates.map { Day($0, in: timeZone).text }
        return switch days.count {
        case 0: "None has been made yet. To make one: pulse-digest today"
        case 1: "The nearest is of \(days[0])."
        default: "The nearest are of \(days[0]) and \(days[1])."
        }
    }
}
