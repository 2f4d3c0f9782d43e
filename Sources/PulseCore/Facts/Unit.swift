/// What a number counts, where it is one of the measures that can be told apart and turned into one another.
struct Unit: Sendable, Hashable {
    /// `length`, `time`, `money:euro` …
    var dimension: String
    /// How many of the dimension's smallest unit here it is.
    var factor: Double

    static let percent = Unit(dimension: "percent", factor: 1)
    /// Of the difference of two percentages.
    static let points = Unit(dimension: "points", factor: 1)
    static let pound = Unit(dimension: "money:pound", factor: 1)
    /// From one time that something happens to the next, in seconds.
    static let interval = Unit(dimension: "interval", factor: 1)
    /// Minutes since midnight.
    static let clock = Unit(dimension: "clock", factor: 1)

    /// The unit that begins at a place among words, and the place behind it.
    static func read(_ words: ArraySlice<FactToken>) -> (unit: Unit, end: Int)? {
        guard let first = words.first, !first.isApart || first.text == "%" else { return nil }
        var index = words.startIndex
        if ["°", "℃", "degree", "degrees", "grau", "graus", "grado", "grados"].contains(first.folded) {
            return degrees(words)
        }
        if let points = points(words) { return points }
        if first.folded == "per" || first.folded == "por", words.count > 1 {
            return ["cent", "cento", "ciento"].contains(words[index + 1].folded)
                ? (percent, index + 2) : nil
        }
        var shape = ""
        if let prefix = shapes[first.folded] {
            shape = prefix
            index += 1
        } else if qualifiers.contains(first.folded) || first.isCapitalised && names[first.folded] == nil {
            // “5 Canadian dollars”: whose they are is a name of its own.
            index += 1
        } else if names[first.folded] == nil, FactWords.isContent(first), let next = words.dropFirst().first,
            !next.isApart, names[next.folded]?.dimension == "time"
        {
            // “21 anxious minutes”
            index += 1
        }
        guard index < words.endIndex, var unit = names[words[index].folded] ?? raised(words[index].folded, &shape)
        else { return nil }
        index += 1
        if index < words.endIndex, !words[index].isApart, let suffix = shapes[words[index].folded] {
            shape = suffix
            index += 1
        }
        if let power = powers[shape], unit.dimension == "length" {
            unit.dimension = shape
            unit.factor = (0..<power).reduce(1) { factor, _ in factor * unit.factor }
        }
        return (unit, index)
    }

    /// “°F”, “degrees Celsius”
    private static func degrees(_ words: ArraySlice<FactToken>) -> (unit: Unit, end: Int) {
        let scale = words.dropFirst().first.flatMap { scales[$0.folded] }
        return (Unit(dimension: scale ?? "degrees", factor: 1), words.startIndex + (scale == nil ? 1 : 2))
    }

    static let scales = [
        "c": "degrees", "celsius": "degrees", "centigrade": "degrees", "centigrados": "degrees", "f": "fahrenheit",
        "fahrenheit": "fahrenheit",
    ]

    /// “percentage points”, “pontos percentuais”, “basis points”
    private static func points(_ words: ArraySlice<FactToken>) -> (unit: Unit, end: Int)? {
        let place = words.startIndex
        if words.first?.folded == "pp" { return (points, place + 1) }
        guard let next = words.dropFirst().first, !next.isApart else { return nil }
        let pair = [words.first?.folded ?? "", next.folded]
        if pair[0] == "percentage", pair[1].hasPrefix("point") { return (points, place + 2) }
        guard pair.contains(where: { ["point", "points", "ponto", "pontos", "punto", "puntos"].contains($0) }) else {
            return nil
        }
        if pair.contains(where: { ["percentual", "percentuais", "porcentual", "porcentuales"].contains($0) }) {
            return (points, place + 2)
        }
        let isBasis = pair[0] == "basis" || pair[1] == "base" || pair[1] == "basicos"
        return isBasis ? (Unit(dimension: "points", factor: 0.01), place + 2) : nil
    }

    /// “km²”, and “m3” where the raised digit was lost.
    private static func raised(_ word: String, _ shape: inout String) -> Unit? {
        guard let last = word.last, let power = ["²": "area", "2": "area", "³": "volume", "3": "volume"][last],
            let unit = names[String(word.dropLast())], unit.dimension == "length"
        else { return nil }
        shape = power
        return unit
    }

    /// A sign in front of a number: `$5`, `R$ 5`.
    static func sign(_ tokens: [FactToken], at index: Int) -> Unit? {
        let text = tokens[index].text
        if text == "$", !tokens[index].isApart, index > 0, tokens[index - 1].text == "R" {
            return Unit(dimension: "money:real", factor: 1)
        }
        return switch text {
        case "$": Unit(dimension: "money:dollar", factor: 1)
        case "€": Unit(dimension: "money:euro", factor: 1)
        case "£": Unit(dimension: "money:pound", factor: 1)
        case "¥": Unit(dimension: "money:yen", factor: 1)
        default: nil
        }
    }

    static let pounds: Set<String> = ["pound", "pounds", "libra", "libras"]

    /// Measures that nothing but a calculation turns into metres and kilograms: it is rounded.
    var isImperial: Bool { Unit.imperial.contains(factor) }

    private static let imperial: Set<Double> = [
        1_609_344, 1_852_000, 914.4, 304.8, 25.4, 453.592, 28.3495, 6350.29, 4_046_856_422.4, 4.546e6, 3.785e6, 568_261,
    ]

    private static let shapes = [
        "cubic": "volume", "sq": "area", "cubicos": "volume", "cubico": "volume", "square": "area", "quadrados": "area",
        "quadrado": "area", "cuadrados": "area", "cuadrado": "area",
    ]
    private static let powers = ["area": 2, "volume": 3]

    /// Words that may stand between a number and its unit and say nothing about it here.
    private static let qualifiers: Set<String> = [
        "metric", "more", "full", "whole", "long", "consecutive", "straight", "successive", "further", "extra",
        "additional",
    ]

    private static let names: [String: Unit] = {
        var names: [String: Unit] = [:]
        for (dimension, factor, words) in table {
            for word in words.split(separator: " ") {
                names[String(word)] = Unit(dimension: dimension, factor: factor)
            }
        }
        return names
    }()

    private static let table: [(String, Double, String)] = [
        ("percent", 1, "% percent pct percentage"),
        ("time", 1, "second seconds sec secs segundo segundos"),
        ("time", 60, "minute minutes min mins minuto minutos"),
        ("time", 3600, "hour hours hr hrs h hora horas"), ("time", 86_400, "day days dia dias"),
        ("time", 604_800, "week weeks semana semanas"), ("time", 1_209_600, "fortnight fortnights"),
        ("time", 0.001, "millisecond milliseconds ms"),
        ("months", 1, "month months mes meses"), ("months", 12, "year years ano anos"),
        ("months", 3, "trimestre trimestres"), ("months", 6, "semestre semestres"),
        ("months", 120, "decade decades decada decadas"),
        ("months", 12_000, "millennium millennia milenio milenios"),
        ("months", 1200, "century centuries seculo seculos siglo siglos"),
        ("length", 1, "millimetre millimetres millimeter millimeters mm milimetro milimetros"),
        ("length", 10, "centimetre centimetres centimeter centimeters cm centimetro centimetros"),
        ("length", 1000, "m metre metres meter meters metro metros"),
        ("length", 1e6, "kilometre kilometres kilometer kilometers km quilometro quilometros kilometro kilometros"),
        ("length", 1_609_344, "mile miles mi mph milha milhas milla millas"),
        ("length", 914.4, "yard yards yd yds jarda jardas yarda yardas"),
        ("length", 304.8, "foot feet ft pes pies"), ("length", 25.4, "inch inches polegada polegadas pulgada pulgadas"),
        ("mass", 0.001, "milligram milligrams mg"), ("mass", 1, "gram grams gramme grammes grama gramas gramo gramos"),
        ("mass", 1000, "kilogram kilograms kg kilo kilos quilo quilos quilograma quilogramas kilogramo kilogramos"),
        ("mass", 1e6, "tonne tonnes ton tons tonelada toneladas"),
        ("money:dollar", 1, "$ dollar dollars dolar dolares"), ("money:euro", 1, "€ euro euros"),
        ("money:dollar", 0.01, "cent cents c centavo centavos centimo centimos"),
        ("money:pound", 0.01, "penny pence p penique peniques"),
        ("money:crown", 1, "crown crowns coroa coroas corona coronas"), ("money:peso", 1, "peso pesos"),
        ("money:pound", 1, "£ pound pounds sterling quid libra libras"), ("money:yen", 1, "¥ yen"),
        ("money:rupee", 1, "rupee rupees"),
        ("money:yuan", 1, "yuan renminbi"), ("money:franc", 1, "franc francs franco francos"),
        ("money:rouble", 1, "rouble roubles ruble rubles rublo rublos"), ("money:krone", 1, "krone kroner"),
        ("money:krona", 1, "krona kronor"), ("money:zloty", 1, "zloty zlotys"), ("money:real", 1, "real reais"),
        ("frequency", 1, "hertz hz"), ("frequency", 1e3, "kilohertz khz"), ("frequency", 1e6, "megahertz mhz"),
        ("frequency", 1e9, "gigahertz ghz"), ("data", 1, "byte bytes"), ("data", 1e3, "kilobyte kilobytes kb"),
        ("data", 1e6, "megabyte megabytes mb"), ("data", 1e9, "gigabyte gigabytes gb"),
        ("data", 1e12, "terabyte terabytes tb"),
        // Areas and volumes in the squares and cubes of the smallest length.
        ("area", 1e10, "hectare hectares hectarea hectareas"), ("area", 4_046_856_422.4, "acre acres"),
        ("mass", 453.592, "lb lbs"), ("mass", 28.3495, "ounce ounces oz onca oncas onza onzas"),
        ("mass", 6350.29, "stone"),
        ("volume", 1000, "millilitre millilitres milliliter milliliters ml mililitro mililitros"),
        ("volume", 4.546e6, "gallon gallons galao galoes galon galones"), ("volume", 568_261, "pint pints"),
        ("volume", 1e6, "litre litres liter liters litro litros"),
        ("sound", 1, "decibel decibels db"), ("volts", 1, "volt volts"),
        ("watts", 1, "microwatt microwatts"), ("watts", 1000, "milliwatt milliwatts"), ("watts", 1e6, "watt watts"),
        ("watts", 1e9, "kilowatt kilowatts kw kilovatio kilovatios quilowatt quilowatts"),
        ("watts", 1e12, "megawatt megawatts mw megavatio megavatios"),
        ("watts", 1e15, "gigawatt gigawatts gw gigavatio gigavatios"),
    ]
}
