import Foundation
import PulseCore
import Testing

/// The same number in another form, and beside each true sentence a false one that is nearly the same.
@Suite struct FormsTests {
    private func isHeld(_ sentence: String, by content: String, on day: Date? = nil) -> Bool {
        let article = Article(id: "1", title: "", content: content, publishedAt: day)
        return Attribution([article]).verdict(on: sentence).isGrounded
    }

    private func check(_ row: (holds: String, fails: String, content: String), on day: Date? = nil) {
        #expect(isHeld(row.holds, by: row.content, on: day), "\(row.holds)")
        #expect(!isHeld(row.fails, by: row.content, on: day), "\(row.fails)")
    }

    @Test(arguments: [
        (
            "A quarter of the trees fell in the storm.", "A fifth of the trees fell in the storm.",
            "The storm felled 25 percent of the trees."
        ),
        (
            "El 25 % de los árboles cayó en la tormenta.", "El 35 % de los árboles cayó en la tormenta.",
            "La tormenta derribó una cuarta parte de los árboles."
        ),
        (
            "Três quintos das árvores caíram na praça.", "Dois quintos das árvores caíram na praça.",
            "Na praça caíram 60% das árvores."
        ),
        (
            "Fewer than two in five trees fell in the storm.", "Fewer than one in five trees fell in the storm.",
            "The storm felled 38 percent of the trees."
        ),
        (
            "Nearly a third of the trees fell in the storm.",
            "Nearly a half and 45 percent of the trees fell in the storm.",
            "The storm felled 31 percent of the trees."
        ),
        (
            "It was a third storm for the town.", "It was a sixth storm for the town.",
            "The storm was the town's third of the year."
        ),
        (
            "The bank cut its rate by 0.25 percentage points.", "The bank cut its rate by 0.75 percentage points.",
            "The bank cut its rate by a quarter of a percentage point."
        ),
        (
            "The bank cut its rate by 25 basis points.", "The bank cut its rate by 55 basis points.",
            "The bank cut its rate by 0.25 percentage points."
        ),
    ])
    func parts(row: (String, String, String)) { check(row) }

    @Test(arguments: [
        (
            "Well over 1.2 million trees fell in the storm.", "Well over 1.4 million trees fell in the storm.",
            "The storm felled 1.26 million trees."
        ),
        (
            "La tormenta derribó casi 400 árboles.", "La tormenta derribó casi 300 árboles.",
            "Cayeron 392 árboles en la tormenta."
        ),
        (
            "A tempestade derrubou no máximo 400 árvores.", "A tempestade derrubou no máximo 300 árvores.",
            "Caíram 392 árvores na tempestade."
        ),
        (
            "No more than 40 trees fell in the storm.", "No more than 30 trees fell in the storm.",
            "The storm felled 38 trees."
        ),
        (
            "Some 85 trees or so fell in the storm.", "Some 65 trees or so fell in the storm.",
            "The storm felled about 85 trees."
        ),
        (
            "El árbol mayor supera los siete metros de alto.", "El árbol mayor supera los ocho metros de alto.",
            "El árbol mayor mide 7,2 metros de alto."
        ),
        (
            "Half a dozen trees fell in the storm.", "Two dozen trees fell in the storm.", "The storm felled six trees."
        ),
        (
            "La tormenta derribó dos docenas de árboles.", "La tormenta derribó tres docenas de árboles.",
            "La tormenta derribó 24 árboles."
        ),
    ])
    func hedges(row: (String, String, String)) { check(row) }

    @Test(arguments: [
        (
            "The work on the trees took thirty months.", "The work on the trees took forty months.",
            "The work on the trees took two and a half years."
        ),
        (
            "El trabajo con los árboles duró treinta meses.", "El trabajo con los árboles duró trece meses.",
            "El trabajo con los árboles duró dos años y medio."
        ),
        (
            "The trees stood in water for 36 hours.", "The trees stood in water for 46 hours.",
            "The trees stood in water for a day and a half."
        ),
        (
            "The storm lasted 340 minutes in the valley.", "The storm lasted 350 minutes in the valley.",
            "The storm lasted 5 hours and 40 minutes in the valley."
        ),
        (
            "The storm began just before nine in the morning.", "The storm began just before ten in the morning.",
            "The storm began at 8:52 a.m. in the valley."
        ),
        (
            "The storm began at half past two in the afternoon.",
            "The storm began at half past three in the afternoon.",
            "The storm began at 2:30 p.m. in the valley."
        ),
        (
            "La tormenta empezó a las ocho y cuarto de la tarde.",
            "La tormenta empezó a las nueve y cuarto de la tarde.",
            "La tormenta empezó a las 20.15 en el valle."
        ),
        (
            "A tempestade começou às seis e meia da manhã.", "A tempestade começou às sete e meia da manhã.",
            "A tempestade começou às 6h30 no vale."
        ),
        (
            "Haverá água apenas seis horas por dia nas torneiras.",
            "Haverá água apenas nove horas por dia nas torneiras.",
            "As torneiras terão água das 5h às 11h."
        ),
        (
            "The shuttle to the trees runs three times an hour.", "The shuttle to the trees runs four times an hour.",
            "A shuttle to the trees runs every 20 minutes."
        ),
        (
            "The storm of the 19th century felled the trees.", "The storm of the 18th century felled the trees.",
            "A storm in 1876 felled the trees."
        ),
        (
            "La tormenta del siglo XIX derribó los árboles.", "La tormenta del siglo XVII derribó los árboles.",
            "La tormenta que derribó los árboles fue en 1876."
        ),
        (
            "The trees were planted in the 1990s by the town.", "The trees were planted in the 1980s by the town.",
            "The town planted the trees in 1994."
        ),
    ])
    func times(row: (String, String, String)) { check(row) }

    @Test(arguments: [
        (
            "The wood is six and a half miles long.", "The wood is nine and a half miles long.",
            "The wood is 10.5 kilometres long."
        ),
        (
            "The tree weighs about 220 pounds.", "The tree weighs about 320 pounds.", "The tree weighs 100 kilograms."
        ),
        (
            "It was 86 degrees Fahrenheit in the valley.", "It was 76 degrees Fahrenheit in the valley.",
            "It was 30°C in the valley."
        ),
        (
            "The shares in the wood cost £3.12.", "The shares in the wood cost £3.42.",
            "The wood sold its shares at 312 pence."
        ),
        (
            "La ciudad gastó en árboles 2.500.000 euros.", "La ciudad gastó en árboles 3.500.000 euros.",
            "La ciudad gastó 2,5 millones de euros en árboles."
        ),
        (
            "La ciudad gastó un millón y medio en árboles.",
            "La ciudad gastó un millón y pico, 2,4 millones, en árboles.",
            "La ciudad gastó 1.500.000 euros en árboles."
        ),
        (
            "The town bought 2 million trees with R$ 5 million.", "The town bought 2 million trees with $5 million.",
            "The town bought 2 million trees with 5 million reais."
        ),
    ])
    func units(row: (String, String, String)) { check(row) }

    /// Saturday, 21 November 2026.
    private static let day = Date(timeIntervalSince1970: 1_795_229_200)

    @Test(arguments: [
        (
            "The town planted trees in 2025.", "The town planted trees in 2024.", "The town planted trees last year."
        ),
        (
            "La ciudad plantó los árboles en 2019.", "La ciudad plantó los árboles en 2018.",
            "La ciudad plantó los árboles hace siete años."
        ),
        (
            "The town has had trees for seven years.", "The town has had trees for nine years.",
            "The town has had trees since 2019."
        ),
        (
            "The trees fell on 17 November in a storm.", "The trees fell on 16 November in a storm.",
            "In a storm the trees fell on Tuesday."
        ),
        (
            "The trees fell on Tuesday in a storm.", "The trees fell on Monday in a storm.",
            "In a storm the trees fell on 17 November."
        ),
        (
            "As árvores caíram na sexta-feira com o vento.", "As árvores caíram na quinta-feira com o vento.",
            "Com o vento, as árvores caíram ontem."
        ),
    ])
    func theDayOfPublicationCounts(row: (String, String, String)) { check(row, on: Self.day) }

    /// What stands beside a number says what it is of.
    @Test(arguments: [
        (
            "The council voted 41 to 26 in favour of a £38 million bridge.",
            "The council voted 41 to 36 in favour of a £38 million bridge.",
            "The council approved the £38 million bridge by 41 votes to 26."
        ),
        (
            "Net profit of the firm fell 32% to 412 million crowns.",
            "Net profit of the firm fell 22% to 412 million crowns.",
            "Net profit of the firm dropped to 412 million crowns ($63 million) in the three months, from 605 million."
        ),
        (
            "O roubo nas lojas caiu 38% em dois anos.", "O roubo nas lojas caiu 28% em dois anos.",
            "As lojas registaram em dois anos menos 38% de casos de roubo."
        ),
        (
            "The bill came to 54 million crowns, 20% above the plan.",
            "The bill came to 54 million crowns, 30% above the plan.",
            "The work cost 54 million crowns, 9 million crowns more than the plan."
        ),
        (
            "The ministry reduced the grant of the festival by 400,000 crowns.",
            "The ministry reduced the grant of the festival by 700,000 crowns.",
            "The ministry cut its grant for the festival from 1.5 million to 1.1 million crowns."
        ),
        (
            "The winner of the race gets 85,000 crowns in all.", "The winner of the race gets 75,000 crowns in all.",
            "The winners of the race get 60,000 crowns each, and Desta a bonus of 25,000 crowns for the record."
        ),
        (
            "After 30 kilometres she ran the next five in just under 16 minutes.",
            "After 30 kilometres she ran the next five in just under 14 minutes.",
            "At 30 kilometres she pulled away and ran the next five kilometres in 15:58."
        ),
        (
            "Roughly one in eleven workers of the plant must go.", "Roughly one in seven workers of the plant must go.",
            "About 9% of the workers of the plant must go."
        ),
        (
            "Para 2027 el banco espera un crecimiento de algo más del 3 %.",
            "Para 2027 el banco espera un crecimiento de algo más del 4 %.",
            "El banco espera para 2027 un crecimiento del 3,1 %."
        ),
        (
            "Before five in the morning the ferry was empty.", "Before three in the morning the ferry was empty.",
            "All passengers had left the ferry by 4:40 a.m."
        ),
    ])
    func companions(row: (String, String, String)) { check(row) }

    /// Steps, told by words in any of their forms.
    @Test(arguments: [
        (
            "As exportações de café devem diminuir em 3 milhões de sacas.",
            "As exportações de café devem diminuir em 6 milhões de sacas.",
            "As exportações de café devem recuar de 22 milhões para 19 milhões de sacas."
        ),
        (
            "The region had 55 new cases of measles in a week.", "The region had 65 new cases of measles in a week.",
            "The region has 143 cases of measles, up from 88 a week ago."
        ),
        (
            "Com as 640 camas novas, o instituto terá 1.570 camas.",
            "Com as 640 camas novas, o instituto terá 1.870 camas.",
            "O instituto dispõe de 930 camas e terá mais 640 camas."
        ),
        (
            "Engineers waited 21 anxious minutes for a signal.", "Engineers waited 31 anxious minutes for a signal.",
            "The engineers had to wait 21 minutes for its signal."
        ),
        (
            "Un muerto y nueve heridos por la nieve.", "Un muerto y siete heridos por la nieve.",
            "Un hombre murió en la nieve y otras nueve personas resultaron heridas."
        ),
    ])
    func steps(row: (String, String, String)) { check(row) }

    @Test(arguments: [
        (
            "A teenager from Uzbekistan won the tournament.", "A teenager from Turkmenistan won the tournament.",
            "The Uzbek teenager won the tournament."
        ),
        (
            "The winner gets 60,000 Australian dollars.", "The winner gets 60,000 Halvorix dollars.",
            "The winner gets 60,000 Australian dollars."
        ),
        (
            "\"I wanted to sleep,\" Rahmatov said of the game.", "\"I wanted to sleep,\" Verdania said of the game.",
            "\"I wanted to sleep,\" Rahmatov said of the last game."
        ),
        (
            "Dr Olivier Passerat works for the Institute for Planetary Studies.",
            "Dr Quisthal Passerat works for the Institute for Planetary Studies.",
            "Dr Olivier Passerat works for the Institute for Planetary Studies (IPS)."
        ),
    ])
    func names(row: (String, String, String)) { check(row) }

    /// What a number is of, told otherwise.
    @Test(arguments: [
        (
            "From July 2027 drivers will work 38 hours.", "From July 2029 drivers will work 38 hours.",
            "The week of the drivers will be shortened from 39 to 38 hours in July 2027."
        ),
        (
            "El consumo llegó a 2,87 gigavatios.", "El consumo llegó a 2,47 gigavatios.",
            "El consumo marcó un récord con 2.870 megavatios."
        ),
        (
            "Siete de los detenidos están en prisión.", "Nueve de los detenidos están en prisión.",
            "El cabecilla y otros seis detenidos están en prisión."
        ),
        (
            "Five people were held by the police.", "Seven people were held by the police.",
            "Police held three men and two women."
        ),
        (
            "A operadora quer retirar 7000 automóveis do centro.",
            "A operadora quer retirar 8000 automóveis do centro.",
            "A operadora conta com menos 7000 automóveis no centro."
        ),
        (
            "It is the biggest flotation for six years and brought in 210 million euros.",
            "It is the biggest flotation for six years and brought in 240 million euros.",
            "It was the largest flotation for six years. The sale raised 210 million euros, of which 150 million is spent."
        ),
        (
            "Only 58 percent of Cape Verdeans are online.", "Only 48 percent of Cape Verdeans are online.",
            "In Cape Verde, 58 percent of the people are online."
        ),
        (
            "The brothers Callum and Dominic Rusk fell out.", "The brothers Callum and Damon Rusk fell out.",
            "The singer Callum Rusk fell out with his brother Dominic."
        ),
    ])
    func tellings(row: (String, String, String)) { check(row) }

    /// “Won” is “win”; and a name is one at the front of a sentence, too.
    @Test(arguments: [
        (
            "Plastic rubbish lay on seven of the mountains.", "Halvorix rubbish lay on seven of the mountains.",
            "Plastic bags lay on seven of the mountains."
        ),
        (
            "Orlen have won five games of the cup.", "Orlen have won six games of the cup.",
            "The win is the fifth for Orlen in games of the cup."
        ),
        ("The firm uses iPhones.", "The firm uses xPhones.", "The firm bought iPhones."),
        ("iPhones are used by the firm.", "Stä12s are used by the firm.", "The firm bought iPhones."),
        (
            "The Prime Minister spoke of six bodies.", "Nessan Prime spoke of six bodies.",
            "The prime minister spoke of six bodies."
        ),
    ])
    func words(row: (String, String, String)) { check(row) }
}
