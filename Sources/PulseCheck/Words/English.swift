extension Lexicon {
    static let english = Lexicon(
        free: words("a an the of in on at that this these those which who whom whose and also as there"),
        conditions: words(
            "if unless whether provided otherwise apart except excluding barring but though although however only not"),
        firstPerson: words("i we me us my our ours myself ourselves"),
        speaking: words(
            """
            said says say told tells added adds asked asks according wrote writes replied called calls announced
            explained warned recalled joked
            """),
        aboutText: words(
            "article story text passage digest entry summary headline sentence sentences paragraph instructions"),
        labels: words("title source text summary entry article story digest headline answer"),
        numbers: numbers(
            """
            zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
            seventeen eighteen nineteen
            """, "twenty thirty forty fifty sixty seventy eighty ninety"),
        ordinals: counted("first _ third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"),
        shares: table([
            50: "half a_half", 100 / 3: "a_third one_third", 200 / 3: "two_thirds", 25: "a_quarter",
            75: "three_quarters",
        ]),
        multipliers: table([
            12: "dozen", 100: "hundred", 1e3: "thousand", 1e6: "million mn", 1e9: "billion bn", 1e12: "trillion tn",
        ]),
        numberJoiners: ["and"],
        listJoiners: ["and", "or", "nor"],
        hedges: table([
            .about: "about around roughly approximately some", .above: "over more_than at_least",
            .below: "under less_than fewer_than nearly almost up_to at_most",
        ]),
        units: table(["%": "% percent per_cent", "$": "dollar dollars", "€": "euro euros", "£": "pound pounds"]),
        thousands: ",",
        months: counted(
            """
            january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept
            october/oct november/nov december/dec
            """),
        weekdays: counted("monday/mon tuesday/tue wednesday/wed thursday/thu friday/fri saturday/sat sunday/sun"),
        daysHaveCapitals: true,
        demonyms: peoples(
            """
            afghanistan afghan, argentina argentine argentinian, australia australian, austria austrian, belgium
            belgian, brazil brazilian, britain british briton, canada canadian, chile chilean, china chinese, czechia
            czech, denmark danish dane, england english, europe european, finland finnish finn, france french, germany
            german, greece greek, hungary hungarian, india indian, indonesia indonesian, iran iranian, iraq iraqi,
            ireland irish, israel israeli, italy italian, japan japanese, kenya kenyan, mexico mexican, mongolia
            mongolian, morocco moroccan, netherlands dutch, niger nigerien, nigeria nigerian, norway norwegian, peru
            peruvian, poland polish pole, portugal portuguese, russia russian, scotland scottish scot, spain spanish
            spaniard, sweden swedish swede, switzerland swiss, syria syrian, turkey turkish turk, ukraine ukrainian,
            wales welsh
            """))
}
