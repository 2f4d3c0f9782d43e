package import PulseCore
import PulseDigest
import PulseText

/// Several articles in one text: a model's, made of their beginnings and checked like an answer, or a sentence of each.
package struct ArticlesSummary {
    let readings: [Reading]
    /// What the articles are called, by their ids; nil: by their places.
    let numbers: [String: Int]?
    /// Nil: none writes.
    let writer: PassageWriter?
    /// The reader's.
    let language: Language

    package init(readings: [Reading], numbers: [String: Int]?, writer: PassageWriter?, language: Language) {
        self.readings = readings
        self.numbers = numbers
        self.writer = writer
        self.language = language
    }

    /// So many sentences of each, from its beginning: what news says first, it says because it matters most.
    private static let sentences = 6

    /// - Parameter onEvent: Is told what happens; what it throws ends the work.
    package func make(
        onEvent: (PassageWriter.Event) throws(PulseError) -> Void
    ) async throws(PulseError) -> Reply {
        let passages = passages
        var text: PassageWriter.Text?
        let material = passages.filter { $0.reading.article.canBeAskedAbout }
        if let writer, !material.isEmpty { text = try await writer.write(.summary, from: material, onEvent: onEvent) }
        return Reply(
            question: "", sentences: text?.answer.sentences(or: own) ?? own, passages: passages, language: language,
            model: text?.model, refused: text?.answer.refused ?? 0, check: writer?.check ?? .replace,
            quotesOnly: writer?.quotesOnly ?? false, timing: text?.timing ?? Timing(), numbers: names)
    }

    /// What the model would be asked; nil where there is none.
    package func prompts() async throws(PulseError) -> PromptList? {
        try await writer?.prompts(.summary, about: passages.filter { $0.reading.article.canBeAskedAbout })
    }

    /// By the articles' ids.
    package var names: [String: Int] {
        numbers ?? Dictionary(readings.enumerated().map { ($1.article.id, $0 + 1) }) { first, _ in first }
    }

    package var passages: [Passage] {
        readings.map { reading in
            let front = Sentences.split(reading.article.text).prefix(Self.sentences).joined(separator: " ")
            return Passage(reading: reading, text: front.isEmpty ? reading.article.title : front, score: nil)
        }
    }

    /// A sentence of each; of one that has none, its title.
    private var own: [Sentence] {
        readings.map { reading in
            let article = reading.article
            return article.ownSummary.first
                ?? Sentence(text: article.title, title: nil, sources: [article.id], origin: .copied)
        }
    }
}
