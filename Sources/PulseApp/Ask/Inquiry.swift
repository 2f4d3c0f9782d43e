package import PulseCore
import PulseDigest

/// Answers a question from the history: finds the most relevant passages and has a model answer from these alone. Each
/// sentence of the answer is checked against them.
package struct Inquiry {
    let finder: PassageFinder
    /// Nil: no model is used, and only the passages are shown.
    let writer: PassageWriter?
    /// The most stories to show.
    let limit: Int
    /// The reader's.
    let language: Language

    /// - Parameters:
    ///   - writer: Nil: no model is used, and only the passages are shown.
    ///   - limit: The most stories to show.
    ///   - language: The reader's.
    package init(finder: PassageFinder, writer: PassageWriter?, limit: Int, language: Language) {
        self.finder = finder
        self.writer = writer
        self.limit = limit
        self.language = language
    }

    /// The events of an answer, in order.
    package enum Event {
        /// These passages were found; the answer is not begun yet.
        case found(PassageFinder.Finding)
        case writing(PassageWriter.Event)
    }

    /// - Parameters:
    ///   - earlier: The earlier questions of the conversation.
    ///   - onEvent: Called with each event. An error that it throws ends the work.
    package func answer(
        _ question: AskedQuestion, after earlier: [AskedQuestion] = [],
        onEvent: (Event) throws(PulseError) -> Void
    ) async throws(PulseError) -> Reply {
        let earlier = try finder.context(of: question, after: earlier)
        let finding = try await finder.find(question.following(earlier), limit: limit)
        try onEvent(.found(finding))
        var text: PassageWriter.Text?
        if let writer, !finding.material.isEmpty {
            text = try await writer.write(task(question, after: earlier, finding), from: finding.material) {
                event throws(PulseError) in try onEvent(.writing(event))
            }
        }
        return Reply(
            question: question.text, basis: finder.basis, searched: finding.searched,
            missing: try finder.missing(question), sentences: text?.answer.sentences ?? [],
            isDenied: text.map { isDenied($0.answer, finding) } ?? false,
            passages: shown(finding.passages, with: text?.answer.sentences ?? []), language: language,
            model: text?.model, refused: text?.answer.refused ?? 0, check: writer?.check ?? .replace,
            quotesOnly: writer?.quotesOnly ?? false, timing: text?.timing ?? Timing())
    }

    /// The nearest, and what is cited besides.
    private func shown(_ passages: [Passage], with sentences: [Sentence]) -> [Passage] {
        let cited = Set(sentences.flatMap(\.sources))
        return passages.enumerated().filter { place, passage in
            place < limit || ([passage.reading] + passage.others).contains { cited.contains($0.article.id) }
        }.map(\.element)
    }

    /// Whether the passages do not answer the question. This is so if the check of paraphrases refused all sentences;
    /// if only quotations pass it is not known, because most true sentences are refused. If the passages lack a name of
    /// the question they may have another word for it, so this counts only if they are not similar to it.
    private func isDenied(_ answer: CheckedAnswer, _ finding: PassageFinder.Finding) -> Bool {
        guard answer.sentences.isEmpty, !answer.isDenied else { return answer.sentences.isEmpty }
        return answer.lacksName ? finding.isFar : writer?.copiesOnly == false
    }

    /// The prompt for the model; nil if there is no model.
    package func prompts(_ question: AskedQuestion) async throws(PulseError) -> PromptList? {
        let finding = try await finder.find(question, limit: limit)
        return try await writer?.prompts(task(question, after: [], finding), about: finding.material)
    }

    private func task(
        _ question: AskedQuestion, after earlier: [AskedQuestion], _ finding: PassageFinder.Finding
    ) -> PassageWriter.Task {
        .answer(
            to: question, text: (earlier.suffix(2) + [question]).map(\.text).joined(separator: "\n"),
            // The text of an article need not mention the filters that were applied.
            subject: finding.searched?.isBeyond == true ? question.text : question.subject)
    }
}
