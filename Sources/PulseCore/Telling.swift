/// Decides, article by article, in which language it is told.
///
/// A model that copies tells each article in the article's own words. A model that writes freely could translate; but
/// what it says in another language than its source shares no words with it, so that nothing could be checked, and
/// models of a billion weights get it wrong. So an article is told in its own language, unless the catalogue says of
/// the model that it can be trusted to translate.
public struct Telling: Sendable, Hashable {
    /// The reader's.
    public let language: Language
    /// Whether the model is asked to tell in the reader's language what is written in another.
    public let translates: Bool

    public init(in language: Language, translates: Bool) {
        self.language = language
        self.translates = translates
    }

    /// The language that an article is told in where it is not the reader's; nil where it is, and where the article's
    /// language is not known.
    public func foreignLanguage(of article: Article) -> String? {
        guard !translates, let written = article.writtenLanguage, written != language.rawValue else { return nil }
        return written
    }

    /// The language of the prompt for such text: its own where there are prompts in it, else the reader's.
    public func promptLanguage(for foreign: String?) -> Language {
        foreign.flatMap(Language.init) ?? language
    }

    /// Each section by the languages its stories are told in, the reader's first, then the one read last: so no
    /// prompt, and no paragraph, mixes languages. What was left out of a category is counted once, at its end.
    public func divide(_ sections: [Selection.Section]) -> [Selection.Section] {
        sections.flatMap { section in
            var stories: [String?: [Story]] = [:]
            var order: [String?] = []
            for story in section.stories {
                let foreign = foreignLanguage(of: story.lead)
                if stories[foreign] == nil { order.append(foreign) }
                stories[foreign, default: []].append(story)
            }
            if let own = order.firstIndex(of: nil) { order.insert(order.remove(at: own), at: 0) }
            return order.enumerated().map { index, foreign in
                Selection.Section(
                    category: section.category, stories: stories[foreign, default: []],
                    omitted: index == order.count - 1 ? section.omitted : 0, foreignLanguage: foreign)
            }
        }
    }
}
