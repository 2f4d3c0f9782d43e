extension Lexicon {
    /// Portuguese, as Brazil and as Portugal write it.
    static let portuguese = Lexicon(
        free: words(
            """
            o a os as um uma uns umas de do da dos das em no na nos nas num numa que este esta estes estas esse essa
            esses essas aquele aquela qual quais cujo cuja ao aos à às também
            """),
        conditions: words(
            """
            se caso embora mas porém contudo exceto excepto salvo apenas só senão não
            """),
        listJoiners: words(
            """
            e ou nem
            """),
        firstPerson: words(
            """
            eu me mim meu minha meus minhas nosso nossa nossos nossas sou somos estou estamos fomos temos tenho
            """),
        speaking: words(
            """
            disse dizem diz disseram afirmou afirma contou conta explicou declarou acrescentou segundo escreveu
            respondeu perguntou anunciou alegou negou garantiu referiu supostamente alegadamente
            """),
        aboutText: words(
            """
            artigo história notícia texto trecho resumo manchete frase frases parágrafo instruções
            """),
        labels: words(
            """
            título fonte texto resumo artigo notícia manchete resposta title source text
            """))
}
