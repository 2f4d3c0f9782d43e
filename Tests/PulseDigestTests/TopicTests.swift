import Foundation
import PulseCore
import Testing

@testable import PulseDigest

@Suite(.timeLimit(.minutes(20))) struct TopicTests {
    private func isIn(_ topic: String, title: String = "", summary: String = "", content: String = "") throws -> Bool {
        _ = try #require(Topic(topic))
        let article = Article(id: "a", title: title, summary: summary, content: content)
        return Interests(mute: [topic]).mutes(Reading(article: article, readAt: .distantPast, origin: "test"))
    }

    @Test(arguments: [
        ("football", "Football returns to Orlen"), ("FOOTBALL", "No football, says the mayor"),
        ("são paulo", "Sao Paulo’s mayor resigns"), ("Sao Paulo", "Chuva para SÃO PAULO"),
        ("eleicoes", "Eleições em maio"), ("ano", "El año de la lluvia"), ("strasse", "Straße"),
        ("covid-19", "A COVID 19 wave"), ("3.5", "Rate held at 3.5 percent"), ("c", "Vitamin C is back"),
        ("central bank", "The central bank holds"), ("東京", "東京で新しい橋が完成"), ("ｆｏｏｔｂａｌｌ", "Football"),
        ("cafe\u{301}", "Café"), ("orlen", "Orlen: the bridge"), ("city", "The city’s money"),
    ])
    func itIsThere(topic: String, title: String) throws {
        #expect(try isIn(topic, title: title), "\(topic) in \(title)")
    }

    @Test(arguments: [
        ("art", "A party in Orlen"), ("football", "Footballers return"), ("central bank", "A central, old bank"),
        ("central bank", "Bank central"), ("3", "Rate held at 3.5 percent"), ("bank holds rate", "Bank holds"),
        ("東京", "京東の橋"), ("us", "Let us1 go"), ("orlen bridge", "Orlen"),
    ])
    func itIsNot(topic: String, title: String) throws {
        #expect(try !isIn(topic, title: title), "\(topic) in \(title)")
    }

    @Test(arguments: ["", " ", "—", "\"\"", "?!", "\u{1b}"])
    func noWordIsNoTopic(text: String) { #expect(Topic(text) == nil) }

    /// A phrase does not reach from the title into the teaser, nor from one sentence into the next.
    @Test func phrasesStayInsideASentence() throws {
        #expect(try !isIn("bridge council", title: "Orlen bridge", summary: "Council votes."))
        #expect(try !isIn("closed trains", content: "The bridge is closed. Trains stop."))
        #expect(try isIn("trains stop", content: "The bridge is closed. Trains stop."))
    }

    @Test func titleTeaserAndLeadAreSearchedAndNoMore() throws {
        let content = "One fell. Two fell. Three fell. Football is mentioned late."
        #expect(try isIn("three", content: content))
        #expect(try !isIn("football", content: content))
        #expect(try isIn("football", summary: "On football.", content: content))
    }

    @Test func categoriesAreNamedInAnyLanguage() throws {
        for name in ["science", "Science", "CIÊNCIA", "ciencia"] {
            #expect(try #require(Topic(name)).names(Category("science")), "\(name)")
            #expect(try !#require(Topic(name)).names(Category("health")))
        }
        #expect(try #require(Topic("zoo news")).names(Category("Zoo News")))
        #expect(try !#require(Topic("zoo")).names(Category("zoo news")))
    }

    @Test func aHugeArticleCostsNoMoreThanItsFront() throws {
        let huge = String(repeating: "word ", count: 200_000)
        #expect(try !isIn("football", title: huge, summary: huge, content: huge + "football"))
    }
}
