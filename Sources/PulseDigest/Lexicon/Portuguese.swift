extension Lexicon {
    static let portuguese = Lexicon(
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
            venceu ganhou perdeu abriu subiu caiu saiu anunciou afirmou
            """),
        verbEndings: [
            "ou", "aram", "eram", "iram", "eu", "iu", "ava", "avam", "ará", "arão", "erá", "erão", "irá", "irão",
            "aria",
            "ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas", "ando", "endo", "indo",
        ],
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
