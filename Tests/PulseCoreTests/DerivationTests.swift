import PulseCore
import Testing

/// Numbers that were worked out in one step, and beside each true sentence a false one that is nearly the same.
@Suite struct DerivationTests {
    private func isHeld(_ sentence: String, by content: String) -> Bool {
        Attribution([Article(id: "1", title: "", content: content)]).verdict(on: sentence).isGrounded
    }

    private func check(_ row: (holds: String, fails: String, content: String)) {
        #expect(isHeld(row.holds, by: row.content), "\(row.holds)")
        #expect(!isHeld(row.fails, by: row.content), "\(row.fails)")
    }

    @Test(arguments: [
        (
            "The forecast for the trees was trimmed by 0.4 percentage points.",
            "The forecast for the trees was trimmed by 0.6 percentage points.",
            "The forecast for the trees is now 1.1 percent, down from 1.5 percent."
        ),
        (
            "O imposto sobre as árvores deverá descer cinco pontos.",
            "O imposto sobre as árvores deverá descer sete pontos.",
            "O presidente prometeu baixar de 23% para 18% o imposto sobre as árvores."
        ),
        (
            "The mayor trusted 43 gardeners with trees; all but two of them did so.",
            "The mayor trusted 43 gardeners with trees; all but four of them did so.",
            "The mayor let 43 gardeners walk away with trees, and 41 had paid."
        ),
        (
            "Only three of the 14 trees are standing.", "Only five of the 14 trees are standing.",
            "Eleven of 14 trees fell in the storm."
        ),
        (
            "Onze das 14 árvores ficaram de pé.", "Doze das 14 árvores ficaram de pé.",
            "Três das 14 árvores caíram na tempestade."
        ),
        (
            "The original price of the trees was 900 million crowns.",
            "The original price of the trees was 800 million crowns.",
            "The trees cost 1.2 billion crowns, 300 million crowns more than the original price."
        ),
        (
            "Faltan ocho jardineros para los árboles.", "Faltan nueve jardineros para los árboles.",
            "Para los árboles hay 26 jardineros, cuando harían falta 34 jardineros."
        ),
    ])
    func differences(row: (String, String, String)) { check(row) }

    @Test(arguments: [
        (
            "None of the seven deaths had to do with the trees.", "None of the nine deaths had to do with the trees.",
            "Three patients under the trees and four patients elsewhere died; none of the deaths had to do with them."
        ),
        (
            "Solo tres de los 44 votos fueron contra los árboles.",
            "Solo tres de los 48 votos fueron contra los árboles.",
            "El claustro aprobó los árboles por 41 votos a 3."
        ),
        (
            "The plan for the trees was carried 13-4.", "The plan for the trees was carried 14-4.",
            "The plan for the trees passed by 13 votes to 4."
        ),
        (
            "The two sides signed the accord about the trees.", "The nine sides signed the accord about the trees.",
            "Kestria and Vaudren have signed an accord about the trees."
        ),
    ])
    func wholes(row: (String, String, String)) { check(row) }

    @Test(arguments: [
        (
            "En total, el ministerio pagará por los árboles 22 millones en cuatro años.",
            "En total, el ministerio pagará por los árboles 26 millones en cuatro años.",
            "El ministerio pagará por los árboles 5,5 millones anuales durante cuatro años."
        ),
        (
            "The strike of the gardeners could cost some 210 million crowns over its seven days.",
            "The strike of the gardeners could cost some 270 million crowns over its seven days.",
            "Each day of the strike costs 30 million crowns, the gardeners say. It is to last seven days."
        ),
        (
            "The gardeners earn just over 43,000 crowns a year.", "The gardeners earn just over 53,000 crowns a year.",
            "Pay for gardeners averages 3,640 crowns a month."
        ),
        (
            "The bananas of the gardeners are worth 1,500 crowns a tonne.",
            "The bananas of the gardeners are worth 1,700 crowns a tonne.",
            "The gardeners lost 60 tonnes of bananas worth 90,000 crowns."
        ),
        (
            "Cada oveja de los vecinos vale 120 euros.", "Cada oveja de los vecinos vale 160 euros.",
            "Han muerto 800 ovejas de los vecinos, valoradas en 96.000 euros."
        ),
        (
            "Observers of the trees, twenty from each side, will come.",
            "Observers of the trees, thirty from each side, will come.",
            "An office of 40 observers of the trees, half from each side, will be opened."
        ),
        (
            "About 80 percent of the gardeners joined.", "About 60 percent of the gardeners joined.",
            "Some 1,450 of the town's 1,800 gardeners joined the strike."
        ),
        (
            "En 2017 ardieron unas 2.150 hectáreas en la sierra.",
            "En 2017 ardieron unas 3.150 hectáreas en la sierra.",
            "El incendio de la sierra arrasó 4.300 hectáreas, el doble que el de 2017."
        ),
        (
            "Traffic of ships fell to seven a day, less than a tenth of the usual 85.",
            "Traffic of ships fell to seven a day, less than a twentieth of the usual 85.",
            "Before, 85 ships a day passed. Then the traffic of ships fell to seven a day."
        ),
        (
            "The Sun is four times as far away as the comet.", "The Sun is six times as far away as the comet.",
            "The comet comes within a quarter of the distance to the Sun."
        ),
    ])
    func products(row: (String, String, String)) { check(row) }
}
