extension Lexicon {
    static let spanish = Lexicon(
        free: words(
            """
            el la los las lo un una uno unos unas de del y e en que este esta estos estas ese esa esos esas aquel
            aquella cual cuales cuyo cuya al a también
            """),
        conditions: words("si aunque pero sino salvo excepto sólo solamente no"),
        firstPerson: words(
            "yo nosotros nosotras me mí mi mis nos nuestro nuestra nuestros nuestras soy somos estoy estamos tengo"),
        speaking: words(
            """
            dijo dicen dice dijeron afirmó afirma contó cuenta explicó declaró añadió según escribió respondió preguntó
            anunció señaló
            """),
        aboutText: words("artículo historia noticia texto pasaje resumen titular frase frases párrafo instrucciones"),
        labels: words("título fuente texto resumen artículo noticia titular respuesta title source text"),
        numbers: numbers(
            """
            cero un/uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
            diecisiete dieciocho diecinueve _ veintiuno/veintiún/veintiuna veintidós veintitrés veinticuatro
            veinticinco veintiséis veintisiete veintiocho veintinueve
            """, "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
            "cien/ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos"),
        ordinals: counted(
            """
            primero/primera/primer _ tercero/tercera/tercer cuarto/cuarta quinto/quinta sexto/sexta séptimo/séptima
            octavo/octava noveno/novena décimo/décima
            """),
        shares: table([50: "mitad la_mitad medio media", 100 / 3: "un_tercio", 200 / 3: "dos_tercios", 25: "un_cuarto"]
        ),
        multipliers: table([1e3: "mil", 1e6: "millón millones", 1e12: "billón billones", 12: "docena docenas"]),
        numberJoiners: ["y"],
        listJoiners: ["y", "e", "o", "u", "ni"],
        hedges: table([
            .about: "cerca_de aproximadamente unos unas alrededor_de", .above: "más_de al_menos",
            .below: "menos_de casi",
        ]),
        units: table(["%": "% por_ciento", "$": "dólar dólares", "€": "euro euros", "£": "libra libras"]),
        thousands: ".",
        months: counted(
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
        weekdays: counted("lunes martes miércoles jueves viernes sábado domingo"),
        daysHaveCapitals: false,
        demonyms: peoples(
            """
            alemania alemán alemana alemanes, argentina argentino, brasil brasileño brasileña, china chino, españa
            español española españoles, europa europeo europea, francia francés francesa franceses, inglaterra inglés
            inglesa ingleses, italia italiano italiana, japón japonés japonesa japoneses, méxico mexicano mexicana,
            portugal portugués portuguesa portugueses, rusia ruso rusa
            """))
}
