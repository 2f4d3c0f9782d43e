public import PulseCore
import PulseText

/// Selects and shortens sentences of publications: rule V2 of docs/digest.md. Used without a model, and in place of
/// refused sentences.
struct SentenceSelector {
    private let weights: Weights
    private let shortener = Shortener()

    /// To rank reports: the cost of each word above `comfortable`, and of a sentence without a name or number.
    private static let comfortable = 28
    private static let wordCost = 0.015
    private static let namelessCost = 0.3
    /// How many words of each other report are compared, and the divisor of the shared weight.
    private static let sharedWords = 60
    private static let sharedScale = 30.0
    /// The most reports; more add nothing.
    private static let mostReports = 12
    /// A sentence with less of its title's weight needs the title before it.
    private static let leastOverlap = 0.2
    /// The number of sentences of a summary.
    private static let summary = 2

    init(_ weights: Weights) { self.weights = weights }

    /// The story led by its best report, with that report's sentence; without a sentence where there are only titles.
    func entry(for story: Story) -> Digest.Entry {
        entry(story, by: story.articles) ?? Digest.Entry(story: story, sentences: [])
    }

    /// The same for the news since earlier digests; nil where there is none.
    func entry(for story: Story, after known: PreviousCoverage) -> Digest.Entry? {
        let new = story.articles.filter { !known.articles.contains($0.id) }
        guard let entry = entry(story, by: new, where: { known.isNews($0, weights) }) else { return nil }
        return Digest.Entry(story: entry.story, sentences: entry.sentences, update: known.last)
    }

    /// - Parameter isWanted: Which sentences may be selected.
    private func entry(
        _ story: Story, by articles: [Article], where isWanted: (String) -> Bool = { _ in true }
    ) -> Digest.Entry? {
        let articles = Array(articles.prefix(SentenceSelector.mostReports))
        let reports = articles.map { article in
            let lead = Lead(article)
            return (lead: lead, sentence: lead.sentence(weights, where: isWanted))
        }
        let scored = reports.compactMap { report -> (lead: Lead, sentence: String, score: Double)? in
            guard let sentence = report.sentence else { return nil }
            let score = reports.count > 1 ? agreement(of: sentence, by: report.lead.article, in: articles) : 0
            return (report.lead, sentence, score)
        }
        // Among equals, the one that was read last.
        guard let best = scored.max(by: { $0.score < $1.score }) else { return nil }
        let story = story.led(by: best.lead.article)
        let titles = articles.map(\.title).joined(separator: " ")
        let text = shortener.shorten(best.sentence, titles: titles, by: best.lead.lexicon, weights)
        let sentence = Sentence(
            text: text, title: title(before: text, best.lead), sources: [best.lead.article.id],
            origin: text == best.sentence ? .copied : .shortened)
        return Digest.Entry(story: story, sentences: [sentence])
    }

    /// Two of the article's sentences: the lead, and the first other one.
    func summarize(_ article: Article) -> [Sentence] {
        let lead = Lead(article)
        // A very short article is shown as it is.
        let candidates = lead.candidates.isEmpty ? lead.pieces.filter(Sentences.isClosed) : lead.candidates
        guard let first = lead.sentence(weights) ?? candidates.first else { return [] }
        let others = candidates.filter { $0 != first }.prefix(SentenceSelector.summary - 1)
        let chosen = candidates.filter { $0 == first || others.contains($0) }
        return chosen.enumerated().filter { chosen.firstIndex(of: $1) == $0 }.map { _, sentence in
            let text = shortener.shorten(sentence, titles: article.title, by: lead.lexicon, weights)
            return Sentence(text: text, sources: [article.id], origin: text == sentence ? .copied : .shortened)
        }
    }

    /// The title, where the sentence is unclear without it.
    private func title(before text: String, _ lead: Lead) -> String? {
        let title = lead.article.title
        // A title of one word is the name of a file or column.
        guard let lexicon = lead.lexicon, title.contains(" "), !Terms.set(of: title).isEmpty, !text.hasPrefix(title)
        else { return nil }
        guard
            lexicon.pointsBack(text) || weights.overlap(text, title) < SentenceSelector.leastOverlap
                || lexicon.relies(text, on: title)
        else { return nil }
        return title
    }

    /// How much of a sentence the other reports and the titles confirm.
    private func agreement(of sentence: String, by article: Article, in reports: [Article]) -> Double {
        let terms = Terms.set(of: sentence)
        let others = reports.filter { $0.id != article.id }.reduce(into: Set<String>()) { others, other in
            others.formUnion(Terms.list(of: other.title))
            others.formUnion(Terms.list(of: other.body, words: SentenceSelector.sharedWords))
        }
        let titles = reports.reduce(into: Set<String>()) { $0.formUnion(Terms.list(of: $1.title)) }
        return weights.total(terms.intersection(others)) / SentenceSelector.sharedScale
            + weights.total(terms.intersection(titles)) / max(1, weights.total(titles))
            - SentenceSelector.wordCost * Double(max(0, sentence.wordCount - SentenceSelector.comfortable))
            - (sentence.hasNameOrNumber ? 0 : SentenceSelector.namelessCost)
    }
}

extension Article {
    /// Up to two of the article's sentences; empty where none is suitable.
    public var ownSummary: [Sentence] { SentenceSelector(Weights([self])).summarize(self) }
}
