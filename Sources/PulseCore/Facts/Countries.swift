/// The forms that the names of countries and of their people take, where no ending explains them: “Spain” and
/// “Spanish”, “Dutch” and “the Netherlands”. In the three languages, folded.
enum Countries {
    /// The country that a token names, alone or with its neighbour: “United States”.
    static func named(_ tokens: [FactToken], at index: Int) -> Int? {
        if let country = words[tokens[index].folded] { return country }
        if index + 1 < tokens.count, let country = pairs[tokens[index].folded + " " + tokens[index + 1].folded] {
            return country
        }
        guard index > 0 else { return nil }
        return pairs[tokens[index - 1].folded + " " + tokens[index].folded]
    }

    private static let words: [String: Int] = table.enumerated().reduce(into: [:]) { words, row in
        for form in row.element.split(separator: " ") where !form.contains("_") { words[String(form)] = row.offset }
    }

    private static let pairs: [String: Int] = table.enumerated().reduce(into: [:]) { pairs, row in
        for form in row.element.split(separator: " ") where form.contains("_") {
            pairs[form.split(separator: "_").joined(separator: " ")] = row.offset
        }
    }

    private static let table = [
        "us usa america american americans united_states eua eeuu estados_unidos americano americana americanos "
            + "americanas estadounidense estadounidenses estadunidense",
        "uk britain british briton britons united_kingdom reino_unido britanico britanica britanicos britanicas",
        "england english inglaterra ingles inglesa ingleses inglesas englishman",
        "scotland scottish scots scot escocia escoces escocesa", "wales welsh gales gales galesa",
        "ireland irish irlanda irlandes irlandesa", "france french franca francia frances francesa franceses francesas",
        "germany german germans alemanha alemania alemao alema alemaes aleman alemana alemanes",
        "spain spanish spaniard spaniards espanha espana espanhol espanhola espanhois espanol espanola espanoles",
        "portugal portuguese portugues portuguesa portugueses portuguesas",
        "netherlands dutch holland holanda holandes holandesa neerlandes neerlandesa paises_baixos paises_bajos",
        "belgium belgian belgians belgica belga belgas",
        "switzerland swiss suica suiza suico suica suizo suizos",
        "italy italian italians italia italiano italiana italianos italianas",
        "greece greek greeks grecia grego grega griego griega", "turkey turkish turk turks turquia turco turca",
        "poland polish pole poles polonia polones polonesa polaco polaca",
        "denmark danish dane danes dinamarca dinamarques danes danesa dinamarquesa",
        "sweden swedish swede swedes suecia sueco sueca suecos",
        "norway norwegian norwegians noruega noruego noruegues norueguesa",
        "finland finnish finn finns finlandia finlandes finlandesa finlandesas",
        "iceland icelandic icelander islandia islandes islandesa", "hungary hungarian hungria hungaro hungara",
        "czechia czech czechs czech_republic", "austria austrian austrians austriaco austriaca",
        "romania romanian romenia rumania romeno rumano", "ukraine ukrainian ucrania ucraniano ucraniana",
        "russia russian russians rusia russo russa ruso rusa", "china chinese chines chinesa chino china",
        "japan japanese japao japon japones japonesa", "korea korean koreans coreia corea coreano coreana",
        "india indian indians indiano indiana indio", "thailand thai thais tailandia tailandes tailandesa",
        "vietnam vietnamese vietna vietnamita", "philippines filipino filipinos philippine filipinas",
        "brazil brazilian brazilians brasil brasileiro brasileira brasileiros brasileiras brasileno brasilena",
        "argentina argentine argentinian argentino argentinos", "mexico mexican mexicans mexicano mexicana",
        "peru peruvian peruvians peruano peruana", "chile chilean chileans chileno chilena",
        "canada canadian canadians canadense canadiense",
        "australia australian australians australiano australiana",
        "new_zealand zealander zealanders", "egypt egyptian egyptians egito egipto egipcio egipcia",
        "morocco moroccan moroccans marrocos marruecos marroquino marroqui",
        "israel israeli israelis israelense israelenses israelita", "lebanon lebanese libano libanes libanesa",
        "iraq iraqi iraqis iraque irak iraquiano iraki", "iran iranian iranians irao iraniano irani",
        "syria syrian syrians siria sirio siriano", "saudi saudis saudi_arabia",
        "europe european europeans europa "
            + "europeu europeia europeo europea europeos europeus",
        "africa african africans africano africana", "asia asian asians asiatico asiatica",
        "congo congolese congoles congolesa", "cyprus cypriot cypriots chipre", "philippines filipino filipinos",
        "slovakia slovak slovaks", "slovenia slovene slovenes slovenian", "serbia serb serbs serbian",
        "croatia croat croats croatian", "bulgaria bulgarian bulgarians", "afghanistan afghan afghans",
        "pakistan pakistani pakistanis",
    ]
}
