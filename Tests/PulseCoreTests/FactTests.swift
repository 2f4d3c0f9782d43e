import PulseCore
import Testing

/// A statement against an article: held in any form it may be written in, and not held in any other.
@Suite struct FactTests {
    private func isHeld(_ sentence: String, by content: String, language: String? = nil) -> Bool {
        let article = Article(id: "1", title: "", content: content, language: language)
        return Attribution([article]).verdict(on: sentence).isGrounded
    }

    @Test(arguments: [
        ("The town paid 1,234 crowns for trees.", "The town bought trees and paid 1234 crowns."),
        ("The town paid $5m for trees.", "The town bought trees and paid 5 million dollars."),
        ("The town paid 5,000,000 dollars for trees.", "The town paid $5 million for the trees."),
        ("Three trees fell in the storm.", "In the storm 3 trees fell."),
        ("Twenty-one trees fell in the storm.", "In the storm 21 trees fell."),
        ("The storm felled two hundred and fifty trees.", "The storm felled 250 trees."),
        ("The storm felled a thousand trees.", "The storm felled 1,000 trees."),
        ("Trees rose by 12% in price.", "The price of trees rose by 12 percent."),
        ("Trees rose by 12 per cent in price.", "The price of trees rose by twelve percent."),
        ("The trees fell on 20 November.", "On Nov. 20 the trees fell."),
        ("The trees fell on November 20.", "The trees fell on the 20th of November."),
        ("It was the 5th storm of the year.", "The storm was the fifth of the year."),
        ("The storm began at 4:10 a.m. in the valley.", "The valley's storm began at 4.10 a.m."),
        ("The trees stood 48 hours in water.", "The trees stood in water for two days."),
        ("The tree is 2.5 metres tall.", "The tree is two and a half metres tall."),
        ("The tree is 35 cm thick.", "The tree is 35 centimetres thick."),
        ("The US Senate voted on trees.", "The U.S. Senate voted on trees."),
        ("The EU planted trees in spring.", "The European Union planted trees in spring."),
        ("The European Union planted trees in spring.", "The EU planted trees in spring."),
        ("Kestria's forester planted trees.", "A Kestrian forester planted trees."),
        ("Angela Muller planted the trees.", "The trees were planted by Angela Müller."),
        ("Visitors planted trees.", "Trees were planted."),
        ("A câmara gastou 1.234 euros em árvores.", "A câmara gastou em árvores 1234 euros."),
        ("A câmara gastou 31.000 euros em árvores.", "A câmara gastou 31 mil euros em árvores."),
        ("El pueblo gastó 2,5 millones en árboles.", "El pueblo gastó en árboles 2.500.000 euros."),
        ("El pueblo plantó once árboles en mayo.", "En mayo el pueblo plantó 11 árboles."),
        ("A festa é às 18 horas na praça.", "A festa na praça começa às 18h00."),
        ("O comboio parte na segunda-feira.", "Segunda-feira o comboio parte da cidade."),
        // Countries and their people.
        ("Spanish foresters planted trees.", "Foresters from Spain planted trees."),
        ("The old trees came from the Netherlands.", "The old trees were Dutch."),
        ("The trees are Chinese.", "The trees came from China."),
        ("The trees came from Japan.", "The trees are Japanese and old."),
        ("The United States planted trees.", "The American trees were planted in spring."),
        ("As árvores do Brasil não foram plantadas.", "Não foram plantadas as árvores brasileiras da praça."),
        // Names in another order or with another capital.
        ("Orlen University planted the trees.", "The University of Orlen planted trees."),
        ("The trees of the Orlen Valley fell.", "Trees fell in the Orlen valley."),
        ("Trees cover the town, says Bishop Antar.", "Antar, the bishop, says that trees cover the town."),
        ("The HTS planted trees.", "The society for healthy trees and soil, HTS, planted trees."),
        ("The CTS planted trees.", "The city tree service planted them."),
        // What a number counts may stand further off.
        ("Six of the 14 trees fell in the storm.", "Of 14 trees in the park, six trees fell when a storm came."),
        ("Twelve old oak trees fell.", "The storm felled twelve trees."),
        // Parts of a whole.
        ("A third of the trees fell in the storm.", "The storm felled 33 percent of the trees."),
        ("The storm felled 20 percent of the trees.", "One in five trees fell in the storm."),
        ("Two thirds of the trees fell in the storm.", "The storm felled 67% of all trees."),
        ("The storm felled 50 percent of the trees.", "Half of the trees fell in the storm."),
        ("Half a million trees fell in the storm.", "The storm felled 500,000 trees."),
        // A unit or a multiplier that stands once.
        (
            "The price of trees rose from 3.2 to 4.1 million.",
            "The price of trees went from 3.2 million to 4.1 million."
        ),
        ("Trees stood 4 minutes in water, down from 19.", "Trees stood in water for 4 minutes, not 19 minutes."),
        // What is said without a number.
        ("The trees stood 60 minutes in water.", "The trees stood in water for an hour."),
        ("The trees were ten years old.", "The trees were a decade old."),
        ("Two trees fell in the storm.", "Both trees fell in the storm."),
        ("Two towns planted trees.", "Orlen and Belmar, two of the towns, planted trees."),
        // Times of day.
        ("The storm began at two in the morning in the valley.", "The valley's storm began at 2 a.m."),
        ("The storm began at six o'clock in the valley.", "The valley's storm began at 6 p.m."),
        // Years are dates.
        ("The storm of 2007 is forgotten.", "Nobody who was there forgot how it blew in 2007, and a storm it was."),
        // Rounded, and said so; or what is plainly the same.
        ("About 1,900 trees fell in the storm.", "The storm felled 1,874 trees."),
        ("More than 300 trees fell in the storm.", "The storm felled 312 trees."),
        ("Nearly 2 million trees fell in the storm.", "The storm felled 1.93 million trees."),
        ("The storm felled 35 percent of the trees.", "The storm felled 34.6 percent of trees."),
        ("The 2004 storm is forgotten.", "Nobody who was there forgot how it blew in 2004, and a storm it was."),
        ("It was 13.7°C in the storm.", "In the storm it was 13.7 degrees."),
        (
            "The price of entry is 60 euros.",
            "Whoever wants in leaves 60 euros at the gate, the price of which much is said."
        ),
        ("Outsiders Orlen planted trees.", "Orlen planted trees."),
        // Time spans.
        ("The storm lasted 15 minutes.", "The storm lasted a quarter of an hour."),
        ("The storm lasted 2:24:09 in the valley.", "In the valley the storm lasted 2 hours 24 minutes and 9 seconds."),
        ("The storm lasted 2 hours, 24 minutes and 9 seconds.", "The storm in the valley lasted 2:24:09."),
        ("The storm lasted three months.", "The storm lasted 90 days."),
        ("The storm came on day two.", "The storm came on the second day."),
        ("Two point six metres of snow fell in the storm.", "In the storm 2.6 metres of snow fell."),
        ("Un árbol de la plaza marcó el camino.", "El camino lo marcó un árbol de la plaza."),
        // Thousands of millions, and one more than a thousand.
        ("La ciudad gastó dos mil millones de euros.", "La ciudad gastó 2.000.000.000 de euros."),
        ("A cidade gastou dois mil milhões de euros.", "A cidade gastou 2.000.000.000 de euros."),
        ("La ciudad gastó dos billones de pesos.", "La ciudad gastó 2.000.000.000.000 de pesos."),
        ("One thousand and one trees fell in the storm.", "The storm felled 1,001 trees."),
        ("Mil e uma árvores caíram na praça da cidade.", "Na praça da cidade caíram 1001 árvores."),
        // Areas, volumes and whose money it is.
        ("The wood burned on 2 square kilometres.", "The wood burned on 200 hectares."),
        ("The wood burned on 2 km².", "The wood burned on 2,000,000 square metres."),
        ("The tank holds 3 cubic metres of water.", "The tank holds 3,000 litres of water."),
        ("The trees cost 5 Belmarian crowns.", "The trees of Belmar cost 5 crowns."),
        ("It was minus 5 degrees in the valley.", "In the valley it was -5 degrees."),
        ("The town's trees made -5 million crowns.", "The town made a loss of 5 million crowns with its trees."),
        // What the sentence says was worked out.
        (
            "Together the two storms felled nine trees.",
            "The first of the storms felled four trees. The second storm felled five trees."
        ),
        ("The storm felled eleven other trees.", "The storm felled twelve trees, the oldest of them an oak."),
        ("For more than six decades the town had no trees.", "The town had no trees between 1921 and 1987."),
        (
            "The planting of trees began eighteen days late.",
            "The planting of trees was put off from 1 December to 19 December."
        ),
        ("Orlen was four points behind, at 1-5.", "Orlen was down 5-1 in points at the break."),
        (
            "The trees cost 88 million crowns; the town has 50 million.",
            "Trees cost 88 million crowns, of which the town has 50."
        ),
        // Other words for all but what can be checked.
        (
            "Angela Müller paid out 1,234 crowns so that saplings could take root near her home.",
            "On Monday 1,234 crowns went to a nursery. Angela Müller wants a garden by the house, and saplings in it."
        ),
        // At the front of a sentence a capital tells nothing.
        ("Fishermen planted trees.", "Trees were planted."),
    ])
    func formsOfTheSameAreOne(sentence: String, content: String) { #expect(isHeld(sentence, by: content)) }

    @Test(arguments: [
        ("The town paid 1,243 crowns for trees.", "The town bought trees and paid 1234 crowns."),
        ("The town paid $5bn for trees.", "The town bought trees and paid 5 million dollars."),
        ("The town paid 5 million euros for trees.", "The town paid $5 million for the trees."),
        ("Four trees fell in the storm.", "In the storm 3 trees fell."),
        ("Trees rose by 13% in price.", "The price of trees rose by 12 percent."),
        ("The trees fell on 21 November.", "On Nov. 20 the trees fell."),
        ("The trees fell on 20 October.", "On Nov. 20 the trees fell."),
        ("The trees fell on Tuesday.", "On Monday the trees fell."),
        ("The storm began at 4:10 p.m. in the valley.", "The valley's storm began at 4.10 a.m."),
        ("The tree is 35 metres thick.", "The tree is 35 centimetres thick."),
        ("The tree fell after 6 years.", "The tree fell after six months."),
        ("Verdania planted the trees.", "The trees were planted by Orlen."),
        ("The trees were planted by Angela Schmidt.", "Angela Müller planted trees. Otto Schmidt looked on."),
        ("The trees were planted by Otto Müller.", "Angela Müller planted trees with Schmidt. Then came Otto."),
        // No sums.
        ("Nine trees fell in two storms.", "Four trees fell in the first storm, five trees in the second."),
        ("A câmara gastou 1,234 euros em árvores.", "A câmara gastou em árvores 1234 euros."),
        ("El pueblo plantó doce árboles en mayo.", "En mayo el pueblo plantó 11 árboles."),
        ("O comboio parte na terça-feira.", "Segunda-feira o comboio parte da cidade."),
        ("Swedish foresters planted trees.", "Foresters from Spain planted trees."),
        ("The trees cost 5 Belmarian crowns.", "The trees cost 5 crowns."),
        ("Belmar University planted the trees.", "The University of Orlen planted trees in Belmar."),
        ("A third of the trees fell in the storm.", "The storm felled 43 percent of the trees."),
        ("One in four trees fell in the storm.", "The storm felled 20 percent of the trees."),
        (
            "The price of trees rose from 3.3 to 4.1 million.",
            "The price of trees went from 3.2 million to 4.1 million."
        ),
        ("The trees stood 50 minutes in water.", "The trees stood in water for an hour."),
        ("The storm began at two in the morning in the valley.", "The valley's storm began at 2 p.m."),
        ("The storm of 2008 is forgotten.", "The storm of 2007 is forgotten."),
        ("About 1,900 trees fell in the storm.", "The storm felled 2,874 trees."),
        ("More than 300 trees fell in the storm.", "The storm felled 288 trees."),
        ("Nearly 2 million trees fell in the storm.", "The storm felled 2.1 million trees."),
        ("The storm felled 35 percent of the trees.", "The storm felled 36.6 percent of trees."),
        ("The storm lasted 2:24:19 in the valley.", "In the valley the storm lasted 2 hours 24 minutes and 9 seconds."),
        ("The storm lasted three months.", "The storm lasted 60 days."),
        // The day of something else.
        (
            "The mayor planted a tree in Orlen on Friday.",
            "The mayor planted a tree in Orlen on Monday. In the town hall nobody knew of it for long. Shops close early"
                + " here on Friday and the buses stop."
        ),
        // A step that nobody names, or that leads elsewhere.
        (
            "Together the two storms felled eight trees.",
            "The first of the storms felled four trees. The second storm felled five trees."
        ),
        ("The storm felled ten other trees.", "The storm felled twelve trees, the oldest of them an oak."),
        ("For more than five decades the town had no trees.", "The town had no trees between 1921 and 1987."),
        (
            "The planting of trees began seventeen days late.",
            "The planting of trees was put off from 1 December to 19 December."
        ),
        ("Orlen was four points behind, at 2-5.", "Orlen was down 5-1 in points at the break."),
        ("The price of trees rose to 7 crowns.", "The price of trees rose from 5 crowns to 12 crowns."),
        ("It was 5 degrees in the valley.", "In the valley it was -5 degrees."),
        ("The wood burned on 2 square kilometres.", "The wood burned on 2,000 square metres."),
        ("The storm felled 1981 trees.", "A storm felled trees in 1981."),
        ("La ciudad gastó dos mil millones de euros.", "La ciudad gastó 1.002.000 euros."),
        // Stated, but where the same is told it is another number.
        (
            "The gates of the dam held back 14,000 trees.",
            "The gates of the dam held back 640 trees. Orlen has 14,000 houses."
        ),
        // Nothing in it is stated, and nothing in it is told.
        ("Everybody in the hall laughed and sang all night.", "The storm felled 12 trees in the valley."),
        // Not said to be rounded.
        ("The storm felled 380 trees.", "The storm felled 384 trees."),
    ])
    func whatDiffersIsNotHeld(sentence: String, content: String) { #expect(!isHeld(sentence, by: content)) }

    @Test func doubtsAreNamed() {
        let article = Article(id: "1", title: "", content: "The council of Orlen planted 12 trees.")
        let verdict = Attribution([article]).verdict(on: "The council of Belmar planted 13 trees.")
        #expect(verdict.doubts == ["Belmar", "13"])
        #expect(verdict.sources == ["1"])
    }

    /// Whatever the bytes, the words are read without end or trap.
    @Test(arguments: [
        String(repeating: "9", count: 100_000), String(repeating: "1,", count: 50_000),
        String(repeating: "a.", count: 50_000),
        String(repeating: "two hundred and ", count: 5_000), String(repeating: "'", count: 1000), "$", "%", "5 and a",
        "Nov.", "12:99", "1.2.3",
        "20 de", "twenty", "٣٤ ½ ² Ⅷ", "\u{0}\u{feff}", String(repeating: "e\u{301}", count: 5000),
    ])
    func nothingStopsTheReader(text: String) {
        let article = Article(id: "1", title: text, content: text + " Trees fell.")
        let verdict = Attribution([article]).verdict(on: "Trees fell " + text)
        #expect(verdict.sources.isEmpty || verdict.sources == ["1"])
    }
}
