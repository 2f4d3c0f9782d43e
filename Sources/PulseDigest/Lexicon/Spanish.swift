extension Lexicon {
    static let spanish = Lexicon(
        stopWords: words(
            """
            a el la los las lo un una unos unas de del en por para con sin sobre entre hasta tras desde contra durante al y
            e o u pero si que quien quién cual cuál cuando donde dónde como cómo porque no más menos muy ya aún también solo
            sólo es son era eran fue fueron ser siendo sido está están estaba ha han había hay tiene tienen tenía va van
            puede pueden debe deben su sus él ella ellos ellas esto eso este esta estos estas ese esa esos esas aquel
            aquella dice dijo según dos nuevo nueva
            """),
        verbs: words(
            """
            es son era eran fue fueron está están estaba estaban ha han había habían hay hubo tiene tienen tenía va van iba
            puede pueden podía podrá debe deben dijo dice dicen hizo hace hacen dio da quiere vino viene murió ganó perdió
            abrió subió cayó anunció afirmó
            """),
        verbEndings: [
            "ó", "aron", "ieron", "aba", "aban", "ará", "arán", "erá", "erán", "irá", "irán", "aría", "ado", "ada",
            "ados",
            "adas", "ido", "ida", "idos", "idas", "ando", "iendo",
        ],
        pronouns: words(
            """
            él ella ellos ellas esto eso aquello este esta estos estas ese esa esos esas aquel aquella aquellos aquellas su
            sus yo nosotros usted ustedes mi mis nuestro nuestra
            """),
        connectives: words(
            """
            también sin embargo pero y además asimismo entonces así mientras aunque todavía aún otro otra otros otras ambos
            ambas
            """),
        definite: words("el la los las hoy ayer"),
        early: words("él ella ellos ellas también"),
        harmless: [
            "esta semana", "este mes", "este año", "esta mañana", "esta tarde", "esta noche", "este fin", "este lunes",
            "este martes", "este miércoles", "este jueves", "este viernes", "este sábado", "este domingo",
        ],
        captions: words("foto fotografía imagen vídeo video ilustración retrato archivo"),
        days: ["hoy", "ayer", "esta mañana", "esta tarde", "esta noche"],
        daysGoOn: words("de en por"),
        prepositions: words("de hasta desde a por para como que y o antes después entre"),
        clauses: list("que quien donde cuyo cuya incluyendo incluidos según provocando causando con"))
}
