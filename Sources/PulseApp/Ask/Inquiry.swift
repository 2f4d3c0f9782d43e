package import PulseCore
import PulseDigest

/// Answers a question from what was read: finds the passages that are nearest to it, and has a model answer from these
/// alone, each sentence checked against them.
package struct Inquiry {
    let finder: PassageFinder
    /// Nil: none writes, and the nearest passages are all there is to say.
    let writer: PassageWriter?
    /// How many stories are shown.
    let limit: Int
    /// The reader's.
    let language: Language

    /// - Parameters:
    ///   - writer: Nil: none writes, and the nearest passages are all there is to say.
    ///   - limit: The most stories to show.
    ///   - language: The reader's.
    package init(finder: PassageFinder, writer: PassageWriter?, limit: Int, language: Language) {
        self.finder = finder
        self.writer = writer
        self.limit = limit
        self.language = language
    }

    /// What is told while it is at work.
    package enum Event {
        /// These passages were found. Nothing of an answer is there yet.
        case found(PassageFinder.Finding)
        case writing(PassageWriter.Event)
    }

    /// - Parameters:
    ///   - earlier: The questions before it, which it goes on from.
    ///   - onEvent: Is told what happens; what it throws ends the work.
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

    /// Whether the passages do not say it. The check of own words decides that, too, but not that of copies, which refuses
    /// most of what is true. A name that is missing says so only where nothing is near: the passages may have another
    /// word for it.
    private func isDenied(_ answer: CheckedAnswer, _ finding: PassageFinder.Finding) -> Bool {
        guard answer.sentences.isEmpty, !answer.isDenied else { return answer.sentences.isEmpty }
        return answer.lacksName ? finding.isFar : writer?.checker.model != nil
    }

    /// What the model would be asked; nil where there is none.
    package func prompts(_ question: AskedQuestion) async throws(PulseError) -> PromptList? {
        let finding = try await finder.find(question, limit: limit)
        return try await writer?.prompts(task(question, after: [], finding), about: finding.material)
    }

    private func task(
        _ question: AskedQuestion, after earlier: [AskedQuestion], _ finding: PassageFinder.Finding
    ) -> PassageWriter.Task {
        .answer(
            to: question, text: (earlier.suffix(2) + [question]).map(\.text).joined(separator: "\n"),
            // A time and a publication that were asked for are not to be found in a text.
            subject: finding.searched?.isBeyond == true ? question.text : question.subject)
    }
}
