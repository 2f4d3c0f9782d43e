extension Phrases {
    static let spanish = Phrases(
        article: Noun("artículo", "artículos"),
        source: Noun("fuente", "fuentes"),
        topic: Noun("tema", "temas"),
        title: { "Tu resumen, \($0)" },
        read: { told, all, since, sources, topics in
            let articles =
                told < all ? "\(told) de los \(all) artículos leídos" : Noun("artículo leído", "artículos leídos")(all)
            return "\(articles) desde el \(since), de \(sources) en \(topics)"
        },
        daysInARow: { "\($0) días seguidos de lectura." },
        also: "también",
        more: { "y \($0) más que leíste" },
        nothingWritten: "El modelo no escribió nada sobre estos.",
        writtenBy: { "Escrito en esta máquina por \($0)." },
        shortened: { "De \(Noun("artículo más largo", "artículos más largos")($0)) solo vio el comienzo." },
        corrected: {
            "\(Noun("frase", "frases")($0)) sin apoyo en los artículos: en su lugar está la del propio medio, o ninguna."
        },
        doubts: "[?] marca lo que los artículos no respaldan, o no hasta el número y el nombre.",
        readAgain: "Para volver a leer un artículo: pulse-digest history show ID",
        summaryShortened: "El artículo es más largo de lo que el modelo puede leer: esto cuenta su comienzo.")
}
