import Foundation
import PulseCore
import Testing

@Suite(.timeLimit(.minutes(20))) struct ArticleTests {
    @Test func keysAreTheMixedFNVHashOfTheId() {
        // The FNV authors' reference values, put through the finalizer by an independent program.
        #expect(ArticleKey.make(from: "") == "efd01f60ba992926")
        #expect(ArticleKey.make(from: "a") == "82a2a958a9bece5b")
        #expect(ArticleKey.make(from: "foobar") == "2c22194922d1672b")
        #expect(Article(id: "a", title: "").key == "82a2a958a9bece5b")
    }

    @Test func keysKeepTheirLeadingZeros() {
        let keys = (0..<2000).map { ArticleKey.make(from: "id-\($0)") }
        #expect(keys.allSatisfy { $0.count == 16 })
        #expect(keys.contains { $0.hasPrefix("0") })
        // Ids that differ in their last letters only are told apart by the digits the lists show.
        #expect(Set(keys.map { $0.prefix(ArticleKey.shortLength) }).count > 1990)
    }

    @Test func textIsTheLongestFormThereIs() {
        #expect(Article(id: "1", title: "t", summary: "s", content: "c").text == "c")
        #expect(Article(id: "1", title: "t", summary: "s").text == "s")
        #expect(Article(id: "1", title: "t").text == "t")
    }

    /// A publisher knows best, if its language is one that is not recognised; not if it stated a default.
    @Test(arguments: [
        ("tr", "Yeni rıhtımın inşaatı mayıs ayında başlayacak; proje yüzlerce kişiye iş sağlayacak.", "tr"),
        ("hr", "Gradnja novog mola počinje u svibnju, rekla je gradonačelnica, koja kaže da će otvoriti mjesta.", "hr"),
        ("lt-LT", "Miesto taryba penktadienį patvirtino uosto planą, dėl kurio gyventojai ginčijosi.", "lt"),
        ("et", "Linnavolikogu kiitis reedel heaks sadama kava, mille üle elanikud on kaks aastat vaielnud.", "et"),
        ("nb", "Kommunestyret godkjente fredag planen for havna, som innbyggerne har kranglet om i to år.", "nb"),
        ("tr", "The council of Orlen voted on Tuesday to rebuild the bridge, which had been closed.", "en"),
        ("dk", "Byrådet har besluttet at genopbygge broen, som ikke har været åben siden oversvømmelsen.", "da"),
        ("ru", "Der Stadtrat hat am Dienstag beschlossen, die Brücke wieder aufzubauen, die gesperrt ist.", "de"),
        ("en-US", "O governo anunciou que vai reduzir o imposto sobre os alimentos a partir de janeiro.", "pt"),
        ("sr", "Gradsko veće je u petak usvojilo plan luke, o kome su stanovnici raspravljali dve godine.", "sr"),
        ("sr", "Градско веће је у петак усвојило план луке, о коме су становници расправљали.", "sr"),
    ])
    func theStatedLanguageCountsWhereNoneIsRecognised(stated: String, content: String, language: String) {
        // Long enough for a wrong guess.
        let content = String(repeating: content + " ", count: 3)
        #expect(Article(id: "1", title: "", content: content, language: stated).writtenLanguage == language)
    }

    @Test func periodsHoldBothTheirEnds() {
        let end = Date(timeIntervalSince1970: 1_000_000)
        let period = Period(hours: 2, endingAt: end)
        #expect(period.duration == 7200)
        #expect(period.contains(end) && period.contains(period.from))
        #expect(!period.contains(end.addingTimeInterval(1)) && !period.contains(period.from.addingTimeInterval(-1)))
        #expect(Period(from: end, to: period.from) == Period(from: period.from, to: end))
    }
}
