private func noun(_ one: String, _ many: String) -> Noun { Noun(one, many, locale: "es") }

extension Language {
    public static let spanish = Language(
        rawValue: "es", locale: "es_ES",
        categories: [
            "world": "Mundo", "politics": "Política", "business": "Economía", "technology": "Tecnología",
            "science": "Ciencia", "health": "Salud", "sports": "Deportes", "entertainment": "Entretenimiento",
            "general": "General",
        ],
        phrases: .spanish, lead: .spanish, check: .spanish)
}

extension Phrases {
    fileprivate static let spanish = Phrases(
        colon: ":", semicolon: ";", quotation: .angular,
        article: noun("artículo", "artículos"),
        source: noun("fuente", "fuentes"),
        story: noun("noticia", "noticias"),
        title: { "Tu resumen del \($0)" },
        week: { "Tu semana, del \($0) al \($1)" },
        at: { day, time in
            day.replacing(",", with: "") + " a \(time.hasPrefix("01") ? "la" : "las") \(time)"
        },
        update: { "Novedades desde el \($0)" },
        read: { stories, shown, all, since, sources in
            spanish(stories, shown, all) + " que leíste desde el \(since), de \(sources)"
        },
        waiting: Overview("Por leer") { stories, shown, all, since, sources in
            spanish(stories, shown, all) + " que \(all == 1 ? "llegó" : "llegaron") a tus feeds desde el \(since)"
                + " y que aún no has leído, de \(sources)"
        },
        bookmarked: Overview("Lo que guardaste") { stories, shown, all, since, sources in
            spanish(stories, shown, all) + " que guardaste desde el \(since), de \(sources)"
        },
        readOrWaiting: Overview("Lo que leíste y lo que te queda por leer") { stories, shown, all, since, sources in
            spanish(stories, shown, all) + " que leíste o que \(all == 1 ? "llegó" : "llegaron") a tus feeds"
                + " desde el \(since), de \(sources)"
        },
        notRead: "aún sin leer",
        muted: { noun("silenciado", "silenciados")($0) },
        daysInARow: { "\($0) días seguidos de lectura." },
        more: "Otras",
        everything: "Lo que leíste",
        archive: "Tus resúmenes",
        also: "También:",
        alsoBy: "también",
        omitted: { "\(noun("artículo más", "artículos más")($0)):" },
        ownWords: "Todas las frases son citas de las publicaciones.",
        writtenBy: { "Escrito por \($0) en este equipo. Lo que va entre comillas es de la publicación." },
        inItsWords: { stories, all in
            "\(stories) de \(noun("noticia", "noticias")(all)) \(stories == 1 ? "está" : "están") en palabras del modelo."
        },
        refused: {
            $0 == 1
                ? "Los artículos no respaldan una frase del modelo; en su lugar se cita la publicación."
                : "Los artículos no respaldan \($0) frases del modelo; en su lugar se citan las publicaciones."
        },
        marked: {
            $0 == 1
                ? "Una frase del modelo está marcada: los artículos no la respaldan."
                : "\($0) frases del modelo están marcadas: los artículos no las respaldan."
        },
        unchecked: "Lo que escribió el modelo no se comprobó.",
        nothingShown: {
            "Nada de lo que \($0) escribió con palabras propias se pudo mostrar: todas las frases son citas de las publicaciones."
        },
        writes: { "\($0) escribe:" },
        readOn:
            "Para leer un artículo entero: pulse-digest history show NÚMERO; en dos frases: pulse-digest summarize NÚMERO.",
        noSummary: "Ninguna frase de este artículo sirve de resumen.",
        summaryShortened: "El artículo es demasiado largo para el modelo: este resumen trata solo del comienzo.",
        nothingSaysSo: {
            switch $0 {
            case .read, .readAndUnread: "Nada de lo que leíste lo dice."
            case .unread: "Nada de lo que espera en tus feeds lo dice."
            case .bookmarks: "Nada de lo que guardaste lo dice."
            }
        },
        nearest: {
            switch $0 {
            case .read, .readAndUnread: "Lo más cercano de lo que leíste:"
            case .unread: "Lo más cercano de lo que espera en tus feeds:"
            case .bookmarks: "Lo más cercano de lo que guardaste:"
            }
        },
        searched: { "Dónde se buscó: \($0)" },
        searchedBeyond: {
            "Nada de \($0) se acerca tanto, así que se buscó en \($1.map { "todo lo de \($0)" } ?? "todo")."
        },
        nothingOf: { "No hay nada de \($0)." },
        noArticleHas: { "Ningún artículo leído tiene \($0.joined(separator: " o "))." },
        readDay: { "leído el \($0)" },
        quotesOnly: { "\($0) solo puede citar." },
        subject: { "Tu resumen del \($0): \($1)" },
        reading: "Tu lectura", topics: "Temas", articlesRead: "Artículos leídos",
        articles: "Artículos", times: "Cuándo leíste",
        most: { day, hours, articles in
            "Cuando más leíste: \(day)\(hours.map { ", " + $0 } ?? ""): \(articles)."
        })

    private static func spanish(_ stories: Int, _ shown: Int, _ all: Int) -> String {
        let articles = noun("artículo", "artículos")(all)
        let of = all == 1 ? "del artículo" : shown < all ? "de \(shown) de los \(articles)" : "de los \(articles)"
        return "\(noun("noticia", "noticias")(stories)) \(of)"
    }
}

extension LeadWords {
    fileprivate static let spanish = LeadWords(
        quotes: ["“”"],
        setsSemicolonsApart: false,
        elisions: [],
        stopWords: words(
            """
            a el la los las lo un una unos unas de del en por para con sin sobre entre hasta tras desde contra durante al y
            e o u pero si que quien quién cual cuál cuando donde dónde como cómo porque no más menos muy ya aún también solo
            sólo es son era eran fue fueron ser siendo sido está están estaba ha han había hay tiene tienen tenía va van
            puede pueden debe deben su sus él ella ellos ellas esto eso este esta estos estas ese esa esos esas aquel
            aquella dice dijo según dos nuevo nueva
            """),
        verbs: words(
            """
            es son era eran fue fueron está están estaba estaban ha han había habían hay hubo tiene tienen tenía va van iba
            puede pueden podía podrá debe deben dijo dice dicen hizo hace hacen dio da quiere vino viene murió ganó perdió
            abrió subió cayó anunció afirmó abre abren anuncia anuncian comienza comienzan decide defiende empieza
            llega llegan participa participan pide piden pierde pierden presenta presentan recibe reciben reúne sigue
            siguen sube suben termina vence vencen
            """),
        verbEndings: [
            "ó", "aron", "ieron", "aba", "aban", "ará", "arán", "erá", "erán", "irá", "irán", "aría", "ado", "ada",
            "ados",
            "adas", "ido", "ida", "idos", "idas", "ando", "iendo",
        ],
        besideVerbs: words("no que se le les quien quienes cuando si"),
        pronouns: words(
            """
            él ella ellos ellas esto eso aquello este esta estos estas ese esa esos esas aquel aquella aquellos aquellas su
            sus yo nosotros usted ustedes mi mis nuestro nuestra
            """),
        connectives: words(
            """
            también sin embargo pero y además asimismo entonces así mientras aunque todavía aún otro otra otros otras ambos
            ambas
            """),
        definite: words("el la los las hoy ayer"),
        early: words("él ella ellos ellas también"),
        harmless: [
            "esta semana", "este mes", "este año", "esta mañana", "esta tarde", "esta noche", "este fin", "este lunes",
            "este martes", "este miércoles", "este jueves", "este viernes", "este sábado", "este domingo",
        ],
        captions: words("foto fotografía imagen vídeo video ilustración retrato archivo"),
        days: ["hoy", "ayer", "esta mañana", "esta tarde", "esta noche"],
        daysGoOn: words("de en por"),
        prepositions: words("de hasta desde a por para como que y o antes después entre"),
        clauses: list("que quien donde cuyo cuya incluyendo incluidos según provocando causando con"))
}

extension CheckWords {
    fileprivate static let spanish = CheckWords(
        free: folded(
            """
            el la los las lo un una uno unos unas de del en que este esta estos estas ese esa esos esas aquel
            aquella cual cuales cuyo cuya al a también
            """),
        conditions: folded(
            """
            si aunque pero sino salvo excepto sólo solamente no
            """),
        listJoiners: folded(
            """
            y e o u ni
            """),
        firstPerson: folded(
            """
            yo nosotros nosotras me mí mi mis nos nuestro nuestra nuestros nuestras soy somos estoy estamos tengo
            """),
        speaking: folded(
            """
            dijo dicen dice dijeron afirmó afirma contó cuenta explicó declaró añadió según escribió respondió
            preguntó anunció señaló aseguró alegó negó presuntamente supuestamente
            """),
        aboutText: folded(
            """
            artículo historia noticia texto pasaje resumen titular frase frases párrafo instrucciones
            """),
        labels: folded(
            """
            título fuente texto resumen artículo noticia titular respuesta title source text
            """))
}
