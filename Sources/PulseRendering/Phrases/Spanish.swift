extension Phrases {
    static let spanish = Phrases(
        article: Noun("artículo", "artículos"),
        source: Noun("fuente", "fuentes"),
        story: Noun("noticia", "noticias"),
        title: { "Tu resumen del \($0)" },
        read: { stories, told, all, since, sources in
            let articles = told < all ? "\(told) de los \(all) artículos" : Noun("artículo", "artículos")(all)
            return "\(Noun("noticia", "noticias")(stories)) de \(articles) que leíste desde el \(since), de \(sources)"
        },
        muted: { Noun("silenciado", "silenciados")($0) },
        daysInARow: { "\($0) días seguidos de lectura." },
        more: "Más",
        everything: "Lo que leíste",
        also: "También:",
        omitted: { "\(Noun("artículo más", "artículos más")($0)):" },
        ownWords: "Cada frase es de la propia publicación.",
        writtenBy: { "Escrito en este equipo por \($0), con palabras propias: comprueba lo que te importe." },
        refused: {
            "\(Noun("frase", "frases")($0)) del modelo que la noticia no respalda "
                + ($0 == 1 ? "se quedó fuera." : "se quedaron fuera.")
        },
        readAgain:
            "Para releer una noticia: pulse-digest history show NÚMERO; en pocas frases: pulse-digest summarize NÚMERO.",
        nothingToTell: "No hay en este artículo una frase que lo cuente.",
        summaryShortened: "El artículo es demasiado largo para el modelo: este resumen trata solo del comienzo.",
        subject: { "Tu resumen, \($0): \($1)" },
        reading: "Tu lectura", topics: "Temas", articlesRead: "Artículos leídos", times: "Cuándo leíste",
        most: { day, hours, articles in
            "El período de más lectura fue el \(day)\(hours.map { ", " + $0 } ?? ""): \(articles)."
        })
}
