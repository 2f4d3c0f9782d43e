import Foundation
public import PulseCore

/// The summary of one article as JSON: one object, its keys in alphabetical order.
public enum SummaryJSON {
    public static func render(_ summary: Summary) -> String { JSONText.render(Document(summary)) }

    private struct Document: Encodable {
        let version = 1
        let article: ArticleJSON
        let text: String
        let sentences: [SentenceJSON]
        let shortened: Bool
        let language: String
        let model: ModelJSON?
        let timing: TimingJSON

        init(_ summary: Summary) {
            article = ArticleJSON(summary.article)
            text = summary.text
            sentences = summary.sentences.map(SentenceJSON.init)
            shortened = summary.isShortened
            language = summary.article.writtenLanguage ?? summary.language.rawValue
            model = summary.model.map(ModelJSON.init)
            timing = TimingJSON(summary.timing)
        }
    }
}
