import PulseCore

extension Phrases {
    static let spanish = Phrases(
        language: .spanish,
        article: Noun("artículo", "artículos"),
        source: Noun("fuente", "fuentes"),
        topic: Noun("tema", "temas"),
        title: { "Tu resumen del \($0)" },
        read: { told, all, since, sources, topics in
            let articles =
                told < all ? "\(told) de los \(all) artículos leídos" : Noun("artículo leído", "artículos leídos")(all)
            return "\(articles) desde el \(since), de \(sources) en \(topics)"
        },
        muted: { Noun("silenciado", "silenciados")($0) },
        daysInARow: { "\($0) días seguidos de lectura." },
        also: "también",
        more: { "y \($0) más que leíste" },
        nothingWritten: "El modelo no escribió nada sobre estos.",
        writtenBy: { "Escrito en este equipo por \($0)." },
        shortened: { "De \(Noun("artículo más largo", "artículos más largos")($0)) solo leyó el comienzo." },
        corrected: {
            "\(Noun("frase", "frases")($0)) sin apoyo en los artículos: en su lugar está la del propio medio, o ninguna."
        },
        doubts: "[?] marca lo que los artículos no confirman, o trae un número o un nombre que no está en ellos.",
        notTranslated: "No traduce: lo que está en otro idioma se cuenta en ese idioma.",
        readAgain: "Para releer un artículo: pulse-digest history show ID",
        summaryShortened: "El artículo es demasiado largo para el modelo: este resumen trata solo de su comienzo.",
        summaryNotTranslated: "El modelo no traduce: el artículo se cuenta en su propio idioma.",
        inLanguage: "en",
        inAnotherLanguage: "en otro idioma")
}
