extension Lexicon {
    static let english = Lexicon(
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
            gave went came quit rose fell sues plan plans
            """),
        verbEndings: ["ed", "es"],
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
