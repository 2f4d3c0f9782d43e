extension Phrases {
    /// As Brazil writes it.
    static let portuguese = Phrases(
        article: Noun("artigo", "artigos"),
        source: Noun("fonte", "fontes"),
        story: Noun("notícia", "notícias"),
        title: { "Seu resumo de \($0)" },
        read: { stories, told, all, since, sources in
            Noun("notícia", "notícias")(stories)
                + " de \(articles(told, all)) que você leu desde \(since), de \(sources)"
        },
        muted: { Noun("silenciado", "silenciados")($0) },
        daysInARow: { "\($0) dias seguidos de leitura." },
        more: "Mais",
        everything: "O que você leu",
        also: "Também:",
        omitted: { "\(Noun("artigo a mais", "artigos a mais")($0)):" },
        ownWords: "Cada frase é da própria publicação.",
        writtenBy: { "Escrito neste computador por \($0), com palavras próprias: confira o que importa para você." },
        refused: {
            "\(Noun("frase", "frases")($0)) do modelo sem apoio na notícia \($0 == 1 ? "ficou" : "ficaram") de fora."
        },
        readAgain:
            "Para reler uma notícia: pulse-digest history show NÚMERO; em poucas frases: pulse-digest summarize NÚMERO.",
        nothingToTell: "Não há neste artigo uma frase que o conte.",
        summaryShortened: "O artigo é longo demais para o modelo: este resumo trata só do começo.",
        subject: { "Seu resumo, \($0): \($1)" },
        reading: "Sua leitura", topics: "Temas", articlesRead: "Artigos lidos", times: "Quando você leu",
        most: { day, hours, articles in
            "O período de mais leitura foi \(day)\(hours.map { ", " + $0 } ?? ""): \(articles)."
        })

    /// As Portugal writes it, where that is something else.
    static let europeanPortuguese: Phrases = {
        var phrases = portuguese
        phrases.title = { "O seu resumo de \($0)" }
        phrases.read = { stories, told, all, since, sources in
            "\(Noun("notícia", "notícias")(stories)) de \(articles(told, all)) que leu desde \(since), de \(sources)"
        }
        phrases.everything = "O que leu"
        phrases.writtenBy = { "Escrito neste computador por \($0), com palavras suas: confirme o que lhe importa." }
        phrases.subject = { "O seu resumo, \($0): \($1)" }
        phrases.reading = "A sua leitura"
        phrases.times = "Quando leu"
        return phrases
    }()

    private static func articles(_ told: Int, _ all: Int) -> String {
        told < all ? "\(told) dos \(all) artigos" : Noun("artigo", "artigos")(all)
    }
}
