import Foundation
public import PulseCore

/// What the program itself says in a digest, a summary or a mail, in the reader's language. One value a language, so
/// that none can be forgotten: a phrase that a language lacks does not compile.
public struct Phrases: Sendable {
    /// A word in the singular and in the plural.
    struct Noun: Sendable {
        let one: String
        let many: String

        init(_ one: String, _ many: String) {
            self.one = one
            self.many = many
        }

        func callAsFunction(_ count: Int) -> String { Counted.text(count, one, many) }
    }

    var article: Noun
    var source: Noun
    var story: Noun
    /// The digest's name with its day: `Your digest, Saturday, 21 November 2026`.
    var title: @Sendable (_ day: String) -> String
    /// How much was read since when: stories, the articles told of, all that were read, and the words for sources.
    var read: @Sendable (_ stories: Int, _ told: Int, _ all: Int, _ since: String, _ sources: String) -> String
    /// How many articles were kept out because the reader has muted them; goes on with `read`.
    var muted: @Sendable (Int) -> String
    /// How many days in a row have something read, up to the digest's own; two at least.
    var daysInARow: @Sendable (Int) -> String
    /// The heading of what stands under none of its own, and of everything where there is no other.
    var more: String
    var everything: String
    /// In front of the titles of stories that are not told.
    var also: String
    /// How many more articles were read; a command that lists them follows.
    var omitted: @Sendable (Int) -> String
    /// That the sentences are publications' own.
    var ownWords: String
    /// That they are a model's.
    var writtenBy: @Sendable (_ model: String) -> String
    /// How many sentences of the model's are not shown.
    var refused: @Sendable (Int) -> String
    var readAgain: String
    /// What stands where an article has nothing to be summarised by.
    var nothingToTell: String
    var summaryShortened: String
    /// A mail's subject, without its first story.
    var subject: @Sendable (_ day: String, _ stories: String) -> String
    /// The heading over the statistics.
    var reading: String
    /// The heading of the topics, and the name of the way to them.
    var topics: String
    var articlesRead: String
    /// The name of the drawing of when was read.
    var times: String
    /// When most was read: the day, the hours where they are told, and the word for how many articles.
    var most: @Sendable (_ day: String, _ hours: String?, _ articles: String) -> String
}

extension Phrases {
    public init(_ language: Language) {
        switch language {
        case .english: self = .english
        case .portuguese: self = .portuguese
        case .europeanPortuguese: self = .europeanPortuguese
        case .spanish: self = .spanish
        }
    }
}
