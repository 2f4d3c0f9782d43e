import PulseDigest
import Testing

/// Numbers, days and names are the report's own, as it writes them.
@Suite(.timeLimit(.minutes(20))) struct FactTests {
    @Test(arguments: [
        ("12", "13"), ("60", "600"), ("1.2", "1,200"), ("1,200", "1,300"), ("60 percent", "60"), ("60", "60 percent"),
        ("60%", "60"), ("60", "60%"), ("$60", "€60"), ("$60", "60"), ("3.4 million", "3.4 billion"),
        ("half", "40 percent"), ("about 400", "312"), ("40", "nearly 40"), ("40", "more than 40"), ("40", "up to 40"),
        ("third", "three"), ("5", "-5"), ("-5", "5"), ("5", "\u{2212}5"), ("10:30", "10:45"), ("10", "10:30"),
        ("fourth", "fifth"), ("200", "1 200"),
        // The same, for who can count.
        ("1,000", "1000"), ("60", "sixty"),
    ])
    func anotherNumberIsRefused(sentence: String, text: String) {
        #expect(!isHeld("The town has \(sentence) of the trams.", by: "The town has \(text) of trams."))
    }

    @Test(arguments: ["12", "1,200", "3.4 million", "$60", "60%", "-5", "10:30", "forty-one", "1.2.3.4", "½", "3G"])
    func theSameNumberIsNot(number: String) {
        #expect(
            verdict("A town has \(number) trams.", on: "The town has \(number) trams.")
                == .supported(sources: ["1"], isVerbatim: false))
    }

    @Test(arguments: [
        "Ruth Amadi won the race in Estermouth on Sunday in 42 minutes.",
        "Ruth Amadi won the race in Estermouth on Monday in 41 minutes.",
        "Ruth Adami won the race in Estermouth on Sunday in 41 minutes.",
        "Ruth Amadi lost the race in Estermouth on Sunday in 41 minutes.",
    ])
    func oneOtherWordIsEnough(sentence: String) {
        let text = "Ruth Amadi won the race in Estermouth on Sunday in 41 minutes."
        #expect(verdict(sentence, on: text) == .refused(.words))
    }

    @Test func anotherDayIsRefused() {
        let text = "The bridge opened to traffic on 12 March, a Thursday."
        #expect(isHeld("The bridge opened to traffic on 12 March.", by: text))
        #expect(!isHeld("The bridge opened to traffic on 21 March.", by: text))
        #expect(!isHeld("The bridge opened to traffic on 12 May.", by: text))
        #expect(!isHeld("The bridge opened on Tuesday.", by: "The bridge opened on Monday."))
    }

    @Test(arguments: [
        ("Niger", "Nigeria"), ("Mario", "Maria"), ("Indiana", "India"), ("Roman", "Romania"), ("Julio", "Julia"),
        ("Daniel", "Daniela"), ("George", "Georgia"), ("US", "us"),
    ])
    func namesThatLookAlikeAreOthers(one: String, other: String) {
        for (name, source) in [(one, other), (other, one)] {
            #expect(!isHeld("The minister met \(name) at the port.", by: "The minister met \(source) at the port."))
        }
    }

    @Test(arguments: [
        ("Mongolia's parliament", "Mongolia’s parliament"), ("Mongolia parliament", "Mongolia's parliament"),
        ("São Paulo", "Sao Paulo"), ("the Kestrians", "the kestrians"), ("NATO", "NATO"),
        ("the U.S. navy", "the US navy"), ("O'Brien", "O’Brien"), ("-5", "\u{2212}5"), ("(Rovers)", "Rovers"),
    ])
    func caseAccentsAndMarksMayDiffer(name: String, source: String) {
        #expect(isHeld("The minister met \(name) there.", by: "The minister met \(source) there, at the port."))
    }
}
