import PulseCore
import PulseDigest
import Testing

/// Portuguese and Spanish, by their own words.
@Suite(.timeLimit(.minutes(20))) struct LanguageTests {
    @Test(arguments: [
        ("pt", "Câmara aprovou trinta e uma casas.", "A câmara aprovou trinta e uma casas, na quarta-feira."),
        ("pt", "A obra custou 3,5 milhões de euros.", "A obra custou 3,5 milhões de euros, menos do que em 2019."),
        ("pt", "O barco parou a 12 de março.", "O barco parou em 12 de Março."),
        ("pt", "O ministro português visitou o porto.", "Ministro português visitou o porto, na segunda-feira."),
        ("es", "El barco llevó treinta y un pasajeros.", "Un barco llevó treinta y un pasajeros, hasta el puerto."),
        ("es", "La obra costó 2.000 millones de pesos.", "La obra costo 2.000 millones de pesos."),
        ("es", "Los ministros firmaron el acuerdo.", "Ministros firmaron el acuerdo, el miércoles."),
        ("fr", "Conseil a approuvé trente et une maisons.", "Le conseil a approuvé trente et une maisons, mercredi."),
        ("fr", "Les ministres ont signé l'accord.", "Des ministres ont signé l’accord, à Orlen."),
        ("fr", "Le bateau s'est arrêté le 12 mars.", "Un bateau s’est arrêté ce 12 mars."),
        ("fr", "M. Lima a signé l'accord.", "M. Lima a signé l’accord, lundi."),
    ])
    func whatAReportSaysIsHeld(language: String, sentence: String, text: String) {
        #expect(isHeld(sentence, by: text, language: language))
    }

    @Test(arguments: [
        ("pt", "A câmara aprovou 1.200 casas na terça-feira.", "A câmara não aprovou 1.200 casas na terça-feira."),
        ("pt", "A câmara aprovou 1.200 casas na terça-feira.", "A câmara aprovou 1.200 casas na quarta-feira."),
        ("pt", "A câmara aprovou 1.200 casas na terça-feira.", "A câmara aprovou 1,2 casas na terça-feira."),
        ("pt", "O barco parou depois da greve do porto.", "O barco parou antes da greve do porto."),
        ("pt", "A ponte abre em maio.", "A ponte abre em maio, se não chover."),
        ("pt", "A ponte abre em maio.", "A ponte abre em maio, segundo a câmara."),
        ("pt", "A câmara fechou 31 escolas.", "A câmara fechou 31 escolas, museus e teatros."),
        ("es", "Los ministros firmaron el acuerdo.", "Los ministros no firmaron el acuerdo."),
        ("es", "Los ministros firmaron el acuerdo el martes.", "Los ministros firmaron el acuerdo el miércoles."),
        ("es", "Los ministros firmaron el acuerdo por escrito.", "Los ministros firmaron el acuerdo sin escrito."),
        ("es", "Los ministros firmaron el acuerdo.", "Los ministros firmaron el acuerdo, según la prensa."),
        ("es", "Cerca de 400 casas se vendieron.", "Se vendieron 312 casas."),
        ("fr", "Les ministres ont signé l'accord.", "Les ministres n'ont pas signé l'accord."),
        ("fr", "Les ministres ont signé l'accord mardi.", "Les ministres ont signé l'accord mercredi."),
        ("fr", "Le conseil a fermé 31 écoles.", "Le conseil a fermé 31 écoles, musées et théâtres."),
        ("fr", "Le conseil ferme une école ou un musée.", "Le conseil ferme une école et un musée."),
        ("fr", "Le pont ouvre en mai.", "Le pont ouvre en mai, s'il ne pleut pas."),
        ("fr", "Le pont ouvre en mai.", "Le pont ouvre en mai, selon le conseil."),
        ("fr", "Le bateau s'est arrêté après la grève du port.", "Le bateau s'est arrêté avant la grève du port."),
        ("fr", "La ville a 1 200 maisons à vendre.", "La ville avait 1 200 maisons à vendre."),
    ])
    func whatItDoesNotSayIsRefused(language: String, sentence: String, text: String) {
        #expect(!isHeld(sentence, by: text, language: language))
    }

    @Test func whatIsNeverShownIsSoInFrench() {
        let text =
            "Deux services ont rouvert samedi. « Nous avons commencé tôt, et mes collègues ont ri », dit l’infirmière."
        #expect(verdict("Titre : Deux services ont rouvert.", on: text, language: "fr") == .refused(.echo))
        #expect(verdict("L’article parle de deux services.", on: text, language: "fr") == .refused(.about))
        #expect(verdict("Mes collègues ont ri.", on: text, language: "fr") == .refused(.quotation))
    }

    @Test func whatIsNeverShownIsSoInEveryLanguage() {
        let text = "Dois serviços reabriram no sábado. “Começamos cedo, e os meus colegas riram”, disse a enfermeira."
        #expect(verdict("Título: Dois serviços reabriram.", on: text, language: "pt") == .refused(.echo))
        #expect(verdict("O artigo fala de dois serviços.", on: text, language: "pt") == .refused(.about))
        #expect(verdict("Os meus colegas riram muito.", on: text, language: "pt") == .refused(.quotation))
        #expect(
            verdict("El texto habla de dos barcos.", on: "Dos barcos llegaron el lunes al puerto.", language: "es")
                == .refused(.about))
    }

    @Test func eachReportIsReadInItsLanguage() {
        let reports = [
            Article(
                id: "en", title: "The bridge over the river is open", content: "The bridge cost 1,200 crowns a day.",
                language: "en"),
            Article(
                id: "pt", title: "A ponte sobre o rio já está aberta", content: "A ponte custou 1.200 coroas por dia.",
                language: "pt"),
        ]
        let check = QuotationCheck(reports)
        func isQuoted(_ sentence: String, from id: String) -> Bool {
            check.verdict(on: sentence) == .supported(sources: [id], isVerbatim: true)
        }
        #expect(isQuoted("Ponte custou 1.200 coroas por dia.", from: "pt"))
        #expect(isQuoted("Bridge cost 1,200 crowns a day.", from: "en"))
    }
}
