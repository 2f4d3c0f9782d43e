import PulseCore
import PulseInference
import PulseModels
import PulseStore

/// What was answered to a section's prompt before: of a digest of which one category has changed, one is written. As
/// with digests, whatever is wrong with it makes it a miss.
struct KeptSections {
    private let context: Context
    /// Nil where the model cannot be told from another.
    private let fingerprint: String?
    private let parameters: [String: String]

    init(context: Context, model: ResolvedModel) {
        self.context = context
        fingerprint = model.fingerprint
        parameters = context.settings.writing(with: model)
    }

    /// One a prompt; it cost nothing this time.
    func find(_ prompts: [DigestPrompt]) -> [Completion?] {
        guard !context.settings.isFresh else { return prompts.map { _ in nil } }
        var answers: [KeptAnswer?] = []
        do throws(Failure) {
            answers = try context.reading { store throws(StoreError) in
                var answers: [KeptAnswer?] = []
                for prompt in prompts {
                    answers.append(try key(of: prompt).flatMap { key throws(StoreError) in try store.answer(for: key) })
                }
                return answers
            }
        } catch {
            context.explain("what was kept cannot be used: \(error.message)")
            return prompts.map { _ in nil }
        }
        let found = zip(prompts, answers).filter { $0.1 != nil }.map(\.0.category.title)
        if !found.isEmpty { context.explain("sections that were kept: \(found.joined(separator: ", "))") }
        return answers.map { answer in
            answer.map {
                Completion(
                    text: $0.text, promptTokens: 0, outputTokens: 0, promptTime: .zero, outputTime: .zero,
                    finish: $0.isCut ? .length : .endOfText)
            }
        }
    }

    /// - Parameter known: Those that were there already.
    func keep(_ completions: [Completion], of prompts: [DigestPrompt], butThose known: [Completion?]) {
        do throws(Failure) {
            try context.writing { store throws(StoreError) in
                for (index, completion) in completions.enumerated() where known[index] == nil {
                    guard completion.finish != .cancelled, let key = key(of: prompts[index]) else { continue }
                    try store.keep(
                        KeptAnswer(text: completion.text, isCut: completion.finish == .length), for: key,
                        at: context.now)
                }
            }
        } catch {
            context.explain("the sections were not kept: \(error.message)")
        }
    }

    /// What is asked, letter by letter: which of it is an article's text counts as well, where the model keeps to that.
    private func key(of prompt: DigestPrompt) -> SummaryKey? {
        fingerprint.map { fingerprint in
            SummaryKey(
                .answer,
                content: ContentHash.of(
                    prompt.prompt.user.flatMap { [$0.text, $0.article.map { "\($0)" }] }),
                model: fingerprint, prompt: ContentHash.of([prompt.prompt.system]),
                language: context.settings.language.rawValue, parameters: parameters)
        }
    }
}
