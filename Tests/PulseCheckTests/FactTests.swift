import PulseCheck
import Testing

/// Numbers, days and names are compared by what they mean.
@Suite(.timeLimit(.minutes(10))) struct FactTests {
    @Test(arguments: [
        ("60", "sixty"), ("41", "forty-one"), ("1,200", "1200"), ("1,200", "twelve hundred"),
        ("3.4 million", "3,400,000"), ("1.9bn", "1.9 billion"), ("two thousand five hundred", "2,500"),
        ("two hundred and five", "205"), ("two million three hundred thousand", "2,300,000"), ("a dozen", "12"),
        ("21 percent", "21%"), ("21 per cent", "21 percent"), ("$3.4 billion", "3.4 billion dollars"),
        ("half", "50 percent"), ("a third", "33 percent"), ("a quarter", "25%"),
        ("about 3,000", "2,960"), ("more than 300", "312"), ("nearly 500", "488"), ("about 40", "about 40"),
        ("40", "about 40"), ("-5", "minus 5"),
    ])
    func theSameNumber(sentence: String, text: String) {
        #expect(isHeld("The town has \(sentence) of the trams.", by: "The town has \(text) of trams."))
    }

    @Test(arguments: [
        ("60", "61"), ("60", "600"), ("1.2", "1,200"), ("60 percent", "60"), ("60", "60 percent"), ("$60", "€60"),
        ("3.4 million", "3.4 billion"), ("half", "40 percent"), ("about 400", "312"), ("about 313", "312"),
        ("more than 312", "312"), ("40", "nearly 40"), ("40", "more than 40"), ("40", "up to 40"), ("third", "three"),
        ("5", "-5"), ("10:30", "10:45"), ("fourth", "fifth"),
    ])
    func anotherNumber(sentence: String, text: String) {
        #expect(!isHeld("The town has \(sentence) of the trams.", by: "The town has \(text) of trams."))
    }

    @Test func theReasonSaysWhatIsWrong() {
        let text = "Ruth Amadi won the race in Estermouth on Sunday in 41 minutes."
        #expect(
            verdict("Ruth Amadi won the race in Estermouth on Sunday in 42 minutes.", on: text) == .refused(.number))
        #expect(verdict("Ruth Amadi won the race in Estermouth on Monday in 41 minutes.", on: text) == .refused(.day))
        #expect(verdict("Ruth Adami won the race in Estermouth on Sunday in 41 minutes.", on: text) == .refused(.name))
        #expect(
            verdict("Ruth Amadi lost the race in Estermouth on Sunday in 41 minutes.", on: text) == .refused(.words))
    }

    @Test func daysAreComparedByValue() {
        let text = "The bridge opened to traffic on 12 March, a Thursday."
        #expect(isHeld("The bridge opened to traffic on March 12.", by: text))
        #expect(isHeld("The bridge opened to traffic on Mar 12.", by: text))
        #expect(isHeld("The bridge opened to traffic in March.", by: text))
        #expect(!isHeld("The bridge opened to traffic on March 21.", by: text))
        #expect(!isHeld("The bridge opened to traffic on 12 May.", by: text))
        #expect(isHeld("The bridge opened on Thu.", by: "The bridge opened on Thursday."))
        #expect(!isHeld("The bridge opened on Tuesday.", by: "The bridge opened on Thursday."))
        // A verb, and a month.
        #expect(!isHeld("Ministers may sign the treaty.", by: "Ministers sign the treaty in May."))
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
        ("the Mongolian parliament", "Mongolia's parliament"), ("São Paulo", "Sao Paulo"), ("the Danes", "the Danish"),
        ("the Kestrians", "the Kestrian"), ("NATO", "NATO"), ("the U.S. navy", "the US navy"),
    ])
    func aNameHasForms(name: String, source: String) {
        #expect(isHeld("The minister met \(name) there.", by: "The minister met \(source) there, at the port."))
    }
}
