import PulseCore
import PulseDigest
import PulseModels
import PulseStore

/// The answers that were given before. What is wrong with what was kept, or with keeping it, is no reason not to tell
/// the day: it is a miss.
struct CachedAnswers {
    let app: AppEnvironment
    let settings: ModelSettings
    let model: ResolvedModel
    let checker: Checker
    let reporter: Reporter

    /// The key of a question's answer; nil where none is kept, or the model cannot be told from another.
    func key(of question: AnswerMaker.Question) -> AnswerKey? {
        guard let articles = question.articles, let fingerprint = model.fingerprint else { return nil }
        return AnswerKey(
            articles, model: fingerprint, prompt: question.template.text, language: question.language,
            parameters: parameters)
    }

    /// An answer ends where nothing more can be shown, which depends on what may pass.
    private var parameters: [String: String] {
        var parameters = settings.writingParameters
        parameters["passes"] = checker.model == nil ? "copies" : checker.writer.rawValue
        return parameters
    }

    /// The answers that were kept, one for each key.
    func find(_ keys: [AnswerKey?]) -> [CachedAnswer?] {
        guard !settings.isFresh else { return keys.map { _ in nil } }
        do throws(PulseError) {
            return try app.history.reading { store throws(PulseError) in
                var answers: [CachedAnswer?] = []
                for key in keys {
                    answers.append(try key.flatMap { key throws(PulseError) in try store.answer(for: key) })
                }
                return answers
            }
        } catch {
            reporter.detail("the kept answers cannot be used: \(error)")
            return keys.map { _ in nil }
        }
    }

    func keep(_ answer: CachedAnswer, for key: AnswerKey?) {
        guard let key else { return }
        do throws(PulseError) {
            try app.history.writing { store throws(PulseError) in try store.keep(answer, for: key, at: app.now) }
        } catch {
            reporter.detail("the answer was not kept: \(error)")
        }
    }
}
