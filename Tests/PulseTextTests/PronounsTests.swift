import PulseText
import Testing

@Suite struct PronounsTests {
    @Test(arguments: [
        "He was sentenced.", "“They had considered it little.", "— Ela venceu.", "Sus hijos también.", "IT rains.",
    ])
    func aSentenceThatLeans(sentence: String) { #expect(Pronouns.open(sentence)) }

    @Test(arguments: [
        "Henry was sentenced.", "The court heard her.", "This week it rained.", "Esta semana llovió.", "Suspenso.", "",
        "12 of them came.", "Élan vital.",
    ])
    func aSentenceThatStandsByItself(sentence: String) { #expect(!Pronouns.open(sentence)) }
}
