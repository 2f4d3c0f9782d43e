import PulseText

/// Which words carry what.
enum FactWords {
    static func isContent(_ token: FactToken) -> Bool {
        guard let first = token.text.unicodeScalars.first, first.properties.isAlphabetic else { return false }
        return Words.isContent(token.text.lowercased()) && !small.contains(token.folded)
    }

    /// Whether a word may be a name, from the way it is written: with a capital or a digit, in front or inside (“iPhone”,
    /// “o11”). At the front of a sentence anything may be.
    static func canBeName(_ token: FactToken) -> Bool {
        guard token.text.count > 1, !token.isNumeral,
            token.text.contains(where: { $0.isUppercase || $0.isNumber })
        else { return false }
        return !small.contains(token.folded) && !titles.contains(token.folded)
            && !((token.isAcronym || token.text.dropLast().allSatisfy(\.isUppercase)) && terms.contains(token.folded))
    }

    /// Whether the first word of a sentence reads like a name though nothing else in it tells: a plural, an adverb, a
    /// participle or one of the commonest openers is none.
    static func looksLikeName(_ token: FactToken, before next: FactToken?, _ language: FactLanguage) -> Bool {
        let word = token.folded
        // “Faltan los”, “Abren ocho”: no name stands before an article or a number.
        if language != .english, let next,
            binders.contains(next.folded) || next.isNumeral || NumberWords.values[next.folded] != nil
        {
            return false
        }
        // “Haverá”, “abrirán”: the future ends like no name.
        if ["rá", "rán", "rão"].contains(where: token.text.lowercased().hasSuffix) { return false }
        let ordinary =
            language == .english
            ? [
                "s", "ly", "ing", "ed", "tion", "ment", "ness", "ity", "ship", "acy", "ency", "ancy",
                "ance", "ence", "ism", "hood", "ward", "wise", "ful", "less", "ous", "able", "ible", "ive", "est",
            ]
            : [
                "s", "mente", "ndo", "am", "em", "ou", "iu", "io", "ar", "er", "ir", "on",
                "cao", "cion", "dade", "dad", "mento", "miento", "ado", "ada", "ido", "ida",
            ]
        if ordinary.contains(where: word.hasSuffix) { return false }
        return !openers.contains(word) && Words.isContent(token.text.lowercased())
    }

    private static let binders: Set<String> = [
        "el", "la", "los", "las", "un", "una", "unos", "unas", "o", "os", "as", "um", "uma", "uns", "umas", "como",
        "que",
        "mais", "mas", "menos", "cerca", "apenas", "solo", "so", "hasta", "ate", "al", "ao", "pelo", "sus", "seus",
    ]

    /// Words that bind, which headlines and titles of works write with a capital.
    static let small: Set<String> = Set(
        """
        the and for that with was were are has have had his her its their they this from which who will would been not but
        said says say also than then when where while into over after before about more most some such other there these
        those what how all can could may might should between during under out off two one she him our your you a an of in
        on at by to as is it he we be or if so no nor yet do did does us me my up per via i am any each both few many much
        que com para por uma nao dos das nos nas mais mas como foi sao ser tem seu sua ele ela aos pelo pela um o os e de
        do da em no na ao las del una con mas fue son sus ella pero este esta desde hasta sobre entre el la los un en y al
        se lo su unos unas os as ja sem sin ou ni muy muito tambien tambem
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Titles, which are shortened in too many ways to be compared.
    private static let titles: Set<String> = Set(
        """
        mr mrs ms miss dr sr sra srta dra prof professor president minister prime gov governor gen general sen senator rep
        representative captain capt chief sir lady lord king queen prince princess saint st justice judge
        mayor doctor director chairman chairwoman secretary chancellor commissioner ambassador bishop archbishop pope
        inspector detective sergeant sgt lieutenant lt colonel col major admiral commander superintendent councillor
        deputy spokesman spokeswoman coach manager dean rector duke duchess baron count emperor sheikh sultan ceo
        professora doutor doutora presidente ministro ministra alcalde alcaldesa secretario secretaria prefeito prefeita rey reina rei rainha bispo
        obispo justica justicia government governo gobierno
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// What is written with capitals and is no name.
    private static let terms: Set<String> = Set(
        """
        ai tv gp gps mp mps pm ceo ceos gdp dna rna hiv aids ufo pc pcs usb lcd led it id cv diy vip sms atm iq ev evs
        pib adn ia iou ious faq faqs ngo ngos ong ongs suv suvs vat iva gst ipo ipos hq rpm cctv mri ct er icu covid pdf
        url wifi pr hr phd mba bbq atms sim dj djs vips
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    private static let openers: Set<String> = Set(
        """
        police electricity water money rain people nobody nothing everyone everybody somebody someone anyone another
        whether well just up around roughly because although though since until unless despite without within among around against across along
        following under over here there now today yesterday tomorrow later earlier soon once twice half part next last
        according instead however meanwhile further even only just still again never always often almost nearly about
        above below behind beyond inside outside during except like unlike near upon toward first second third finally
        built held made seen found led set born given known taken left sold told shot won lost kept paid cut hit
        government parliament demand growth research work health traffic trade debt film music art snow ice fire heat
        men women children fishermen firemen policemen crew staff labour management production output sales supply
        access entry admission attendance turnout competition voting polling construction planning land wood timber
        oil gas coal steel power light heat noise dust smoke fog wind weather sea soil sand grass wheat corn rice milk
        bread meat fish beer wine coffee tea sugar salt food fuel energy income profit revenue inflation unemployment
        turnover interest credit cash pay rent tax crime violence peace war justice freedom law evidence proof data
        information news advice knowledge science technology software hardware equipment furniture luggage machinery
        parking housing transport education training teaching schooling play football rugby cricket tennis golf
        swimming athletics chess hope fear anger joy luck success failure progress change damage harm death birth
        life youth age time space room sleep exercise medicine treatment surgery cancer blood skin bone hair public
        local national regional federal central foreign private public former current new old young early late high
        low long short full empty hot cold dry wet good bad better worse best worst big large small great little less
        fewer several various enough plenty dozens hundreds thousands millions none neither either whoever whatever
        whichever wherever whenever however besides plus minus together apart aside ahead back off home abroad
        downstream upstream tonight overnight afterwards thereafter eventually perhaps maybe indeed thus hence so
        hidden written driven broken chosen taken grown known shown thrown worn torn sworn drawn flown frozen bought
        brought caught taught thought fought sought spent sent lent bent meant dealt felt kept slept swept wept left
        run begun won hung struck stuck sunk
        older younger elder bigger smaller larger higher lower longer shorter greater lesser cheaper richer poorer
        stronger weaker faster slower warmer colder hotter heavier lighter safer easier harder closer further deeper
        wider newer accuracy safety security privacy policy energy industry property family country city town village
        dentro fora fuera durante ate hasta desde sob acima abaixo arriba abajo perto longe cerca lejos agora ahora
        assim asi tambem tambien ademas alem contudo porem pero sino mesmo mismo logo luego ja ya sempre siempre nunca
        jamais junto frente diante delante detras debaixo debajo encima enfim finalmente quanto cuanto onde donde como
        aqui ali alli ahi muito mucha mucho pouco poco tanto quase casi apenas solo menos ninguem nadie nada algo alguem
        alguien gente agua dinheiro dinero
        segundo enquanto quando depois antes apesar embora porque ainda hoje ontem nem toda todo cada outra outro quem
        mientras cuando despues aunque porque todavia hoy ayer toda todo cada otra otro quien tras segun ante bajo
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
