extension Language {
    public static let english = Language(
        rawValue: "en", locale: "en_GB", categories: [:],
        phrases: .english, lead: .english, check: .english)
}

extension Phrases {
    fileprivate static let english = Phrases(
        colon: ":", semicolon: ";", quotation: .curly,
        article: Noun("article", "articles"),
        source: Noun("source", "sources"),
        story: Noun("story", "stories"),
        title: { "Your digest, \($0)" },
        week: { "Your week, \($0) to \($1)" },
        at: { day, time in "\(time) on \(day)" },
        update: { "Update since \($0)" },
        read: { stories, shown, all, since, sources in
            english(stories, shown, all) + " you read since \(since), from \(sources)"
        },
        waiting: Overview("Still to read") { stories, shown, all, since, sources in
            english(stories, shown, all)
                + " that came into your feeds since \(since) and \(all == 1 ? "waits" : "wait")"
                + " to be read, from \(sources)"
        },
        bookmarked: Overview("What you bookmarked") { stories, shown, all, since, sources in
            english(stories, shown, all) + " you bookmarked since \(since), from \(sources)"
        },
        readOrWaiting: Overview("What you read, and what is still to read") { stories, shown, all, since, sources in
            english(stories, shown, all) + " you read, or that came into your feeds, since \(since), from \(sources)"
        },
        notRead: "not read yet",
        muted: { "\($0) muted" },
        daysInARow: { "You have read on \($0) days in a row." },
        more: "More",
        everything: "What you read",
        archive: "Your digests",
        also: "Also:",
        alsoBy: "also",
        omitted: { "\(Noun("more article", "more articles")($0)):" },
        ownWords: "Every sentence is quoted from the publication named.",
        writtenBy: { "Written by \($0) on this machine. Words in quotation marks are the publication's." },
        inItsWords: { stories, all in
            "\(stories) of \(Noun("story", "stories")(all)) \(stories == 1 ? "is" : "are") in its words."
        },
        refused: {
            $0 == 1
                ? "One sentence of its was not borne out by the articles; the publication is quoted instead."
                : "\($0) of its sentences were not borne out by the articles; the publications are quoted instead."
        },
        marked: {
            $0 == 1
                ? "One of its sentences is marked: the articles do not bear it out."
                : "\($0) of its sentences are marked: the articles do not bear them out."
        },
        unchecked: "What it wrote was not checked.",
        nothingShown: {
            "Nothing that \($0) wrote in words of its own could be shown, so every sentence is quoted from the "
                + "publication named."
        },
        writes: { "\($0) writes:" },
        readOn:
            "To read an article in full: pulse-digest history show NUMBER; in two sentences: pulse-digest summarize NUMBER.",
        noSummary: "No sentence in this article sums it up.",
        summaryShortened: "The article is longer than the model can read: this tells of its beginning.",
        nothingSaysSo: {
            switch $0 {
            case .read, .readAndUnread: "Nothing that you read says so."
            case .unread: "Nothing that waits in your feeds says so."
            case .bookmarks: "Nothing that you saved says so."
            }
        },
        nearest: {
            switch $0 {
            case .read, .readAndUnread: "The nearest of what you read:"
            case .unread: "The nearest of what waits in your feeds:"
            case .bookmarks: "The nearest of what you saved:"
            }
        },
        searched: { "Searched: \($0)" },
        searchedBeyond: {
            "Nothing of \($0) comes as near, so \($1.map { "all of \($0)" } ?? "everything") was searched."
        },
        nothingOf: { "There is nothing of \($0)." },
        noArticleHas: { "No article that you read has \($0.joined(separator: " or "))." },
        readDay: { "read \($0)" },
        quotesOnly: { "\($0) may only quote." },
        subject: { "Your digest, \($0): \($1)" },
        reading: "Your reading", topics: "Topics", articlesRead: "Articles read",
        articles: "Articles", times: "When you read",
        most: { day, hours, articles in "You read most on \(day)\(hours.map { ", " + $0 } ?? ""): \(articles)." })

    private static func english(_ stories: Int, _ shown: Int, _ all: Int) -> String {
        let articles = Noun("article", "articles")(all)
        let of = all == 1 ? "the article" : shown < all ? "\(shown) of the \(articles)" : "the \(articles)"
        return "\(Noun("story", "stories")(stories)) from \(of)"
    }
}

extension LeadWords {
    fileprivate static let english = LeadWords(
        quotes: ["“”"],
        setsSemicolonsApart: false,
        elisions: [],
        stopWords: words(
            """
            a an the of in on at to for from by with as is are was were be been being has have had do does did no not and or
            but if than then that this these those it its he his she her they their we our i you my who whom which what when
            where why how all any some more most other into over under out up down off about against between after before
            during will would can could may might must should shall also only new says said say one two
            """),
        verbs: words(
            """
            is are was were has have had will would can could may might must should do does did be been said says won wins
            died dies beat killed found held took takes began begins made makes hit hits met led left lost sold set put got
            gave went came quit rose fell sues plan plans became broke brought built bought chose drew drove fought flew
            grew kept knew paid ran rode sank saw sent shook spoke spent stole stood struck swam swore taught thought
            threw told took withdrew wore wrote
            """),
        verbEndings: ["ed", "es"],
        besideVerbs: words("not who which when because if"),
        pronouns: words("he she it they this these those his her its their that him them i we you my our"),
        connectives: words(
            """
            also however but and meanwhile moreover furthermore additionally instead then so yet still nevertheless while
            although among another other others both such
            """),
        definite: words("the today yesterday earlier"),
        early: words("he she they it also however"),
        harmless: [
            "this week", "this month", "this year", "this weekend", "this morning", "this afternoon", "this evening",
            "this season", "this summer", "this winter", "this spring", "this autumn", "this fall", "it is", "it was",
            "it has been", "there is", "there was", "there are", "there were", "there will", "it will",
        ],
        captions: words("file image photo video portrait picture photograph"),
        days: [
            "earlier today", "earlier yesterday", "late last night", "last night", "earlier tonight", "tonight",
            "today",
            "yesterday", "this morning", "this afternoon", "this evening",
        ],
        daysGoOn: words("morning afternoon evening night"),
        prepositions: words("on of until till since from by for as than and or before after between 's"),
        clauses: list("which who where whose with including adding causing making"))
}

extension CheckWords {
    fileprivate static let english = CheckWords(
        free: folded(
            """
            a an the of in on at that this these those which who whom whose also as there
            """),
        conditions: folded(
            """
            if unless whether provided otherwise apart except excluding barring but though although however only not
            """),
        listJoiners: folded(
            """
            and or nor
            """),
        firstPerson: folded(
            """
            i we me us my our ours myself ourselves
            """),
        speaking: folded(
            """
            said says say told tells added adds asked asks according wrote writes replied called calls announced
            explained warned recalled joked claimed claims argued insisted denied alleged allegedly reportedly
            """),
        aboutText: folded(
            """
            article story text passage digest entry summary headline sentence sentences paragraph instructions
            """),
        labels: folded(
            """
            title source text summary entry article story digest headline answer
            """))
}
