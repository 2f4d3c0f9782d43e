import Foundation
package import PulseCore
import PulseDigest
import PulseInference
import PulseModels
import PulsePlatform
import PulseRendering
import PulseStore
import PulseText

/// The settings of `ask`.
package struct QuestionSettings: Sendable {
    package var basis = DigestBasis.read
    package var filter = ListFilter()
    package var limit = 5
    /// The reader's.
    package var language = Language.english
    /// The profile for which sources' numbers are kept; empty: the default profile.
    package var profile = ""
    /// The file to which each question and its reply are added.
    package var savePath: String?

    package init() {}
}

/// Questions about the history, one after another. For each, the most relevant passages are found, and a model answers
/// from these alone; each sentence of the answer is checked against them. A question may continue the earlier ones.
package struct Conversation {
    private let settings: QuestionSettings
    private let app: AppEnvironment
    private let reporter: Reporter
    private let finder: PassageFinder
    private let encoder: Encoder?
    /// Nil: no model is used, and only the passages are shown.
    private let writer: PassageWriter?
    private let saved: SavedReplies?
    private let publications: [String]
    private var earlier: [AskedQuestion] = []

    /// Opens the encoder and the model, and indexes new articles.
    ///
    /// - Throws: If there is nothing to search, or if replies cannot be saved.
    package init(
        _ settings: QuestionSettings, by model: ModelSettings, isDryRun: Bool, isReadAlong: Bool,
        in app: AppEnvironment, reporter: Reporter
    ) async throws {
        (self.settings, self.app, self.reporter) = (settings, app, reporter)
        saved = try settings.savePath.map { path in try SavedReplies(path, in: app) }
        publications = try app.history.requireSomething(for: settings, in: app.timeZone)
        let encoder = await Self.openEncoder(in: app.locations, reporter)
        self.encoder = encoder
        // The encoder opens while the rest is prepared, because the question's vector is needed first.
        async let _ = try? await encoder?.open()
        writer = try await PassageWriter.make(
            model, isDryRun: isDryRun, isReadAlong: isReadAlong, language: settings.language,
            instead: "The nearest passages are quoted instead.", in: app, reporter: reporter)
        if writer == nil, model.name == nil, let advice = ModelCatalog.adviceOfTheWeek(in: app) {
            reporter.hint("For an answer by a model on this machine: \(advice)")
        }
        if settings.basis == .read { try app.history.index(reporter) }
        let filter = settings.filter
        finder = PassageFinder(
            history: app.history, encoder: encoder, basis: settings.basis,
            scope: SearchFilter(
                period: filter.since.map { Period(from: $0, to: app.now) }, category: filter.category,
                sources: filter.source.map { [$0] } ?? []),
            reports: ReportVectors(in: app, reporter: reporter))
    }

    /// Nil if it cannot be used: articles are then found by their words only.
    private static func openEncoder(in locations: Locations, _ reporter: Reporter) async -> Encoder? {
        do {
            return try Encoder.ofMeanings(in: locations)
        } catch {
            reporter.note("\(error.asPulseError)")
            reporter.note("What you read is searched by its words only.")
            return nil
        }
    }

    private func question(_ text: String) -> AskedQuestion {
        if text.count > AskedQuestion.longest {
            reporter.note("Only the first \(Counted.text(AskedQuestion.longest)) characters of the question are read.")
        }
        return AskedQuestion(text, publications: publications, now: app.now, calendar: app.calendar)
    }

    /// - Parameters:
    ///   - onFound: Called with the passages, before the model begins.
    ///   - onWriting: Called with the sentences to show, and the beginning of the next one. An error that it throws
    ///     ends the work.
    package mutating func answer(
        _ text: String, onFound: ([Passage]) -> Void, onWriting: PassageWriter.OnWriting
    ) async throws -> Reply {
        let question = question(text)
        let context = try finder.context(of: question, after: earlier)
        let finding = try await finder.find(question.following(context), limit: settings.limit)
        onFound(finding.passages)
        let titles = finding.passages.map { PlainText.line($0.reading.article.title) }
        if !titles.isEmpty { reporter.show("Looking at: \(titles.joined(separator: "; "))") }
        let asked = self.asked(about: finding.material)
        if asked == nil { writer?.tellForeign(Set(finding.material.map(\.reading.article.id)).count) }
        let written = try await asked?.write(
            task(question, after: context, finding), from: finding.material, onWriting: onWriting)
        let sentences = written?.answer.sentences ?? []
        earlier.append(question)
        return Reply(
            question: question.text, basis: settings.basis, searched: finding.searched,
            missing: try finder.missing(question, finding), sentences: sentences,
            isUnanswered: written.map { isUnanswered($0.answer, finding) } ?? finding.isUnrelated,
            passages: shown(finding.passages, with: sentences), language: settings.language,
            model: written?.model, unusable: written == nil ? asked?.name : nil,
            refused: written?.answer.refused ?? 0, check: writer?.check ?? .replace,
            quotesOnly: writer?.quotesOnly ?? false, timing: written?.timing ?? Timing(),
            isUnrelated: finding.isUnrelated, byWordsOnly: finding.byWordsOnly)
    }

    /// Makes missing vectors while somebody reads the answer and types another question.
    package func whileWaiting<Result>(_ wait: () async throws -> Result) async throws -> Result {
        guard let encoder, settings.basis == .read else { return try await wait() }
        let (history, reporter) = (app.history, reporter)
        // Cancelled and awaited at the end: the library must be idle when the program ends.
        async let _ = Self.makeVectors(in: history, by: encoder, reporter)
        return try await wait()
    }

    private static func makeVectors(in history: History, by encoder: Encoder, _ reporter: Reporter) async {
        do {
            try await history.makeVectors(by: encoder, until: ContinuousClock.now + Duration.seconds(300)) { _, _ in }
        } catch {
            reporter.detail("vectors were not made: \(error.asPulseError)")
        }
    }

    /// Stores the numbers of a reply's sources for other commands, and saves the reply if asked to.
    package func keep(_ reply: Reply) throws {
        app.keepNumbers(of: reply, profile: settings.profile, reporter: reporter)
        try saved?.add(reply)
    }

    /// Advice if no article is about the question, or if nothing was read in its period; else nil.
    package func advice(on reply: Reply) throws -> Message? {
        if reply.isUnrelated {
            let waiting = settings.basis == .read ? try app.history.open().unreadCount() : 0
            return waiting == 0
                ? nil : "To ask about the unread entries of your feeds, too: pulse-digest ask --basis read,unread …"
        }
        guard reply.passages.isEmpty, settings.basis == .read, let period = reply.searched?.period else { return nil }
        let days = try app.history.open().readingTimes(around: period)
            .map { Day($0, in: app.timeZone).text }
        let nearest: Message =
            days.count > 1
            ? "You did read something on \(days[0]) and \(days[1])."
            : "You did read something on \(days.first ?? "")."
        return days.isEmpty ? nil : "\(nearest) To bring in what is missing: pulse-digest import"
    }

    /// The prompt for the model; nil if there is no model.
    package func prompts(_ text: String) async throws -> PromptList? {
        let question = question(text)
        let finding = try await finder.find(question, limit: settings.limit)
        let material = asked(about: finding.material) == nil ? [] : finding.material
        return try await writer?.prompts(task(question, after: [], finding), about: material)
    }

    /// The writer for these passages; nil if there are none, or if the model does not write their language.
    private func asked(about material: [Passage]) -> PassageWriter? {
        guard let writer, let first = material.first, writer.writes(first.reading.article) else { return nil }
        return writer
    }

    private func task(
        _ question: AskedQuestion, after earlier: [AskedQuestion], _ finding: PassageFinder.Finding
    ) -> PassageWriter.Task {
        .answer(
            to: question, text: (earlier.suffix(2) + [question]).map(\.text).joined(separator: "\n"),
            // The text of an article need not mention the filters that were applied.
            subject: finding.searched?.isBeyond == true ? question.text : question.subject)
    }

    /// The nearest passages, and others that are cited.
    private func shown(_ passages: [Passage], with sentences: [Sentence]) -> [Passage] {
        let cited = Set(sentences.flatMap(\.sources))
        return passages.enumerated().filter { place, passage in
            place < settings.limit
                || ([passage.reading] + passage.others).contains { cited.contains($0.article.id) }
        }.map(\.element)
    }

    /// Whether the passages do not answer the question: the model says so, or the check of paraphrases refused all
    /// sentences. If only quotations pass, this is not known, because most true sentences are refused. Passages that
    /// lack a name of the question may have another word for it, so that counts only if they are not similar to it.
    private func isUnanswered(_ answer: CheckedAnswer, _ finding: PassageFinder.Finding) -> Bool {
        guard answer.sentences.isEmpty, !answer.saysNoAnswer else { return answer.sentences.isEmpty }
        return answer.isUnanswerable ? finding.isFar : writer?.copiesOnly == false
    }
}

extension AppEnvironment {
    /// Stores the numbers of a reply's sources for other commands. If that fails, the reply is still shown.
    package func keepNumbers(of reply: Reply, profile: String, reporter: Reporter) {
        guard !reply.sources.isEmpty else { return }
        do {
            try history.open(.readWrite).keepSources(
                reply.sources, profile: profile, language: reply.language, at: now, calendar: calendar)
        } catch {
            reporter.detail("the sources' numbers were not kept: \(error.asPulseError)")
        }
    }
}

/// A Markdown file to which questions and their replies are added.
private struct SavedReplies {
    private let path: String
    private let app: AppEnvironment

    /// - Throws: If it cannot be written, before a model works for nothing.
    init(_ named: String, in app: AppEnvironment) throws {
        path = URL(fileURLWithPath: named).resolvingSymlinksInPath().path
        self.app = app
        guard AtomicFile.isRegular(path) else { throw PulseError(.cannotWrite, "\(named) is not a file.") }
        let folder = (path as NSString).deletingLastPathComponent
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw PulseError(
                .cannotWrite, "\(named) cannot be written: its folder is missing, or belongs to somebody else.",
                hint: "Give --save another name.")
        }
    }

    /// Concurrent runs take turns. A new file is readable by its owner alone, because it holds what was read.
    func add(_ reply: Reply) throws {
        let text = ReplyMarkdown.render(reply, timeZone: app.timeZone, on: app.now)
        try app.state().waitingLock("output.lock").hold {
            let earlier = try AtomicFile.read(path) ?? Data()
            let gap = earlier.isEmpty ? "" : "\n"
            try AtomicFile.write(
                earlier + Data((gap + text).utf8), to: path, mode: AtomicFile.mode(of: path, new: 0o600))
        }
    }
}

extension History {
    package static let askOfWaiting: Message =
        "To ask about the unread entries of your feeds: pulse-digest ask --basis unread QUESTION"

    /// Fails if there is nothing to search.
    ///
    /// - Returns: The names of all publications.
    fileprivate func requireSomething(for settings: QuestionSettings, in zone: TimeZone) throws -> [String] {
        let filter = settings.filter
        try requireKnown(filter)
        let store = try open()
        if try store.isEmpty(settings.basis, ListFilter()) {
            switch settings.basis {
            case .read, .readAndUnread:
                let isWaiting = try store.unreadCount() > 0
                throw PulseError(
                    .noInput, "You have read nothing yet, so there is nothing to ask about.",
                    hint: isWaiting ? History.askOfWaiting : "To import what you read: pulse-digest import")
            case .unread:
                throw PulseError(
                    .noInput, "Your feeds have no unread entries.", hint: "To refresh them: pulse-digest feeds refresh")
            case .bookmarks:
                throw PulseError(
                    .noInput, "There are no bookmarks yet.",
                    hint: "To keep an article: pulse-digest bookmarks add NUMBER")
            }
        }
        if let since = filter.since, try store.isEmpty(settings.basis, filter) {
            let day = DateText.compact(since, in: zone)
            switch settings.basis {
            case .read, .readAndUnread: throw PulseError(.noInput, "Nothing was read since \(day).")
            case .unread: throw PulseError(.noInput, "Nothing came into your feeds since \(day).")
            case .bookmarks: throw PulseError(.noInput, "Nothing was saved since \(day).")
            }
        }
        return try store.sourceNames()
    }
}

extension Store {
    fileprivate func isEmpty(_ basis: DigestBasis, _ filter: ListFilter) throws -> Bool {
        let (since, category, source) = (filter.since, filter.category, filter.source)
        return switch basis {
        case .read, .readAndUnread: try list(limit: 1, since: since, category: category, source: source).isEmpty
        case .unread: try unread(since: since, category: category, source: source).isEmpty
        case .bookmarks: try !bookmarks().contains { $0.savedAt.map { $0 >= since ?? .distantPast } ?? true }
        }
    }
}
