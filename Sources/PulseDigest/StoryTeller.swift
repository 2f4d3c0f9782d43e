public import PulseCore
import PulseText

/// Tells stories in their publications' own words: rule V2 of docs/digest.md. It is used where no model writes, and in
/// place of sentences that were refused.
struct StoryTeller {
    private let weights: Weights
    private let shortener = Shortener()

    /// When reports compete: the cost of each word above `comfortable`, and of having neither a name nor a number.
    private static let comfortable = 28
    private static let wordCost = 0.015
    private static let namelessCost = 0.3
    /// How many words of each other report are compared, and the divisor of the weight that is shared with them.
    private static let sharedWords = 60
    private static let sharedScale = 30.0
    /// More reports add nothing.
    private static let mostReports = 12
    /// A sentence that has less of its title's weight needs the title in front of it.
    private static let leastOverlap = 0.2
    /// Sentences of a summary.
    private static let summary = 2

    init(_ weights: Weights) { self.weights = weights }

    /// The story with its best report in front, and that report's sentence; no sentence where there are only titles.
    func tell(_ story: Story) -> Digest.Entry {
        entry(story, by: story.articles) ?? Digest.Entry(story: story, sentences: [])
    }

    /// The same by what is new in the story; nil where that is nothing.
    func tell(_ story: Story, after known: KnownStory) -> Digest.Entry? {
        let new = story.articles.filter { !known.articles.contains($0.id) }
        guard let entry = entry(story, by: new, where: { known.isNews($0, weights) }) else { return nil }
        return Digest.Entry(story: entry.story, sentences: entry.sentences, update: known.last)
    }

    /// - Parameter isWanted: Which sentences may tell it.
    private func entry(
        _ story: Story, by articles: [Article], where isWanted: (String) -> Bool = { _ in true }
    ) -> Digest.Entry? {
        let articles = Array(articles.prefix(StoryTeller.mostReports))
        let reports = articles.map { article in
            let lead = Lead(article)
            return (lead: lead, sentence: lead.sentence(weights, where: isWanted))
        }
        let scored = reports.compactMap { report -> (lead: Lead, sentence: String, score: Double)? in
            guard let sentence = report.sentence else { return nil }
            let score = reports.count > 1 ? agreement(of: sentence, by: report.lead.article, in: articles) : 0
            return (report.lead, sentence, score)
        }
        // Of equally good ones, the one that was read last.
        guard let best = scored.max(by: { $0.score < $1.score }) else { return nil }
        let told = story.led(by: best.lead.article)
        let titles = articles.map(\.title).joined(separator: " ")
        let text = shortener.shorten(best.sentence, titles: titles, by: best.lead.lexicon, weights)
        let sentence = Sentence(
            text: text, title: title(before: text, best.lead), sources: [best.lead.article.id],
            origin: text == best.sentence ? .copied : .shortened)
        return Digest.Entry(story: told, sentences: [sentence])
    }

    /// Two of the article's own sentences: the one that tells its news, and the first other one.
    func summarize(_ article: Article) -> [Sentence] {
        let lead = Lead(article)
        // A note of a few words is shown as it is.
        let candidates = lead.candidates.isEmpty ? lead.pieces.filter(Sentences.isClosed) : lead.candidates
        guard let first = lead.sentence(weights) ?? candidates.first else { return [] }
        let others = candidates.filter { $0 != first }.prefix(StoryTeller.summary - 1)
        let told = candidates.filter { $0 == first || others.contains($0) }
        return told.enumerated().filter { told.firstIndex(of: $1) == $0 }.map { _, sentence in
            let text = shortener.shorten(sentence, titles: article.title, by: lead.lexicon, weights)
            return Sentence(text: text, sources: [article.id], origin: text == sentence ? .copied : .shortened)
        }
    }

    /// The title, where the sentence says nothing without it.
    private func title(before text: String, _ lead: Lead) -> String? {
        let title = lead.article.title
        // A title of one word is the name of a file or a column.
        guard let lexicon = lead.lexicon, title.contains(" "), !Terms.set(of: title).isEmpty, !text.hasPrefix(title)
        else { return nil }
        guard
            lexicon.pointsBack(text) || weights.overlap(text, title) < StoryTeller.leastOverlap
                || lexicon.leans(text, on: title)
        else { return nil }
        return title
    }

    /// How much of a sentence the other reports and the titles say too.
    private func agreement(of sentence: String, by article: Article, in reports: [Article]) -> Double {
        let told = Terms.set(of: sentence)
        let others = reports.filter { $0.id != article.id }.reduce(into: Set<String>()) { terms, other in
            terms.formUnion(Terms.list(of: other.title))
            terms.formUnion(Terms.list(of: other.body, words: StoryTeller.sharedWords))
        }
        let titles = reports.reduce(into: Set<String>()) { $0.formUnion(Terms.list(of: $1.title)) }
        return weights.total(told.intersection(others)) / StoryTeller.sharedScale
            + weights.total(told.intersection(titles)) / max(1, weights.total(titles))
            - StoryTeller.wordCost * Double(max(0, sentence.wordCount - StoryTeller.comfortable))
            - (sentence.hasNameOrNumber ? 0 : StoryTeller.namelessCost)
    }
}

extension Article {
    /// Up to two of the article's own sentences; empty where it has no suitable one.
    public var ownSummary: [Sentence] { StoryTeller(Weights([self])).summarize(self) }
}
