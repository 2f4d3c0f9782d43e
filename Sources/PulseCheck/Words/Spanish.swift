extension Lexicon {
    /// Spanish.
    static let spanish = Lexicon(
        free: words(
            """
            el la los las lo un una uno unos unas de del en que este esta estos estas ese esa esos esas aquel
            aquella cual cuales cuyo cuya al a también
            """),
        conditions: words(
            """
            si aunque pero sino salvo excepto sólo solamente no
            """),
        listJoiners: words(
            """
            y e o u ni
            """),
        firstPerson: words(
            """
            yo nosotros nosotras me mí mi mis nos nuestro nuestra nuestros nuestras soy somos estoy estamos tengo
            """),
        speaking: words(
            """
            dijo dicen dice dijeron afirmó afirma contó cuenta explicó declaró añadió según escribió respondió
            preguntó anunció señaló aseguró alegó negó presuntamente supuestamente
            """),
        aboutText: words(
            """
            artículo historia noticia texto pasaje resumen titular frase frases párrafo instrucciones
            """),
        labels: words(
            """
            título fuente texto resumen artículo noticia titular respuesta title source text
            """))
}
