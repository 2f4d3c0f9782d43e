import PulseCore
import PulseInference

/// Has a model read articles to their end: what one prompt cannot hold is summarised in pieces, and their summaries
/// again, until few enough are left. Of many articles at once, since a model writes many texts in little more time than
/// one.
struct Condenser {
    let context: Context
    let model: LanguageModel
    let status: StatusLine

    /// What is left to be answered of an article.
    struct Condensed {
        fileprivate(set) var prompt: Prompt
        /// Whether it is about the article's beginning only.
        fileprivate(set) var isShortened: Bool
        /// What was answered on the way.
        fileprivate(set) var completions: [Completion] = []
    }

    /// A model that chooses sentences does not weigh a whole feature, and the lead says most: in tokens, as much of it as
    /// stands beside what it chose of the rest, word for word.
    private static let opening = 240

    /// How each article is read; nil where not even its front fits.
    func plans(for jobs: [SummaryJob]) async throws(Failure) -> [SummaryPlan?] {
        let limit = try model.promptLimit()
        let opening = model.choosesOnly ? Condenser.opening : nil
        return try await model.counting { measure, count in
            jobs.map {
                SummaryPlan(
                    article: $0.article, template: $0.template, opening: opening, limit: limit, measure: measure,
                    count: count)
            }
        }
    }

    /// - Parameter plans: One a job.
    func condense(_ jobs: [SummaryJob], _ plans: [SummaryPlan]) async throws(Failure) -> [Condensed] {
        var condensed = plans.map { Condensed(prompt: $0.prompts[0], isShortened: $0.isShortened) }
        var open = plans.enumerated().filter(\.element.isDivided)
        while !open.isEmpty {
            let answers = try await answers(to: open.map(\.element))
            var merged: [(number: Int, job: SummaryJob)] = []
            for ((number, plan), answers) in zip(open, answers) {
                condensed[number].completions += answers.completions
                if let article = plan.merged(answers.texts) {
                    merged.append((number, jobs[number].about(article)))
                } else {
                    // By a model that makes nothing shorter.
                    condensed[number].prompt = plans[number].front
                    condensed[number].isShortened = true
                }
            }
            open = []
            for ((number, _), plan) in zip(merged, try await self.plans(for: merged.map(\.job))) {
                condensed[number].prompt = plan?.prompts[0] ?? plans[number].front
                condensed[number].isShortened = plan == nil || plans[number].isShortened
                if let plan, plan.isDivided { open.append((number, plan)) }
            }
        }
        return condensed
    }

    /// What is said of each piece of each plan.
    private func answers(
        to plans: [SummaryPlan]
    ) async throws(Failure) -> [(texts: [String], completions: [Completion])] {
        let prompts = plans.flatMap(\.prompts)
        var answers = plans.flatMap { plan in
            plan.prompts.map { _ in CheckedAnswer([plan.article], writing: model.writing) }
        }
        var finished = 0
        let completions = try await model.write(prompts, fewestSentences: 1) { index, event throws(Failure) in
            switch event {
            case .reading(let tokens, let all):
                status.show(context.messages.readingPart(index + 1, prompts.count, tokens, all))
            case .text(let piece): _ = answers[index].add(piece)
            case .finished(let completion):
                _ = answers[index].finish(isCut: completion.finish == .length)
                finished += 1
                status.show(context.messages.partsWritten(finished, prompts.count))
            }
        }
        var first = 0
        return plans.map { plan in
            defer { first += plan.prompts.count }
            let own = first..<first + plan.prompts.count
            return (answers[own].map(\.text), Array(completions[own]))
        }
    }
}
