private func noun(_ one: String, _ many: String) -> Noun { Noun(one, many, locale: "pt_BR") }

extension Language {
    /// As Brazil writes it.
    public static let portuguese = Language(
        rawValue: "pt", locale: "pt_BR",
        categories: [
            "world": "Mundo", "politics": "Política", "business": "Economia", "technology": "Tecnologia",
            "science": "Ciência", "health": "Saúde", "sports": "Esportes", "entertainment": "Entretenimento",
            "general": "Geral",
        ],
        phrases: .portuguese, lead: .portuguese, check: .portuguese)

    /// As Portugal writes it, where that differs. Both are read with the same words.
    public static let europeanPortuguese: Language = {
        var language = portuguese
        language.rawValue = "pt-PT"
        language.locale = "pt_PT"
        language.categories["sports"] = "Desporto"
        language.phrases.title = { "O seu resumo de \($0)" }
        language.phrases.week = { "A sua semana, de \($0) a \($1)" }
        language.phrases.read = { stories, shown, all, since, sources in
            "\(noun("notícia", "notícias")(stories)) \(Phrases.articles(shown, all)) que leu desde \(since), de \(sources)"
        }
        language.phrases.everything = "O que leu"
        language.phrases.archive = "Os seus resumos"
        language.phrases.waiting = Phrases.Overview("Por ler") { stories, shown, all, since, sources in
            noun("notícia", "notícias")(stories) + " \(Phrases.articles(shown, all)) que "
                + "\(all == 1 ? "chegou" : "chegaram") aos seus feeds desde \(since) e que ainda não leu, de \(sources)"
        }
        language.phrases.bookmarked = Phrases.Overview("O que guardou") { stories, shown, all, since, sources in
            "\(noun("notícia", "notícias")(stories)) \(Phrases.articles(shown, all)) que guardou desde \(since), de \(sources)"
        }
        language.phrases.readOrWaiting = Phrases.Overview("O que leu e o que falta ler") {
            stories, shown, all, since, sources in
            noun("notícia", "notícias")(stories) + " \(Phrases.articles(shown, all)) que leu ou que "
                + "\(all == 1 ? "chegou" : "chegaram") aos seus feeds desde \(since), de \(sources)"
        }
        language.phrases.nothingSaysSo = {
            switch $0 {
            case .read, .readAndUnread: "Nada do que leu diz isso."
            case .unread: "Nada do que espera nos seus feeds diz isso."
            case .bookmarks: "Nada do que guardou diz isso."
            }
        }
        language.phrases.nearest = {
            switch $0 {
            case .read, .readAndUnread: "O mais próximo do que leu:"
            case .unread: "O mais próximo do que espera nos seus feeds:"
            case .bookmarks: "O mais próximo do que guardou:"
            }
        }
        language.phrases.subject = { "O seu resumo de \($0): \($1)" }
        language.phrases.reading = "A sua leitura"
        language.phrases.times = "Quando leu"
        return language
    }()
}

extension Phrases {
    fileprivate static let portuguese = Phrases(
        colon: ":", semicolon: ";", quotation: .curly,
        article: noun("artigo", "artigos"),
        source: noun("fonte", "fontes"),
        story: noun("notícia", "notícias"),
        title: { "Seu resumo de \($0)" },
        week: { "Sua semana, de \($0) a \($1)" },
        at: { day, time in "\(day), \(time.hasPrefix("01") ? "à" : "às") \(time)" },
        update: { "Novidades desde \($0)" },
        read: { stories, shown, all, since, sources in
            noun("notícia", "notícias")(stories)
                + " \(articles(shown, all)) que você leu desde \(since), de \(sources)"
        },
        waiting: Overview("Por ler") { stories, shown, all, since, sources in
            noun("notícia", "notícias")(stories) + " \(articles(shown, all)) que "
                + "\(all == 1 ? "chegou" : "chegaram") aos seus feeds desde \(since) e que você ainda não leu, "
                + "de \(sources)"
        },
        bookmarked: Overview("O que você salvou") { stories, shown, all, since, sources in
            noun("notícia", "notícias")(stories)
                + " \(articles(shown, all)) que você salvou desde \(since), de \(sources)"
        },
        readOrWaiting: Overview("O que você leu e o que falta ler") { stories, shown, all, since, sources in
            noun("notícia", "notícias")(stories) + " \(articles(shown, all)) que você leu ou que "
                + "\(all == 1 ? "chegou" : "chegaram") aos seus feeds desde \(since), de \(sources)"
        },
        notRead: "ainda não lida",
        muted: { noun("silenciado", "silenciados")($0) },
        daysInARow: { "\($0) dias seguidos de leitura." },
        more: "Outras",
        everything: "O que você leu",
        archive: "Seus resumos",
        also: "Também:",
        alsoBy: "também",
        omitted: { "Mais \(noun("artigo", "artigos")($0)):" },
        ownWords: "Todas as frases são citadas das publicações.",
        writtenBy: { "Escrito por \($0) neste computador. O que está entre aspas é da publicação." },
        inItsWords: { stories, all in
            "\(stories) de \(noun("notícia", "notícias")(all)) \(stories == 1 ? "está" : "estão") nas palavras do modelo."
        },
        refused: {
            $0 == 1
                ? "Uma frase do modelo não se confirma nos artigos; em seu lugar, cita-se a publicação."
                : "\($0) frases do modelo não se confirmam nos artigos; em seu lugar, citam-se as publicações."
        },
        marked: {
            $0 == 1
                ? "Uma frase do modelo está marcada: os artigos não a confirmam."
                : "\($0) frases do modelo estão marcadas: os artigos não as confirmam."
        },
        unchecked: "O que o modelo escreveu não foi verificado.",
        nothingShown: {
            "Nada do que \($0) escreveu com palavras próprias pôde ser mostrado: todas as frases são citadas das publicações."
        },
        writes: { "\($0) escreve:" },
        readOn:
            "Para ler um artigo inteiro: pulse-digest history show NÚMERO; em duas frases: pulse-digest summarize NÚMERO.",
        noSummary: "Nenhuma frase deste artigo o resume.",
        summaryShortened: "O artigo é longo demais para o modelo: este resumo trata só do começo.",
        nothingSaysSo: {
            switch $0 {
            case .read, .readAndUnread: "Nada do que você leu diz isso."
            case .unread: "Nada do que espera nos seus feeds diz isso."
            case .bookmarks: "Nada do que você salvou diz isso."
            }
        },
        nearest: {
            switch $0 {
            case .read, .readAndUnread: "O mais próximo do que você leu:"
            case .unread: "O mais próximo do que espera nos seus feeds:"
            case .bookmarks: "O mais próximo do que você salvou:"
            }
        },
        searched: { "Onde se procurou: \($0)" },
        searchedBeyond: {
            "Nada de \($0) chega tão perto; por isso se procurou em \($1.map { "tudo de \($0)" } ?? "tudo")."
        },
        nothingOf: { "Não há nada de \($0)." },
        noArticleHas: { "Nenhum artigo lido tem \($0.joined(separator: " ou "))." },
        readDay: { "lido em \($0)" },
        quotesOnly: { "\($0) só pode citar." },
        subject: { "Seu resumo de \($0): \($1)" },
        reading: "Sua leitura", topics: "Temas", articlesRead: "Artigos lidos",
        articles: "Artigos", times: "Quando você leu",
        most: { day, hours, articles in
            "Mais leitura: \(day)\(hours.map { ", " + $0 } ?? ""): \(articles)."
        })

    fileprivate static func articles(_ shown: Int, _ all: Int) -> String {
        shown < all
            ? "de \(shown) dos \(all) artigos" : all == 1 ? "do artigo" : "dos \(noun("artigo", "artigos")(all))"
    }
}

extension LeadWords {
    fileprivate static let portuguese = LeadWords(
        quotes: ["“”"],
        setsSemicolonsApart: false,
        elisions: [],
        stopWords: words(
            """
            a o as os um uma uns umas de do da dos das em no na nos nas num numa por pelo pela pelos pelas para pra com sem
            sob sobre entre até após desde contra durante ao aos à às e ou mas se que quem qual quais quando onde como
            porque não mais menos muito muita já ainda também só é são era eram foi foram ser sendo sido está estão estava
            tem têm tinha ter há havia vai vão pode podem deve devem seu sua seus suas ele ela eles elas isto isso este
            esta estes estas esse essa esses essas aquele aquela diz disse segundo dois duas novo nova
            """),
        verbs: words(
            """
            é são era eram foi foram está estão estava estavam tem têm tinha tinham há havia houve vai vão ia pode podem
            podia deve devem devia disse diz dizem fez faz fazem deu dá quer quis veio vem vêm teve tiveram ficou morreu
            venceu ganhou perdeu abriu subiu caiu saiu anunciou afirmou abre afirma anuncia apresenta apresentam começa
            decide decorre decorrem defende descarta desce formaliza formalizam inicia participa participam pede pedem
            perde perdem realiza recebe recebem refletem reúne reúnem segue seguem sobe sobem termina vence vencem
            """),
        verbEndings: [
            "ou", "aram", "eram", "iram", "eu", "iu", "ava", "avam", "ará", "arão", "erá", "erão", "irá", "irão",
            "aria",
            "ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas", "ando", "endo", "indo", "am", "-se", "-me",
            "-nos", "-lhe", "-lhes", "-lo", "-la", "-los", "-las", "-no", "-na",
        ],
        besideVerbs: words("não nem que se lhe lhes quem quando caso"),
        pronouns: words(
            """
            ele ela eles elas isto isso aquilo este esta estes estas esse essa esses essas aquele aquela aqueles aquelas seu
            sua seus suas eu nós você vocês meu minha nosso nossa
            """),
        connectives: words(
            """
            também porém mas e entretanto contudo todavia ainda assim então portanto além enquanto embora outro outra outros
            outras ambos ambas
            """),
        definite: words("o a os as hoje ontem"),
        early: words("ele ela eles elas também porém"),
        harmless: [
            "esta semana", "este mês", "este ano", "esta manhã", "esta tarde", "esta noite", "este fim",
            "esta segunda-feira", "esta terça-feira", "esta quarta-feira", "esta quinta-feira", "esta sexta-feira",
            "este sábado", "este domingo",
        ],
        captions: words("foto fotografia imagem vídeo video ilustração retrato arquivo"),
        days: ["hoje", "ontem", "esta manhã", "esta tarde", "esta noite"],
        daysGoOn: words("de à em pela"),
        prepositions: words("de até desde a por para como que e ou antes depois entre"),
        clauses: list("que quem onde cujo cuja incluindo segundo provocando causando com"))
}

extension CheckWords {
    fileprivate static let portuguese = CheckWords(
        free: folded(
            """
            o a os as um uma uns umas de do da dos das em no na nos nas num numa que este esta estes estas esse essa
            esses essas aquele aquela qual quais cujo cuja ao aos à às também
            """),
        conditions: folded(
            """
            se caso embora mas porém contudo exceto excepto salvo apenas só senão não
            """),
        listJoiners: folded(
            """
            e ou nem
            """),
        firstPerson: folded(
            """
            eu me mim meu minha meus minhas nosso nossa nossos nossas sou somos estou estamos fomos temos tenho
            """),
        speaking: folded(
            """
            disse dizem diz disseram afirmou afirma contou conta explicou declarou acrescentou segundo escreveu
            respondeu perguntou anunciou alegou negou garantiu referiu supostamente alegadamente
            """),
        aboutText: folded(
            """
            artigo história notícia texto trecho resumo manchete frase frases parágrafo instruções
            """),
        labels: folded(
            """
            título fonte texto resumo artigo notícia manchete resposta title source text
            """))
}
