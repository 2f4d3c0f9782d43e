extension Phrases {
    static let english = Phrases(
        article: Noun("article", "articles"),
        source: Noun("source", "sources"),
        story: Noun("story", "stories"),
        title: { "Your digest, \($0)" },
        read: { stories, told, all, since, sources in
            let articles = Noun("article", "articles")(all)
            let of = all == 1 ? "the article" : told < all ? "\(told) of the \(articles)" : "the \(articles)"
            return "\(Noun("story", "stories")(stories)) from \(of) you read since \(since), by \(sources)"
        },
        muted: { "\($0) muted" },
        daysInARow: { "Reading for \($0) days in a row." },
        more: "More",
        everything: "What you read",
        also: "Also:",
        omitted: { "\(Noun("more article", "more articles")($0)):" },
        ownWords: "Every sentence is its publication's own.",
        writtenBy: { "Written on this machine by \($0), in its own words: check what matters to you." },
        refused: {
            "\(Noun("sentence", "sentences")($0)) of the model's that the story does not bear out "
                + ($0 == 1 ? "was left out." : "were left out.")
        },
        readAgain: "To read a story again: pulse-digest history show NUMBER; in short: pulse-digest summarize NUMBER.",
        nothingToTell: "There is no sentence in this article to tell it by.",
        summaryShortened: "The article is longer than the model can read: this tells of its beginning.",
        subject: { "Your digest, \($0): \($1)" },
        reading: "Your reading", topics: "Topics", articlesRead: "Articles read", times: "When you read",
        most: { day, hours, articles in "Most was read on \(day)\(hours.map { ", " + $0 } ?? ""): \(articles)." })
}
