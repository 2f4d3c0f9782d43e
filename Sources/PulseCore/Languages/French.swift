/// A no-break space stands before “:”, “;”, “!” and “?” and inside guillemets, and 0 takes the singular.
extension Language {
    public static let french = Language(
        rawValue: "fr", locale: "fr_FR", firstOfMonth: "1er",
        categories: [
            "world": "Monde", "politics": "Politique", "business": "Économie", "technology": "Technologie",
            "science": "Sciences", "health": "Santé", "sports": "Sports", "entertainment": "Divertissement",
            "general": "Général",
        ],
        phrases: .french, lead: .french, check: .french)
}

private func noun(_ one: String, _ many: String) -> Noun { Noun(one, many, singular: 0...1, locale: "fr") }

extension Phrases {
    fileprivate static let french = Phrases(
        colon: "\u{a0}:", semicolon: "\u{a0};", quotation: .spaced,
        article: noun("article", "articles"),
        source: noun("source", "sources"),
        story: noun("sujet", "sujets"),
        title: { "Votre résumé du \($0)" },
        week: { "Votre semaine, du \($0) au \($1)" },
        at: { day, time in "\(day) à \(time.replacing(":", with: " h "))" },
        update: { "Du nouveau depuis \($0)" },
        read: { stories, shown, all, since, sources in
            french(stories, shown, all) + " que vous avez \(all < 2 ? "lu" : "lus") depuis le \(since) (\(sources))"
        },
        waiting: Overview("À lire") { stories, shown, all, since, sources in
            french(stories, shown, all) + " \(all < 2 ? "arrivé" : "arrivés") dans vos flux depuis le \(since)"
                + " et que vous n’avez pas encore \(all < 2 ? "lu" : "lus") (\(sources))"
        },
        bookmarked: Overview("Ce que vous avez mis de côté") { stories, shown, all, since, sources in
            french(stories, shown, all) + " que vous avez mis de côté depuis le \(since) (\(sources))"
        },
        readOrWaiting: Overview("Ce que vous avez lu et ce qu’il vous reste à lire") {
            stories, shown, all, since, sources in
            french(stories, shown, all)
                + " que vous avez \(all < 2 ? "lu ou qui est arrivé" : "lus ou qui sont arrivés")"
                + " dans vos flux depuis le \(since) (\(sources))"
        },
        notRead: "pas encore lu",
        muted: { noun("masqué", "masqués")($0) },
        daysInARow: { "\(noun("jour", "jours")($0)) de lecture d’affilée." },
        more: "Divers",
        everything: "Ce que vous avez lu",
        archive: "Vos résumés",
        also: "Également\u{a0}:",
        alsoBy: "également",
        omitted: { "\(noun("autre article", "autres articles")($0))\u{a0}:" },
        ownWords: "Toutes les phrases sont citées des publications.",
        writtenBy: { "Écrit par \($0) sur cet ordinateur. Les mots entre guillemets sont ceux de la publication." },
        inItsWords: { stories, all in
            "\(noun("sujet", "sujets")(all)), dont \(stories) avec les mots du modèle."
        },
        refused: {
            $0 < 2
                ? "Une phrase du modèle n’est pas confirmée par les articles\u{a0}; la publication est citée à sa place."
                : "\($0) phrases du modèle ne sont pas confirmées par les articles\u{a0}; les publications sont citées à "
                    + "leur place."
        },
        marked: {
            $0 < 2
                ? "Une phrase du modèle est marquée\u{a0}: les articles ne la confirment pas."
                : "\($0) phrases du modèle sont marquées\u{a0}: les articles ne les confirment pas."
        },
        unchecked: "Ce que le modèle a écrit n’a pas été vérifié.",
        nothingShown: {
            "Rien de ce que \($0) a écrit avec ses propres mots n’a pu être montré\u{a0}: toutes les phrases sont citées des "
                + "publications."
        },
        writes: { "\($0) écrit\u{a0}:" },
        readOn:
            "Pour lire un article en entier\u{a0}: pulse-digest history show NUMÉRO\u{a0}; en deux phrases\u{a0}: pulse-digest summarize NUMÉRO.",
        noSummary: "Aucune phrase de cet article ne permet de le résumer.",
        summaryShortened: "L’article est trop long pour le modèle\u{a0}: ce résumé ne porte que sur le début.",
        nothingSaysSo: {
            switch $0 {
            case .read, .readAndUnread: "Rien de ce que vous avez lu ne le dit."
            case .unread: "Rien de ce qui attend dans vos flux ne le dit."
            case .bookmarks: "Rien de ce que vous avez mis de côté ne le dit."
            }
        },
        nearest: {
            switch $0 {
            case .read, .readAndUnread: "Le plus proche de ce que vous avez lu\u{a0}:"
            case .unread: "Le plus proche de ce qui attend dans vos flux\u{a0}:"
            case .bookmarks: "Le plus proche de ce que vous avez mis de côté\u{a0}:"
            }
        },
        searched: { "Recherche\u{a0}: \($0)" },
        searchedBeyond: {
            "Rien de plus proche dans \($0)\u{a0}: \($1.map { "tout \($0)" } ?? "tout") a été parcouru."
        },
        nothingOf: { "Il n’y a rien dans \($0)." },
        noArticleHas: { "Aucun article lu ne contient \($0.joined(separator: " ni "))." },
        readDay: { "lu le \($0)" },
        quotesOnly: { "\($0) ne peut que citer." },
        subject: { "Votre résumé du \($0)\u{a0}: \($1)" },
        reading: "Vos lectures", topics: "Thèmes", articlesRead: "Articles lus",
        articles: "Articles", times: "Vos heures de lecture",
        most: { day, hours, articles in
            "C’est le \(day)\(hours.map { ", \($0)," } ?? "") que vous avez le plus lu\u{a0}: \(articles)."
        })

    private static func french(_ stories: Int, _ shown: Int, _ all: Int) -> String {
        let articles = noun("article", "articles")(all)
        let of = all == 1 ? "dans l’article" : shown < all ? "dans \(shown) des \(articles)" : "dans les \(articles)"
        return "\(noun("sujet", "sujets")(stories)) \(of)"
    }
}

extension LeadWords {
    fileprivate static let french = LeadWords(
        quotes: ["“”", "«»"],
        setsSemicolonsApart: true,
        elisions: words("c d j jusqu l lorsqu m n puisqu qu quoiqu s t"),
        // Not “ai”, “au”, “car”, “font”, “ma”, “par”, “plus”, “pour”, “sur”, “tel” …: English or Spanish means
        // something else by them.
        stopWords: words(
            """
            a à ainsi alors après as aucun aucune aujourd'hui auquel aura aurait aussi autre autres aux avaient avait
            avant avec ce ceci cela celle celles celui cependant ces cet cette ceux chaque chez comme contre dans de
            depuis dernier dernière derniers dernières des dès deux devait devant devra devrait dit dont donc du elle
            elles en entre est et étaient était étant été être eux fait il ils jamais je jusque la laquelle le lequel
            les lesquelles lesquels leur leurs lors lorsque lui là mais malgré même mêmes moins ne nos notre nous
            nouveau nouveaux nouvel nouvelle nouvelles ont ou où parce pas pendant peu peut peuvent plusieurs pourrait
            pourtant pris puis puisque qu quand que quel quelle quelles quelque quelques quels qui quoi sans se selon
            sera serait seront ses seulement si soit son sont sous souvent tant tandis telle telles tels toujours tous
            toute toutes très trop un une va vers voir vont votre vous y
            """),
        verbs: words(
            """
            est sont était étaient fut furent sera seront serait seraient été a ont avait avaient eut aura auront aurait
            n'est n'était n'a n'ont n'avait n'avaient n'aura s'est s'était s'étaient c'est c'était l'a l'ont qu'a fait font
            faisait fera feront fit peut peuvent pouvait pourra pourrait pourraient doit doivent devait devra devrait
            devraient va vont ira veut veulent voulait dit disent disait déclare déclaré affirme affirmé annonce annoncé
            explique estime assure indique précise ajoute demande propose prévoit prend prennent pris met mettent mis tient
            vient viennent reste restent devient perd gagne remporte bat mort meurt tué tués blessé blessés ouvre ferme
            quitte lance accuse reçoit atteint compte rejette adopte adopté s'agit s'élève s'effondre faut
            """),
        verbEndings: [
            "ient", "ait", "aient", "èrent", "irent", "urent", "era", "eront", "erait", "eraient", "ira", "iront",
            "irait",
            "iraient", "issent", "issait", "isé", "isée", "isés", "isées",
        ],
        besideVerbs: words("ne n que qu qui se s quand si"),
        pronouns: words(
            """
            il elle ils elles lui eux ce ceci cela ça c celui celle ceux celles cet cette ces son sa ses leur leurs je j nous
            vous mon ma mes notre nos votre vos
            """),
        connectives: words(
            """
            aussi mais et or donc car cependant pourtant toutefois néanmoins ainsi alors puis ensuite enfin tandis
            bien autre autres même d'autres l'un l'une
            """),
        definite: words("l le la les aujourd'hui hier"),
        early: words("il elle ils elles qu'il qu'elle qu'ils qu'elles aussi cependant pourtant toutefois"),
        harmless: [
            "cette semaine", "ce mois-ci", "cette année", "ce matin", "cet après-midi", "ce soir", "cette nuit",
            "ce week-end", "ce lundi", "ce mardi", "ce mercredi", "ce jeudi", "ce vendredi", "ce samedi", "ce dimanche",
            "cet été", "cet automne", "cet hiver", "ce printemps", "il y a", "il y avait", "il y aura", "il faut",
        ],
        captions: words("photo photographie image vidéo illustration portrait archive archives capture crédit"),
        days: [
            "hier après-midi", "hier matin", "hier soir", "hier", "aujourd'hui", "aujourd’hui", "cet après-midi",
            "ce matin", "ce soir", "cette nuit",
        ],
        daysGoOn: words("à au dans de du en encore même vers matin midi soir après-midi"),
        prepositions: words(
            """
            à après avant comme d' de depuis dès entre et jusqu'à jusqu' jusque ou par pour qu' que sauf
            """),
        clauses: list("qui dont où que avec selon notamment provoquant causant entraînant faisant"))
}

extension CheckWords {
    fileprivate static let french = CheckWords(
        // Without their accents “à” is the verb “a” and “où” is “ou”, so these two have to stay where they are.
        free: folded(
            """
            le la les l un une des de du d au aux en dans ce cet cette ces qui que qu dont lequel laquelle lesquels
            lesquelles auquel duquel aussi également
            """),
        // “s” is the “if” of “s'il”.
        conditions: folded(
            """
            si s sauf hormis excepté exceptée moins sinon sans mais pourtant cependant toutefois néanmoins quoique bien
            malgré condition seulement uniquement ne n pas
            """),
        listJoiners: folded(
            """
            et ou ni
            """),
        // Not “m”, which is “M.” far more often than it is “me”.
        firstPerson: folded(
            """
            je j me moi mon ma mes nous notre nos
            """),
        speaking: folded(
            """
            dit disent disait ajoute ajouté affirme affirment affirmé déclare déclaré explique expliqué estime estimé raconte
            raconté assure assuré annonce annoncé indique indiqué précise précisé souligne souligné écrit répond répondu
            demande demandé nie nié accuse accusé prétend prétendu prétendument présumé présumée supposé supposée selon
            """),
        aboutText: folded(
            """
            article histoire texte passage extrait résumé titre dépêche phrase phrases paragraphe instructions consignes
            """),
        labels: folded(
            """
            titre source texte résumé article dépêche actualité réponse title text
            """))
}
