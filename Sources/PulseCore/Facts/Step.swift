/// What the words around a number say was done to get it.
enum Step: Sendable {
    case sum, difference, others, ratio, share, age

    /// The steps that the words beside a number name. Behind “from”, “to” or “than” stands a level, and no step to it;
    /// and the two numbers of a score are stated.
    static func all(of place: Range<Int>, in tokens: [FactToken]) -> Set<Step> {
        let before = tokens[..<place.lowerBound]
        let behind = tokens[place.upperBound...]
        var steps: Set<Step> = []
        for token in tokens[place] { if ["twice", "thrice"].contains(token.folded) { steps.insert(.ratio) } }
        if let last = before.last {
            if last.isNumeral { return [] }
            // “Una diferencia de cinco”
            let named = before.dropLast().last.flatMap { cues[Stem.of($0.folded)] }
            // “By more than two thirds” is a step.
            let isHedged = Hedge.read(tokens, before: place.lowerBound, behind: tokens.count) != nil
            if levels.contains(last.folded), !isHedged, named == nil || last.folded != "de" { return steps }
        }
        if behind.first?.isNumeral == true { return [] }
        // “Reduced the festival's grant by 400,000 euros”
        let reach = before.suffix(4).contains { ["by", "em", "en"].contains($0.folded) } ? 10 : 3
        for token in before.suffix(reach) + behind.prefix(3) { steps.formUnion(cues[Stem.of(token.folded)] ?? []) }
        if alls.contains(before.suffix(2).map(\.folded).joined(separator: " ")) { steps.insert(.difference) }
        // “Twelve times as many” compares, “twelve times a week” counts.
        if let next = behind.dropFirst().first, ["a", "per", "since", "in"].contains(next.folded) {
            steps.remove(.ratio)
        }
        // Whole and parts may stand anywhere in a sentence: “thirteen boats, two of them lifeboats”.
        for index in max(0, place.lowerBound - 30)..<min(tokens.count, place.upperBound + 30)
        where !place.contains(index) {
            if sums.contains(tokens[index].folded) || index > 0 && isInAll(tokens[index - 1], tokens[index]) {
                steps.insert(.sum)
            }
            if ["each", "cada", "apiece"].contains(tokens[index].folded) { steps.insert(.share) }
            if index > place.upperBound, wholes.contains(tokens[index].folded), tokens[index - 1].folded == "of" {
                steps.insert(.sum)
            }
        }
        return steps
    }

    private static func isInAll(_ word: FactToken, _ next: FactToken) -> Bool {
        [["in", "all"], ["em", "tudo"], ["ao", "todo"], ["en", "suma"], ["all", "told"]].contains([
            word.folded, next.folded,
        ])
    }

    private static let cues: [String: Set<Step>] = {
        var cues: [String: Set<Step>] = [:]
        for (step, words) in table {
            for word in words.split(whereSeparator: \.isWhitespace) {
                cues[Stem.of(String(word)), default: []].insert(step)
            }
        }
        return cues
    }()

    private static let levels: Set<String> = [
        "from", "to", "than", "at", "aged", "de", "desde", "que", "para", "a",
    ]
    private static let sums: Set<String> = [
        "together", "altogether", "total", "totals", "totalling", "totalled", "combined", "sum", "overall", "aggregate",
        "jointly", "juntos", "juntas", "totais", "totales", "soma", "suma", "somam", "suman", "conjunto",
    ]
    private static let alls: Set<String> = ["all but", "todos menos", "todas menos", "todos excepto", "todos salvo"]
    private static let wholes: Set<String> = ["them", "which", "whom"]

    private static let table: [(Step, String)] = [
        (
            .difference,
            """
            more less fewer further extra additional new shorten shortened curtailed up down rise rises rose risen rising increase increased increases grew
            grow grown growth growing gain gains gained climb climbed jump jumped leapt soared surged added adds add fell
            fall falls fallen falling drop drops dropped decline declined cut cuts lost lose loses loss shed slipped slid
            sank shrank shrunk trimmed lowered raised reduced slashed knocked shaved gap difference differ differs discrepancy ahead behind lead leads
            margin longer shorter older younger higher lower taller heavier lighter larger smaller bigger faster slower
            cheaper dearer late later early earlier delay delayed short shortfall missing spare lacks except
            saved saves saving savings premium discount off apart wider narrower deeper colder warmer hotter
            majority above below advantage deficit surplus remaining remain remains left rest widened narrowed outlived

            mais menos maior menor novos novas diminuir encurtar nuevos nuevas disminuir acortar aumento aumentou aumentar aumentaram subiu subir subiram sobe caiu cair cairam queda
            desceu descer baixou baixar recuou recuo cresceu crescer crescimento reduziu reduzir reducao diferenca margem
            vantagem atraso atrasou atrasada acima abaixo depois antes faltam falta faltaram faltou sobram sobraram perdeu
            perderam ganhou ganharam a_mais exceto salvo poupanca poupa poupou diminuiu encolheu adiada adiado maioria
            mas mayor subio subir sube subieron cayo caer cayeron caida bajo bajar bajada aumentaron crecio crecer
            crecimiento redujo reducir reduccion recorto recorte diferencia despues ventaja margen retraso retrasa faltan
            falta faltaron faltaban sobran sobraron perdio perdieron gano ganaron encima debajo excepto ahorro ahorra
            disminuyo descenso descendio alza rebaja mayoria aplazo aplazada restantes restante resto
            """
        ),
        (
            .others,
            """
            other others another remaining remain remains rest left previous previously earlier prior
            unbeaten straight consecutive outros outras restantes resto anteriores otros otras restante anterior demais
            demas seguidos seguidas consecutivos consecutivas previos previas invicto
            """
        ),
        (
            .ratio,
            "times fold vezes veces twice double doble dobro triple triplo ratio multiplied multiplicou multiplico"
        ),
        (
            .share,
            "each apiece cada half equally split evenly metade mitad shared per media average mean promedio partes"
        ),
        (
            .age,
            """
            ago old since for anniversary aged age hace ha desde antiguedad aniversario atras idade edad history historia
            running existence lived later after tras apos depois despues years anos
            """
        ),
    ]
}
