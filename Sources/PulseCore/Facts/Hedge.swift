/// What the words beside a number say of how exact it is: “about”, “more than”, “just under”, “up to”, “or so”.
enum Hedge: Sendable {
    case about, over, under, nearly, most

    /// The one that stands before a place among tokens, or behind another place.
    ///
    /// Of several that fit, the longest: “no more than” is none of “more than”.
    static func read(_ tokens: [FactToken], before start: Int, behind end: Int) -> Hedge? {
        let words = tokens[max(0, start - 6)..<start].map(\.folded)
        // “Over the 300”, “supera los 300”: articles say nothing.
        for skipped in 0...1 where words.count > skipped {
            if skipped == 1, !articles.contains(words[words.count - 1]) { break }
            let rest = words.dropLast(skipped)
            for length in stride(from: min(longest, rest.count), through: 1, by: -1) {
                if let hedge = before[rest.suffix(length).joined(separator: " ")] { return hedge }
            }
        }
        guard end < tokens.count else { return nil }
        // “85 ships or so”
        for place in end...min(end + 1, tokens.count - 1) where !tokens[place].isApart {
            for length in 1...3 where place + length <= tokens.count {
                let words = tokens[place..<place + length].map(\.folded).joined(separator: " ")
                if let hedge = behind[words] { return hedge }
            }
        }
        return nil
    }

    private static let articles: Set<String> = [
        "a", "an", "the", "los", "las", "el", "la", "os", "as", "o", "un", "una", "um", "uma",
    ]

    private static let longest = before.keys.map { $0.split(separator: " ").count }.max() ?? 1

    private static func table(_ rows: [(Hedge, String)]) -> [String: Hedge] {
        rows.reduce(into: [:]) { table, row in
            for phrase in row.1.split(whereSeparator: \.isWhitespace) {
                table[phrase.split(separator: "_").joined(separator: " ")] = row.0
            }
        }
    }

    private static let before = table([
        (
            .about,
            """
            about around roughly approximately some circa close_to nearer_to near estimated an_estimated in_the_region_of
            in_the_order_of or_so more_or_less cerca_de aproximadamente uns umas unos unas alrededor_de por_volta_de
            em_torno_de en_torno_a perto_de coisa_de mais_ou_menos mas_o_menos rondam rondan rondaba ronda rondou
            estimated_at put_at cerca_dos cerca_das perto_dos perto_das
            """
        ),
        (
            .over,
            """
            over more_than greater_than higher_than longer_than older_than taller_than heavier_than larger_than bigger_than
            above at_least least beyond exceeding exceeded exceeds exceed topped tops topping upwards_of upward_of
            in_excess_of north_of past surpassed surpassing surpasses a_minimum_of minimum_of no_less_than no_fewer_than
            mais_de mais_do_que mais_que acima_de acima_dos ao_menos pelo_menos no_minimo passa_de passam_de passou_de
            passou_dos passa_dos passam_dos passaram_de supera superam superou superaram ultrapassa ultrapassam ultrapassou
            excede excedeu um_minimo_de mas_de mas_que superior_a superiores_a por_encima_de al_menos como_minimo
            no_menos_de rebasa rebaso supero superaron superan superando sobrepasa sobrepaso excedio un_minimo_de
            pasa_de pasan_de a_little_over a_little_more_than slightly_more_than just_over just_above just_more_than
            algo_mas_de algo_mas_del poco_mas_de poco_mas_del un_poco_mas_de pouco_mais_de pouco_mais_do pouco_mais_da
            ligeramente_superior_a ligeramente_por_encima_de ligeiramente_acima_de mas_del mais_do mais_dos mais_das
            por_encima_del acima_do acima_da al_menos_el
            """
        ),
        (
            .under,
            """
            under below less_than fewer_than lower_than smaller_than shorter_than younger_than menos_de menos_do_que
            abaixo_de inferior_a inferiores_a aquem_de menos_que por_debajo_de por_debajo_del abaixo_do abaixo_da
            menos_del menos_do menos_da algo_menos_de algo_menos_del poco_menos_de poco_menos_del pouco_menos_de
            slightly_less_than a_little_less_than a_little_under
            """
        ),
        (
            .nearly,
            """
            nearly almost approaching just_under just_below just_short_of short_of shy_of close_on nearing not_quite
            practically quase perto_do casi cerca_ya_de roza rozan rozo roca beira
            """
        ),
        (
            .most,
            """
            up_to as_many_as as_much_as at_most no_more_than not_more_than at_the_most a_maximum_of maximum_of not_over
            ate_a no_maximo um_maximo_de a_lo_sumo como_mucho como_maximo un_maximo_de no_mas_de nao_mais_de
            """
        ),
    ])

    private static let behind = table([
        (.about, "or_so or_thereabouts odd ou_coisa_assim"),
        (.over, "or_more and_more plus ou_mais o_mas y_pico e_tal and_counting"),
        (.most, "or_less or_fewer ou_menos o_menos"),
    ])
}
