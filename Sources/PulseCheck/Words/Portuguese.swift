extension Lexicon {
    static let portuguese = Lexicon(
        free: words(
            """
            o a os as um uma uns umas de do da dos das e em no na nos nas num numa que este esta estes estas esse essa
            esses essas aquele aquela qual quais cujo cuja ao aos à às também
            """),
        conditions: words("se caso embora mas porém contudo exceto salvo apenas só senão não"),
        firstPerson: words(
            "eu me mim meu minha meus minhas nosso nossa nossos nossas sou somos estou estamos fomos temos tenho"),
        speaking: words(
            """
            disse dizem diz disseram afirmou afirma contou conta explicou declarou acrescentou segundo escreveu
            respondeu perguntou anunciou
            """),
        aboutText: words("artigo história notícia texto trecho resumo manchete frase frases parágrafo instruções"),
        labels: words("título fonte texto resumo artigo notícia manchete resposta title source text"),
        numbers: numbers(
            """
            zero um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze
            dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove
            """, "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
            "cem/cento duzentos/duzentas trezentos quatrocentos quinhentos seiscentos setecentos oitocentos"),
        ordinals: counted(
            """
            primeiro/primeira _ terceiro/terceira quarto/quarta quinto/quinta sexto/sexta sétimo/sétima oitavo/oitava
            nono/nona décimo/décima
            """),
        shares: table([50: "metade a_metade meio meia", 100 / 3: "um_terço", 200 / 3: "dois_terços", 25: "um_quarto"]),
        multipliers: table([
            1e3: "mil", 1e6: "milhão milhões", 1e9: "bilhão bilhões", 1e12: "trilhão trilhões", 12: "dúzia dúzias",
        ]),
        numberJoiners: ["e"],
        listJoiners: ["e", "ou", "nem"],
        hedges: table([
            .about: "cerca_de aproximadamente uns umas", .above: "mais_de acima_de pelo_menos",
            .below: "menos_de quase",
        ]),
        units: table(["%": "% por_cento", "$": "dólar dólares", "€": "euro euros", "£": "libra libras"]),
        thousands: ".",
        months: counted(
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
        weekdays: counted("segunda_feira terça_feira quarta_feira quinta_feira sexta_feira sábado domingo"),
        daysHaveCapitals: false,
        demonyms: peoples(
            """
            alemanha alemão alemã alemães, brasil brasileiro brasileira, china chinês chinesa chineses, espanha
            espanhol espanhola espanhóis, eua americano americana, europa europeu europeia, frança francês francesa
            franceses, inglaterra inglês inglesa ingleses, japão japonês japonesa japoneses, portugal português
            portuguesa portugueses, rússia russo russa
            """))
}
