/// Numbers that are written as words, in the three languages. All words in lower case and without accents.
enum NumberWords {
    /// What stands for itself: up to ninety-nine, and the hundreds that Portuguese and Spanish have a word for.
    static let values: [String: Double] = {
        var values: [String: Double] = [:]
        for (number, words) in table { for word in words.split(separator: " ") { values[String(word)] = number } }
        return values
    }()

    /// What multiplies the number before it.
    static let multipliers: [String: Double] = [
        "hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12,
        "mil": 1e3, "milhao": 1e6, "milhoes": 1e6, "millon": 1e6, "millones": 1e6, "bilhao": 1e9, "bilhoes": 1e9,
        // A thousand million in English and in Brazil, a million million in Spanish and in Portugal.
        "millardo": 1e9, "millardos": 1e9, "billon": 1e12, "billones": 1e12, "biliao": 1e12, "bilioes": 1e12,
        "trilhao": 1e12, "trilhoes": 1e12, "k": 1e3, "mn": 1e6, "bn": 1e9, "tn": 1e12, "m": 1e6, "duzia": 12,
        "duzias": 12,
        "docena": 12, "docenas": 12, "dezena": 10, "dezenas": 10, "decena": 10, "decenas": 10, "centena": 100,
        "centenas": 100, "centenar": 100, "centenares": 100, "milhar": 1e3, "milhares": 1e3, "millar": 1e3,
        "millares": 1e3,
    ]

    /// Those that are a number without one before them: “a hundred”, “mil”.
    static let standingAlone: Set<String> = [
        "hundred", "thousand", "million", "billion", "trillion", "dozen", "mil", "duzia", "docena", "dezena", "decena",
        "centena",
        "centenar", "milhar", "millar",
    ]

    /// “hundred and five”, “vinte e um”, “treinta y dos”.
    static let connectors: Set<String> = ["and", "e", "y"]
    static let ones: Set<String> = ["one", "um", "uma", "un", "uno", "una", "first"]
    static let halves: Set<String> = ["half", "meio", "meia", "medio", "media"]

    /// Places in a row. “Second” is one too, but for time.
    static let ordinals: Set<String> = Set(
        """
        third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth
        seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth
        hundredth terceiro terceira tercer tercero tercera quinto quinta sexto sexta setimo setima septimo septima oitavo
        oitava octavo octava nono nona noveno novena decimo decima cuarto cuarta quarto quarta
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Words that are numbers in Spanish only: “dos” and “doce” are others in Portuguese, “once” in English.
    static let spanishOnly: Set<String> = ["once", "dos", "doce"]

    private static let table: [(Double, String)] = [
        (2, "two dois duas dos twice"), (3, "three tres third terceiro terceira tercer tercero tercera thrice"),
        (4, "four quatro cuatro fourth cuarta"), (5, "five cinco fifth quinto quinta"),
        (6, "six seis sixth sexto sexta"),
        (7, "seven sete siete seventh setimo setima septimo septima"),
        (8, "eight oito ocho eighth oitavo oitava octavo octava"), (9, "nine nove nueve ninth nono nona noveno novena"),
        (10, "ten dez diez tenth decimo decima"),
        (11, "eleven onze once eleventh"), (12, "twelve doze doce twelfth"), (13, "thirteen treze trece thirteenth"),
        (14, "fourteen catorze quatorze catorce fourteenth"), (15, "fifteen quinze quince fifteenth"),
        (16, "sixteen dezasseis dezesseis dieciseis sixteenth"),
        (17, "seventeen dezassete dezessete diecisiete seventeenth"), (18, "eighteen dezoito dieciocho eighteenth"),
        (19, "nineteen dezanove dezenove diecinueve nineteenth"), (20, "twenty vinte veinte twentieth"),
        (21, "veintiuno veintiuna veintiun"), (22, "veintidos"), (23, "veintitres"), (24, "veinticuatro"),
        (25, "veinticinco"), (26, "veintiseis"), (27, "veintisiete"), (28, "veintiocho"), (29, "veintinueve"),
        (30, "thirty trinta treinta thirtieth"), (40, "forty quarenta cuarenta fortieth"),
        (50, "fifty cinquenta cincuenta fiftieth"), (60, "sixty sessenta sesenta sixtieth"),
        (70, "seventy setenta seventieth"), (80, "eighty oitenta ochenta eightieth"),
        (90, "ninety noventa ninetieth"), (100, "cem cento cien ciento hundredth"),
        (200, "duzentos duzentas doscientos doscientas"), (300, "trezentos trezentas trescientos trescientas"),
        (400, "quatrocentos quatrocentas cuatrocientos cuatrocientas"),
        (500, "quinhentos quinhentas quinientos quinientas"), (600, "seiscentos seiscentas seiscientos seiscientas"),
        (700, "setecentos setecentas setecientos setecientas"),
        (800, "oitocentos oitocentas ochocientos ochocientas"),
        (900, "novecentos novecentas novecientos novecientas"),
    ]

    /// The number that begins at a place among words, and the place behind it.
    static func read(_ words: ArraySlice<FactToken>, isSpanish: Bool) -> (value: Double, end: Int)? {
        // The thousands, millions … that are whole, the greatest first.
        var groups: [(value: Double, factor: Double)] = []
        var current = 0.0
        var total: Double { groups.reduce(0) { $0 + $1.value } }
        var isBegun = false
        var isJoined = false
        var index = words.startIndex
        var end = index
        while index < words.endIndex {
            let token = words[index]
            // “the two, three weeks later”: punctuation ends a number.
            if isBegun, token.isApart { break }
            let word = token.folded
            if let value = value(of: word, isSpanish: isSpanish), fits(value, behind: current) {
                current += value
            } else if ones.contains(word), isBegun, fits(1, behind: current),
                current > 0 || isJoined && groups.last?.factor == 1000
            {
                current += 1
            } else if ones.contains(word), current == 0, index + 1 < words.endIndex,
                let factor = multipliers[words[index + 1].folded], factor >= 100, words[index + 1].folded.count > 2
            {
                current = 1
            } else if let factor = multipliers[word], word.count > 2, isBegun || standingAlone.contains(word) {
                if factor <= 100 {
                    current = max(current, 1) * factor
                } else {
                    // “Dos mil millones”: what multiplies thousands multiplies all of them.
                    while let last = groups.last, last.factor < factor {
                        current += last.value
                        groups.removeLast()
                    }
                    groups.append((max(current, 1) * factor, factor))
                    current = 0
                }
            } else if connectors.contains(word), isBegun, index + 1 < words.endIndex, joins(word, current, total),
                let next = value(of: words[index + 1].folded, isSpanish: isSpanish)
                    ?? (ones.contains(words[index + 1].folded) ? 1 : nil),
                fits(next, behind: current), next < 100 || word != "and"
            {
                index += 1
                isJoined = true
                continue
            } else {
                break
            }
            isBegun = true
            isJoined = false
            index += 1
            end = index
        }
        return isBegun ? (total + current, end) : nil
    }

    private static func value(of word: String, isSpanish: Bool) -> Double? {
        spanishOnly.contains(word) && !isSpanish ? nil : values[word]
    }

    /// Whether a number may stand directly behind what has come of a longer one: ones behind tens, and either behind
    /// hundreds.
    private static func fits(_ value: Double, behind current: Double) -> Bool {
        if current == 0 { return true }
        let tail = current.truncatingRemainder(dividingBy: 100)
        if tail == 0 { return value < 100 }
        return value < 10 && tail >= 20 && tail.truncatingRemainder(dividingBy: 10) == 0
    }

    private static func joins(_ connector: String, _ current: Double, _ total: Double) -> Bool {
        connector == "and"
            ? current >= 100 && current.truncatingRemainder(dividingBy: 100) == 0 || current == 0 && total > 0
            : current >= 20 || current == 0 && total > 0
    }
}
