import Foundation
import PulseApp
import PulseCore
import PulseDigest
import PulseInference
import PulseModels
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
            of question and answer is kept but the numbers of the last sources, unless --save names a file.
            """,
        options: [Option.since, .ofSource, .ofCategory, .searchedBasis].headed("What to search")
            + [Option.language, .format([.text, .markdown, .json]), .mostFound, .save, .dryPrompt].headed("Output")
            + Option.writing.headed("Model"),
        resolving: AskArguments.init
    ) { context throws(PulseError) in
        try await Asking(context: context).run()
    }
}

/// What `ask` is told.
struct AskArguments: Sendable {
    let basis: DigestScope
    let filter: ListFilter
    /// How many sources are shown.
    let limit: Int
    let answer: AnswerArguments
    /// The file to which a question and its answer are added; nil: none.
    let savePath: String?

    init(_ context: Context) throws(PulseError) {
        basis = context.settings.searchedBasis
        filter = try context.filter()
        limit = context.settings.mostFound
        answer = AnswerArguments(context)
        savePath = context.settings.savePath
    }
}

/// The conversation: questions from the command line, from standard input or from a terminal, one after another.
private struct Asking {
    let context: Run<AskArguments>
    private var arguments: AskArguments { context.arguments }
    private let reporter: Reporter

    /// Of standard input, in bytes.
    private static let longest = 1 << 20

    init(context: Run<AskArguments>) {
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
        let saved = try arguments.savePath.map { path throws(PulseError) in
            try SavedReplies(path, in: context)
        }
        let publications = try requireSomething()
        let encoder = await openEncoder()
        // It opens while the rest is made ready, for the question's vector is needed first.
        async let _ = try? await encoder?.open()
        let answering = context.seeing(arguments.answer)
        let writer = try await answering.passageWriter(with: encoder, reporter, instead: Self.instead)
        let model = arguments.answer.model
        if writer == nil, model.name == nil, let advice = (try? ModelCatalog(in: context.app))?.advice {
            context.noteOnTerminal("For an answer by a model on this machine: \(advice)")
        }
        if arguments.basis == .read { try await makeReady(encoder) }
        let inquiry = Inquiry(
            finder: finder(with: encoder), writer: writer, limit: arguments.limit,
            language: arguments.answer.output.language)
        func question(_ text: String) -> AskedQuestion {
            AskedQuestion(text, publications: publications, now: context.now, calendar: context.calendar)
        }
        if arguments.answer.isTrial {
            if let prompts = try await inquiry.prompts(question(typed)) { try context.print(prompts) }
            return
        }
        var earlier: [AskedQuestion] = []
        var next: String? = typed
        while let text = next, AskedQuestion.saysAnything(text) {
            let asked = question(text)
            let printer = ReplyPrinter(context.seeing(arguments.answer.output), reporter, instead: Self.instead)
            let reply = try await printer.print { () throws(PulseError) in
                try await inquiry.answer(asked, after: earlier, onEvent: printer.take)
            }
            answering.keepNumbers(of: reply)
            try saved?.add(reply)
            earlier.append(asked)
            guard isConversation else { return }
            next = try await context.console.ask("\nAnother question, or Return to end: ")
            try context.console.write("\n")
        }
    }

    private static let instead: Message = "The nearest passages are quoted instead."

    private var isConversation: Bool {
        context.console.isInputTerminal && context.console.width != nil && context.console.isErrorTerminal
            && arguments.answer.output.format == .text && context.operands != ["-"]
    }

    private func piped() throws(PulseError) -> String {
        if context.console.isInputTerminal {
            context.note("Type the question, then press control-D on a line of its own.")
        }
        let bytes = try ByteStream(descriptor: context.console.input, name: "standard input").rest(limit: Self.longest)
        return PlainText.line(String(decoding: bytes, as: UTF8.self))
    }

    // MARK: - What is searched

    /// Fails where there is nothing to search.
    ///
    /// - Returns: the publications that a question may name.
    private func requireSomething() throws(PulseError) -> [String] {
        let basis = arguments.basis
        try context.requireKnown(arguments.filter)
        let (names, isEmpty) = try context.reading { store throws(PulseError) in
            let isEmpty =
                switch basis {
                case .read, .readAndUnread: try store.list(limit: 1).isEmpty
                case .unread: try store.unread().isEmpty
                case .bookmarks: try store.bookmarks().isEmpty
                }
            return (try store.sourceNames(), isEmpty)
        }
        guard isEmpty else {
            try requireSomethingNew()
            return names
        }
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

    /// Fails where nothing is as new as --since wants it.
    private func requireSomethingNew() throws(PulseError) {
        let filter = arguments.filter
        guard let since = filter.since else { return }
        let (basis, day) = (arguments.basis, DateText.compact(since, in: context.timeZone))
        let isEmpty = try context.reading { store throws(PulseError) in
            return switch basis {
            case .read, .readAndUnread:
                try store.list(limit: 1, since: since, category: filter.category, source: filter.source).isEmpty
            case .unread: try store.unread(since: since, category: filter.category, source: filter.source).isEmpty
            case .bookmarks: try !store.bookmarks().contains { $0.savedAt.map { $0 >= since } ?? true }
            }
        }
        guard isEmpty else { return }
        switch basis {
        case .read, .readAndUnread: throw PulseError(.noInput, "Nothing was read since \(day).")
        case .unread: throw PulseError(.noInput, "Nothing came into your feeds since \(day).")
        case .bookmarks: throw PulseError(.noInput, "Nothing was saved since \(day).")
        }
    }

    private func finder(with encoder: Encoder?) -> PassageFinder {
        let filter = arguments.filter
        var scope = SearchScope(category: filter.category, sources: filter.source.map { [$0] } ?? [])
        if let since = filter.since { scope.period = Period(from: since, to: context.now) }
        return PassageFinder(open: context.history.open, encoder: encoder, basis: arguments.basis, scope: scope)
    }

    /// Where it cannot be used, everything is found by its words.
    private func openEncoder() async -> Encoder? {
        do throws(PulseError) {
            return try OutputChecker.openEncoder(in: context.locations)
        } catch {
            context.note("\(error)")
            context.note("What you read is searched by its words only.")
            return nil
        }
    }

    /// Makes the vectors and the index of the words of what is new.
    private func makeReady(_ encoder: Encoder?) async throws(PulseError) {
        defer { reporter.clear() }
        if let encoder {
            do throws(PulseError) {
                let left = try await VectorMaker(open: context.history.open, encoder: encoder)
                    .makeForQuestion { done, all throws(PulseError) in reporter.show(VectorMaker.progress(done, all)) }
                if left > 0 {
                    let articles = Counted.text(left, "article is", "articles are")
                    context.noteOnTerminal(
                        "\(articles) not ready and found by words only. To make all ready: pulse-digest prepare")
                }
            } catch {
                // A history that cannot be written can be asked all the same.
                guard [.permission, .tryAgain, .cannotWrite].contains(error.code) else { throw error }
                context.explain("vectors were not kept: \(error)")
            }
        }
        try WordIndex(of: context.history, reporter: reporter).bringUpToDate()
    }
}
