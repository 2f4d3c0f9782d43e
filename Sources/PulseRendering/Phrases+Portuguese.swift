extension Phrases {
    static let portuguese = Phrases(
        article: Noun("artigo", "artigos"),
        source: Noun("fonte", "fontes"),
        topic: Noun("tema", "temas"),
        title: { "Seu resumo, \($0)" },
        read: { told, all, since, sources, topics in
            let articles = told < all ? "\(told) dos \(all) artigos lidos" : Noun("artigo lido", "artigos lidos")(all)
            return "\(articles) desde \(since), de \(sources) em \(topics)"
        },
        daysInARow: { "\($0) dias seguidos de leitura." },
        also: "também",
        more: { $0 == 1 ? "e mais 1 que você leu" : "e mais \($0) que você leu" },
        nothingWritten: "O modelo não escreveu nada sobre estes.",
        writtenBy: { "Escrito nesta máquina por \($0)." },
        shortened: { "De \(Noun("artigo mais longo", "artigos mais longos")($0)) ele viu só o começo." },
        corrected: {
            "\(Noun("frase", "frases")($0)) sem apoio nos artigos: em seu lugar está a do próprio jornal, ou nenhuma."
        },
        doubts: "[?] marca o que os artigos não sustentam, ou não até o número e o nome.",
        readAgain: "Para ler um artigo de novo: pulse-digest history show ID",
        summaryShortened: "O artigo é mais longo do que o modelo consegue ler: isto conta o seu começo.")
}
