import PulseCore

extension Phrases {
    static let portuguese = Phrases(
        language: .portuguese,
        article: Noun("artigo", "artigos"),
        source: Noun("fonte", "fontes"),
        topic: Noun("tema", "temas"),
        title: { "Seu resumo de \($0)" },
        read: { told, all, since, sources, topics in
            let articles = told < all ? "\(told) dos \(all) artigos lidos" : Noun("artigo lido", "artigos lidos")(all)
            return "\(articles) desde \(since), de \(sources) em \(topics)"
        },
        muted: { Noun("silenciado", "silenciados")($0) },
        daysInARow: { "\($0) dias seguidos de leitura." },
        also: "também",
        more: { "e mais \($0) que você leu" },
        nothingWritten: "O modelo não escreveu nada sobre estes.",
        writtenBy: { "Escrito neste computador por \($0)." },
        shortened: { "De \(Noun("artigo mais longo", "artigos mais longos")($0)), ele leu só o começo." },
        corrected: {
            "\(Noun("frase", "frases")($0)) sem apoio nos artigos: em seu lugar está a do próprio jornal, ou nenhuma."
        },
        doubts: "[?] marca o que os artigos não confirmam, ou que traz um número ou um nome que não está neles.",
        notTranslated: "Ele não traduz: o que está em outro idioma é contado nesse idioma.",
        readAgain: "Para reler um artigo: pulse-digest history show ID",
        summaryShortened: "O artigo é longo demais para o modelo: este resumo trata só do começo.",
        summaryNotTranslated: "O modelo não traduz: o artigo é contado no seu próprio idioma.",
        inLanguage: "em",
        inAnotherLanguage: "em outro idioma")
}
