import PulseCore
import PulseDigest
import PulseModels

/// Has a model write the stories of a digest, with one question for each. A story keeps its sentences if the reports
/// support none of the model's.
struct StoryWriter {
    let model: ResolvedModel
    let app: AppEnvironment
    let settings: ModelSettings
    /// For stories whose own language is not known.
    let language: Language
    let length: StoryLength
    let reporter: Reporter
    /// Whether somebody reads the stories while they are written.
    var isReadAlong = false

    /// - Parameter entries: Stories in their publications' own words, of which `isAsked` is true.
    func write(
        _ entries: [Digest.Entry], onUpdate: (AnswerMaker.Update) throws -> Void
    ) async throws -> AnswerMaker.Report {
        let maker = try AnswerMaker(
            model, settings: settings, in: app, isReadAlong: isReadAlong, reporter: reporter)
        return try await maker.answer(
            questions(entries, to: maker),
            withoutAnswer: { count in
                Counted.text(
                    count, "story is told in a sentence quoted from its publication.",
                    "stories are told in sentences quoted from their publications.")
            }, onUpdate: onUpdate)
    }

    func prompts(_ entries: [Digest.Entry]) async throws -> PromptList {
        let maker = try AnswerMaker(model, settings: settings, in: app, isDryRun: true, reporter: reporter)
        return try await maker.prompts(questions(entries.filter(isAsked), to: maker))
    }

    func isAsked(_ entry: Digest.Entry) -> Bool { isReadable(entry) && isWritten(entry) }

    /// Whether a story is in a language that the program writes and the model does not.
    func isForeign(_ entry: Digest.Entry) -> Bool { isReadable(entry) && !isWritten(entry) }

    /// A story without a sentence of its own has nothing that a model could read either.
    private func isReadable(_ entry: Digest.Entry) -> Bool {
        !entry.sentences.isEmpty && entry.story.lead.canBeAskedAbout
    }

    private func isWritten(_ entry: Digest.Entry) -> Bool { model.writes(entry.story.lead.language(or: language)) }

    private func questions(_ entries: [Digest.Entry], to maker: AnswerMaker) throws -> [AnswerMaker.Question] {
        let languages = entries.map { $0.story.lead.language(or: language) }
        let templates = try app.locations.promptTemplates(for: .digest, in: languages)
        return zip(entries, zip(languages, templates)).map { entry, way in
            let (language, template) = way
            let reports = StoryPrompt.reports(of: entry)
            return AnswerMaker.Question(
                name: entry.story.lead.title, articles: reports,
                prompt: StoryPrompt(entry, template: template, language: language, length: length),
                check: maker.check(
                    reports, most: CheckedAnswer.entry, story: StoryCriteria(entry, reports: reports, length: length)))
        }
    }
}
