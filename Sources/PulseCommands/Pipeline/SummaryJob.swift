import PulseCore
import PulseModels

/// An article that is to be summarised, with the prompt file of the language it is told in.
struct SummaryJob: Sendable {
    let article: Article
    /// The language that it is told in where it is not the reader's.
    let foreignLanguage: String?
    let template: PromptTemplate

    static func all(
        for articles: [Article], by model: ResolvedModel, context: Context
    ) throws(Failure) -> [SummaryJob] {
        let telling = context.settings.telling(by: model)
        let languages = articles.map(telling.foreignLanguage)
        let templates = try PromptFiles(locations: context.locations).templates(
            for: .summary, in: languages.map(telling.promptLanguage))
        return zip(zip(articles, languages), templates).map { told, template in
            SummaryJob(article: told.0, foreignLanguage: told.1, template: template)
        }
    }

    /// The same for what was made of the article.
    func about(_ article: Article) -> SummaryJob {
        SummaryJob(article: article, foreignLanguage: foreignLanguage, template: template)
    }
}
