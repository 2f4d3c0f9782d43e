import PulseCore

extension Phrases {
    static let english = Phrases(
        language: .english,
        article: Noun("article", "articles"),
        source: Noun("source", "sources"),
        topic: Noun("topic", "topics"),
        title: { "Your digest, \($0)" },
        read: { told, all, since, sources, topics in
            let articles = Noun("article", "articles")(all)
            return "\(told < all ? "\(told) of the " : "")\(articles) read since \(since), from \(sources) in \(topics)"
        },
        muted: { "\($0) muted" },
        daysInARow: { "Reading for \($0) days in a row." },
        also: "also",
        more: { "and \($0) more that you read" },
        nothingWritten: "The model wrote nothing about these.",
        writtenBy: { "Written on this machine by \($0)." },
        shortened: { "Of \(Noun("longer article", "longer articles")($0)) it saw the beginning only." },
        corrected: {
            "\(Noun("sentence", "sentences")($0)) that the articles do not support gave way to one of the publisher, or to none."
        },
        doubts: "[?] marks what the articles do not support, or not to the number and the name.",
        notTranslated: "It does not translate: what is written in another language is told in it.",
        readAgain: "To read an article again: pulse-digest history show ID",
        summaryShortened: "The article is longer than the model can read: this tells of its beginning.",
        summaryNotTranslated: "The model does not translate: the article is told in its own language.",
        inLanguage: "in",
        inAnotherLanguage: "in another language")
}
