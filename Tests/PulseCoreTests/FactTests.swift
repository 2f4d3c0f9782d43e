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
