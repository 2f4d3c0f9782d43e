import Foundation
import PulseApp
import PulseCore
import PulseDigest
import PulseInference
import PulseRendering
import PulseSources
import PulseStore
import PulseText

extension Command {
    static let ask = Command(
        "ask", operands: "QUESTION…|-", arity: 1...200,
        summary: "ask about what you read, and be told with the sources",
        details: """
            The passages that are nearest to the question are found by their meaning, and a model on this machine \
            answers from them alone, in up to six sentences; one that the passages do not bear out is left out. Each \
            is followed by the numbers of its sources, which open, summarize and share take. Without a model (see \
            pulse-digest models), or with --model none, the nearest passages are quoted.

            A time or a publication in the question limits the search: "last week", "in March", "in The Herald". Words \
            in quotation marks must stand in the article as they are. - reads the question from standard input. On a \
            terminal a further question may follow, which goes on from the ones before; an empty line ends. Nothing \
            of question and answer is kept but the numbers of the last sources.
            """,
        options: [Option.since, .ofSource, .ofCategory, .searchedBasis].headed("What to search")
            + [Option.language, .format([.text, .markdown, .json]), .mostFound, .dryPrompt].headed("Output")
            + Option.writing.headed("Model")
    ) { context throws(PulseError) in
        try await Asking(context: context).run()
    }
}

/// The conversation: questions from the command line, from standard input or from a terminal, one after another.
private struct Asking {
    let context: Context
    private let reporter: Reporter

    /// Of standard input, in bytes.
    private static let longest = 1 << 20
    /// How long one waits at the first question for articles to be made ready; the rest is found by words, until
    /// `prepare` has come to it.
    private static let patience: Duration = .seconds(30)
    /// At later questions, so many are made ready: two days of reading.
    private static let fewMissing = 60

    init(context: Context) {
        self.context = context
        reporter = context.reporter
    }

    func run() async throws(PulseError) {
        let typed = try context.operands == ["-"] ? piped() : PlainText.line(context.operands.joined(separator: " "))
        guard AskedQuestion.saysAnything(typed) else {
            throw PulseError(
                .usage, "There is no question.", hint: "Such as: pulse-digest ask \"What did I read about the ferry?\"")
        }
        defer { reporter.clear() }
        let publications = try context.reading { store throws(PulseError) in try store.sourceNames() }
        try context.requireKnownNames()
        try requireSomething()
        let encoder = await openEncoder()
        let inquiry = try await inquiry(with: encoder)
        if let encoder, context.settings.searchedBasis == .read { try await makeVectors(with: encoder) }
        if context.settings.searchedBasis == .read {
            try WordIndex(of: context.history, reporter: reporter).bringUpToDate()
        }
        func question(_ text: String) -> AskedQuestion {
            AskedQuestion(text, publications: publications, now: context.now, calendar: context.calendar)
        }
        if context.settings.isDryRun {
            if let prompts = try await inquiry.prompts(question(typed)) { try context.print(prompts) }
            return
        }
        var earlier: [AskedQuestion] = []
        var next: String? = typed
        while let text = next, AskedQuestion.saysAnything(text) {
            let asked = question(text)
            try await answer(asked, after: earlier, by: inquiry)
            earlier.append(asked)
            guard isConversation else { return }
            next = try await context.console.ask("\nAnother question, or Return to end: ")
            try context.console.write("\n")
        }
    }

    private var isConversation: Bool {
        context.console.isInputTerminal && context.console.width != nil && context.console.isErrorTerminal
            && context.settings.format == .text && context.operands != ["-"]
    }

    private func piped() throws(PulseError) -> String {
        if context.console.isInputTerminal {
            context.note("Type the question, then press control-D on a line of its own.")
        }
        let bytes = try ByteReader(descriptor: context.console.input, name: "standard input").rest(limit: Self.longest)
        return PlainText.line(String(decoding: bytes, as: UTF8.self))
    }

    /// Fails where there is nothing to search.
    private func requireSomething() throws(PulseError) {
        let basis = context.settings.searchedBasis
        let isEmpty = try context.reading { store throws(PulseError) in
            switch basis {
            case .read, .readAndUnread: try store.list(limit: 1).isEmpty
            case .unread: try store.unread().isEmpty
            case .bookmarks: try store.bookmarks().isEmpty
            }
        }
        guard isEmpty else { return }
        switch basis {
        case .read, .readAndUnread:
            throw PulseError(
                .noInput, "You have read nothing yet, so there is nothing to ask about.",
                hint: "Import what you read: pulse-digest import")
        case .unread:
            throw PulseError(
                .noInput, "Nothing waits in your feeds.", hint: "To ask them: pulse-digest feeds refresh")
        case .bookmarks:
            throw PulseError(
                .noInput, "There are no bookmarks yet.", hint: "To keep an article: pulse-digest bookmarks add NUMBER")
        }
    }

    // MARK: - What it takes

    /// Where it cannot be used, everything is found by its words.
    private func openEncoder() async -> Encoder? {
        do throws(PulseError) {
            return try await Checker.openEncoder(in: context.locations)
        } catch {
            context.note("\(error)")
            context.note("What you read is searched by its words only.")
            return nil
        }
    }

    private func inquiry(with encoder: Encoder?) async throws(PulseError) -> Inquiry {
        let settings = context.settings
        var scope = SearchScope(
            category: settings.listedCategory, sources: settings.listedSource.map { [$0] } ?? [])
        if let since = try context.since() { scope.period = Period(from: since, to: context.now) }
        let finder = PassageFinder(
            open: context.history.open, encoder: encoder, basis: settings.searchedBasis, scope: scope)
        let (zone, language) = (context.timeZone, settings.language)
        return Inquiry(
            finder: finder, writer: try await writer(with: encoder), limit: settings.mostFound, language: language
        ) { ReplyText.day($0.readAt, in: zone, language) }
    }

    private func writer(with encoder: Encoder?) async throws(PulseError) -> Inquiry.Writer? {
        let isShown = context.settings.isDryRun
        guard
            let model = try isShown
                ? ModelFiles.requiredWriter(in: context.app, named: context.model.name)
                : ModelFiles.writer(in: context.app, named: context.model.name)
        else { return nil }
        let checker =
            isShown
            ? Checker()
            : try await Checker(
                for: model, check: context.model.check, in: context.locations, with: encoder, reporter: reporter)
        let prompts = PromptFiles(in: context.locations)
        return Inquiry.Writer(
            maker: try AnswerMaker(model, checker, settings: context.model, in: context.app, reporter: reporter),
            checker: checker, check: context.model.check
        ) { language throws(PulseError) in try prompts.template(for: .ask, in: language) }
    }

    /// Of the articles that have none.
    private func makeVectors(with encoder: Encoder) async throws(PulseError) {
        defer { reporter.clear() }
        let form = PassageVectors.form
        let (missing, isFirst) = try context.reading { store throws(PulseError) in
            let missing = try store.countWithoutVectors(form: form)
            return (missing, missing > Self.fewMissing ? try store.hasNoVectors(form: form) : true)
        }
        guard missing > 0 else { return }
        guard isFirst else { return tellOfMissing(missing) }
        do throws(PulseError) {
            let left = try await VectorMaker(open: context.history.open, encoder: encoder)
                .make(until: .now + Self.patience) { done, all throws(PulseError) in
                    reporter.show("Making what you read ready to be asked about: \(done) of \(all) articles")
                }
            if left > 0 { tellOfMissing(left) }
        } catch {
            // A history that cannot be written can be asked all the same.
            guard [.permission, .tryAgain, .cannotWrite].contains(error.code) else { throw error }
            context.explain("vectors were not kept: \(error)")
        }
    }

    private func tellOfMissing(_ count: Int) {
        let articles = Counted.text(count, "article is", "articles are")
        context.noteOnTerminal("\(articles) not ready and found by words only. To make all ready: pulse-digest prepare")
    }

    // MARK: - An answer

    private func answer(
        _ question: AskedQuestion, after earlier: [AskedQuestion], by inquiry: Inquiry
    ) async throws(PulseError) {
        let stream = context.settings.format == .text ? ReplyStream(context: context, reporter: reporter) : nil
        let reply: Reply
        do throws(PulseError) {
            reply = try await inquiry.answer(question, after: earlier) { event throws(PulseError) in
                switch event {
                case .found(let finding):
                    if finding.isBeyond {
                        context.note("Nothing was found there or then, so everything was searched.")
                    }
                    try stream?.look(at: finding.passages)
                case .writing(let sentences, let unfinished): try stream?.show(sentences, unfinished)
                case .silenced(let fault):
                    context.note("\(fault)")
                    context.note("The nearest passages are quoted instead.")
                }
            }
        } catch {
            // What stands there of a sentence was not checked.
            try? stream?.abandon()
            throw error
        }
        reporter.clear()
        keepNumbers(of: reply)
        if let stream { return try stream.end(reply) }
        try context.console.write(
            context.settings.format == .json
                ? ReplyJSON.render(reply) : ReplyMarkdown.render(reply, timeZone: context.timeZone))
    }

    /// That they cannot be kept is no reason not to answer.
    private func keepNumbers(of reply: Reply) {
        guard !reply.sources.isEmpty else { return }
        do throws(PulseError) {
            try context.writing { store throws(PulseError) in
                try store.keepSources(
                    reply.sources, profile: context.settings.profile, language: reply.language, at: context.now,
                    calendar: context.calendar)
            }
        } catch {
            context.explain("the sources' numbers were not kept: \(error)")
        }
    }
}

/// Writes an answer as text while it is made: on a terminal each word as the model writes it, elsewhere each sentence
/// that is to be shown.
private final class ReplyStream {
    private let context: Context
    private let reporter: Reporter
    private var live: LiveLines
    private var text: ReplyText
    private var passages: [Passage] = []
    private var said: [Sentence] = []
    /// How many sentences are out.
    private var written = 0

    init(context: Context, reporter: Reporter) {
        self.context = context
        self.reporter = reporter
        live = LiveLines(console: context.console)
        text = ReplyText(style: context.style, language: context.settings.language)
    }

    /// Says which stories the answer is looked for in.
    func look(at passages: [Passage]) throws(PulseError) {
        self.passages = passages
        let titles = passages.map { PlainText.line($0.reading.article.title) }
        if !titles.isEmpty { reporter.show("Looking at: \(titles.joined(separator: "; "))") }
    }

    func show(_ sentences: [Sentence], _ unfinished: String) throws(PulseError) {
        if live.isOn {
            guard !sentences.isEmpty || !unfinished.isEmpty else { return try live.clear() }
            said = sentences
            reporter.clear()
            return try live.draw(text.paragraph(sentences, of: passages, unfinished: unfinished))
        }
        try write(sentences)
    }

    private func write(_ sentences: [Sentence]) throws(PulseError) {
        while written < sentences.count {
            reporter.clear()
            written += 1
            try context.console.write(text.sentence(endOf: Array(sentences.prefix(written)), of: passages))
        }
    }

    /// Takes away what was not checked.
    func abandon() throws(PulseError) {
        guard !live.isOn else { return try live.draw(text.paragraph(said, of: passages)) }
        try context.console.write(text.end())
    }

    func end(_ reply: Reply) throws(PulseError) {
        reporter.clear()
        if live.isOn {
            try live.clear()
            try context.console.write(
                text.paragraph(reply.sentences, of: reply.passages).map { $0 + "\n" }.joined())
        } else {
            try write(reply.sentences)
            try context.console.write(text.end())
        }
        try context.console.write(text.closing(reply))
    }
}
