public import PulseCore

/// Tells stories in their publications' own words: rule V2 of docs/digest.md, the floor under every model.
struct StoryTeller {
    private let weights: Weights
    private let shortener = Shortener()

    /// Of several reports' sentences: a word above so many costs so much, and to have neither name nor number so much.
    private static let comfortable = 28
    private static let wordCost = 0.015
    private static let namelessCost = 0.3
    /// What a report shares with the fronts of the others, so many words of each, counts by this part.
    private static let sharedWords = 60
    private static let sharedScale = 30.0
    /// So many reports are compared: what the thirteenth says has been said.
    private static let mostReports = 12
    /// A sentence that holds less of its title says nothing without it.
    private static let leastOverlap = 0.2
    /// A summary in an article's own words has so many sentences.
    private static let summary = 2

    init(_ weights: Weights) { self.weights = weights }

    /// The story, led by the report that tells it best, and its sentence; none where it has nothing but its title.
    func tell(_ story: Story) -> Digest.Entry {
        let articles = Array(story.articles.prefix(StoryTeller.mostReports))
        let reports = articles.map { article in
            let lead = Lead(article)
            return (lead: lead, sentence: lead.sentence(weights))
        }
        let scored = reports.compactMap { report -> (lead: Lead, sentence: String, score: Double)? in
            guard let sentence = report.sentence else { return nil }
            let score = reports.count > 1 ? agreement(of: sentence, by: report.lead.article, in: articles) : 0
            return (report.lead, sentence, score)
        }
        // Of those that are as good, the one that was read last.
        guard let best = scored.max(by: { $0.score < $1.score }) else {
            return Digest.Entry(story: story, sentences: [])
        }
        let told = story.led(by: best.lead.article)
        let titles = articles.map(\.title).joined(separator: " ")
        let text = shortener.shorten(best.sentence, titles: titles, by: best.lead.lexicon, weights)
        let title = titled(text, best.lead)
        let sentence = Sentence(
            text: title ?? text, sources: [best.lead.article.id], origin: text == best.sentence ? .copied : .shortened)
        return Digest.Entry(story: told, sentences: [sentence])
    }

    /// An article in two of its own sentences: the one that tells its news, and the first beside it.
    func summarize(_ article: Article) -> [Sentence] {
        let lead = Lead(article)
        // A note of a few words is told as it stands.
        let candidates = lead.candidates.isEmpty ? lead.pieces.filter(Sentence.isClosed) : lead.candidates
        guard let first = lead.sentence(weights) ?? candidates.first else { return [] }
        let others = candidates.filter { $0 != first }.prefix(StoryTeller.summary - 1)
        let told = candidates.filter { $0 == first || others.contains($0) }
        return told.enumerated().filter { told.firstIndex(of: $1) == $0 }.map { _, sentence in
            let text = shortener.shorten(sentence, titles: article.title, by: lead.lexicon, weights)
            return Sentence(text: text, sources: [article.id], origin: text == sentence ? .copied : .shortened)
        }
    }

    /// With the title in front, where the sentence says nothing without it.
    private func titled(_ text: String, _ lead: Lead) -> String? {
        let title = lead.article.title
        // A title of one word is a name of a file, or of a column.
        guard let lexicon = lead.lexicon, title.contains(" "), !Terms.set(of: title).isEmpty, !text.hasPrefix(title)
        else { return nil }
        guard lexicon.pointsBack(text) || weights.overlap(text, title) < StoryTeller.leastOverlap else { return nil }
        return "\(title) — \(text)"
    }

    /// How much of a sentence the story's other reports say too, and the titles.
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
    /// The article in two of its own sentences; none where it has none that tells anything.
    public var ownSummary: [Sentence] { StoryTeller(Weights([self])).summarize(self) }
}
