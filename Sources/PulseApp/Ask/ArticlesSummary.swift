package import PulseCore
import PulseDigest
import PulseText

/// Sums up several articles in one text. A model writes it from their beginnings, and it is checked like an answer;
/// an article that the model leaves out is quoted; without a model, all of them are.
package struct ArticlesSummary {
    let readings: [Reading]
    /// The user's numbers for the articles, by article id; nil: they are numbered from 1.
    let numbers: [String: String]?
    /// Nil: no model is used.
    let writer: PassageWriter?
    /// The reader's.
    let language: Language

    package init(readings: [Reading], numbers: [String: String]?, writer: PassageWriter?, language: Language) {
        (self.readings, self.numbers, self.writer, self.language) = (readings, numbers, writer, language)
    }

    /// How many of each article's first sentences the model gets. News has the most important facts first.
    private static let sentences = 6

    package func make(onWriting: PassageWriter.OnWriting) async throws -> Reply {
        let passages = passages
        let material = material(of: passages)
        writer?.tellForeign(passages.count(where: { $0.reading.article.canBeAskedAbout }) - material.count)
        let asked = material.isEmpty ? nil : writer
        let text = try await asked?.write(.summary, from: material, onWriting: onWriting)
        let said = text?.answer.sentences.orReplacements(own) ?? []
        let cited = Set(said.flatMap(\.sources))
        return Reply(
            question: "", sentences: said + own.filter { cited.isDisjoint(with: $0.sources) }, passages: passages,
            language: language, model: text?.model, unusable: text == nil ? asked?.name : nil,
            refused: text?.answer.refused ?? 0, check: writer?.check ?? .replace,
            quotesOnly: writer?.quotesOnly ?? false, timing: text?.timing ?? Timing(), numbers: names)
    }

    /// The prompt for the model; nil if there is no model.
    package func prompts() async throws -> PromptList? {
        try await writer?.prompts(.summary, about: material(of: passages))
    }

    private func material(of passages: [Passage]) -> [Passage] {
        passages.filter { $0.reading.article.canBeAskedAbout && writer?.writes($0.reading.article) == true }
    }

    /// The articles' numbers, by article id.
    package var names: [String: String] {
        numbers
            ?? Dictionary(readings.enumerated().map { ($1.article.id, Reply.name(ofSource: $0 + 1)) }) { first, _ in
                first
            }
    }

    package var passages: [Passage] {
        readings.map { reading in
            let front = Sentences.split(reading.article.text).prefix(Self.sentences).joined(separator: " ")
            let text = front.isEmpty ? nil : AssistantOrders.without(front)
            return Passage(reading: reading, text: text ?? reading.article.title, score: nil)
        }
    }

    /// A sentence of each article; its title if it has no sentence.
    private var own: [Sentence] {
        readings.map { reading in
            let article = reading.article
            return article.ownSummary.first
                ?? Sentence(text: article.title, title: nil, sources: [article.id], origin: .copied)
        }
    }
}
