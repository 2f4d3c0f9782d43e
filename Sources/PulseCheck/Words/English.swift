extension Lexicon {
    /// English.
    static let english = Lexicon(
        free: words(
            """
            a an the of in on at that this these those which who whom whose also as there
            """),
        conditions: words(
            """
            if unless whether provided otherwise apart except excluding barring but though although however only not
            """),
        listJoiners: words(
            """
            and or nor
            """),
        firstPerson: words(
            """
            i we me us my our ours myself ourselves
            """),
        speaking: words(
            """
            said says say told tells added adds asked asks according wrote writes replied called calls announced
            explained warned recalled joked claimed claims argued insisted denied alleged allegedly reportedly
            """),
        aboutText: words(
            """
            article story text passage digest entry summary headline sentence sentences paragraph instructions
            """),
        labels: words(
            """
            title source text summary entry article story digest headline answer
            """))
}
