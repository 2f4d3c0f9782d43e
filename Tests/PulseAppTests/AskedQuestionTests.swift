import Foundation
import PulseCore
import Testing

@testable import PulseApp

@Suite(.timeLimit(.minutes(5))) struct AskedQuestionTests {
    private let zone = TimeZone(identifier: "Europe/Lisbon") ?? .gmt

    /// Saturday, 21 November 2026, 02:46:40 in Lisbon, whose clocks show UTC then.
    private func asked(_ text: String, _ publications: [String] = []) -> AskedQuestion {
        AskedQuestion(
            text, publications: publications, now: Date(timeIntervalSince1970: 1_795_229_200),
            calendar: .gregorian(in: zone))
    }

    @Test(arguments: [
        ("What happened to the ferry last week?", "2026-11-09", "2026-11-15", "What happened to the ferry ?"),
        ("what did I read about floods in March", "2026-03-01", "2026-03-31", "what did I read about floods"),
        ("floods in December", "2025-12-01", "2025-12-31", "floods"),
        ("floods in March 2024", "2024-03-01", "2024-03-31", "floods"),
        ("floods since October", "2026-10-01", "2026-11-21", "floods"),
        ("the strike on Monday", "2026-11-16", "2026-11-16", "the strike"),
        ("the strike yesterday", "2026-11-20", "2026-11-20", "the strike"),
        ("the strike on 18 November", "2026-11-18", "2026-11-18", "the strike"),
        ("the strike on 2026-11-18", "2026-11-18", "2026-11-18", "the strike"),
        ("a greve em março", "2026-03-01", "2026-03-31", "a greve"),
        ("la huelga de ayer", "2026-11-20", "2026-11-20", "la huelga"),
        ("floods on the 14th of November", "2026-11-14", "2026-11-14", "floods"),
        ("floods in the last 10 days", "2026-11-11", "2026-11-21", "floods"),
        ("floods between 10 and 12 November", "2026-11-10", "2026-11-12", "floods"),
        ("floods from November 10 to 12", "2026-11-10", "2026-11-12", "floods"),
        ("floods between 28 December and the 3rd of January", "2025-12-28", "2026-01-03", "floods"),
        ("floods before November 10", "…", "2026-11-09", "floods"),
        ("floods after November 10", "2026-11-11", "2026-11-21", "floods"),
        ("floods two weeks ago", "2026-11-02", "2026-11-08", "floods"),
        ("floods 3 days ago", "2026-11-18", "2026-11-18", "floods"),
        ("floods last month", "2026-10-01", "2026-10-31", "floods"),
        ("floods this week", "2026-11-16", "2026-11-22", "floods"),
        ("cheias há duas semanas", "2026-11-02", "2026-11-08", "cheias"),
        ("cheias nos últimos 10 dias", "2026-11-11", "2026-11-21", "cheias"),
        ("cheias na semana passada", "2026-11-09", "2026-11-15", "cheias"),
        ("cheias entre 10 e 12 de novembro", "2026-11-10", "2026-11-12", "cheias"),
        ("riadas entre el 10 y el 12 de noviembre", "2026-11-10", "2026-11-12", "riadas"),
        ("riadas antes del 10 de noviembre", "…", "2026-11-09", "riadas"),
        ("crues il y a deux semaines", "2026-11-02", "2026-11-08", "crues"),
        ("crues depuis le 10 novembre", "2026-11-10", "2026-11-21", "crues"),
        ("what did I read yesterday", "2026-11-20", "2026-11-20", "what did I read"),
    ])
    func aTimeLimits(question: String, from: String, to: String, subject: String) throws {
        try limits(question, from, to, subject)
    }

    @Test(arguments: [
        ("the strike on Tuesday, 17 November?", "2026-11-17", "2026-11-17", "the strike ?"),
        ("the strike on Tue 17 Nov 2026", "2026-11-17", "2026-11-17", "the strike"),
        ("la huelga el martes 17 de noviembre", "2026-11-17", "2026-11-17", "la huelga"),
        ("la grève le mardi 17 novembre", "2026-11-17", "2026-11-17", "la grève"),
        ("greve terça-feira, 17 de novembro", "2026-11-17", "2026-11-17", "greve"),
        ("floods yesterday evening", "2026-11-20", "2026-11-20", "floods"),
        ("floods on Monday night", "2026-11-16", "2026-11-16", "floods"),
        ("floods last night", "2026-11-20", "2026-11-20", "floods"),
        ("floods this morning", "2026-11-21", "2026-11-21", "floods"),
        ("floods on the evening of 17 November", "2026-11-17", "2026-11-17", "floods"),
        ("cheias ontem à noite", "2026-11-20", "2026-11-20", "cheias"),
        ("cheias hoje de manhã", "2026-11-21", "2026-11-21", "cheias"),
        ("riadas ayer por la tarde", "2026-11-20", "2026-11-20", "riadas"),
        ("riadas anoche", "2026-11-20", "2026-11-20", "riadas"),
        ("riadas esta mañana", "2026-11-21", "2026-11-21", "riadas"),
        ("crues hier soir", "2026-11-20", "2026-11-20", "crues"),
        ("crues ce matin", "2026-11-21", "2026-11-21", "crues"),
        ("floods 1-5 November", "2026-11-01", "2026-11-05", "floods"),
        ("floods on November 1-5", "2026-11-01", "2026-11-05", "floods"),
        ("floods 1–5 November", "2026-11-01", "2026-11-05", "floods"),
        ("floods 28 December - 3 January", "2025-12-28", "2026-01-03", "floods"),
        ("floods the day before yesterday", "2026-11-19", "2026-11-19", "floods"),
        ("floods since the day before yesterday", "2026-11-19", "2026-11-21", "floods"),
        ("cheias anteontem", "2026-11-19", "2026-11-19", "cheias"),
        ("riadas antes de ayer", "2026-11-19", "2026-11-19", "riadas"),
        ("crues avant-hier", "2026-11-19", "2026-11-19", "crues"),
        ("floods in the past week", "2026-11-14", "2026-11-21", "floods"),
        ("floods in the last week", "2026-11-14", "2026-11-21", "floods"),
        ("crues mardi dernier", "2026-11-17", "2026-11-17", "crues"),
        ("crues mardi passé à Lyon", "2026-11-17", "2026-11-17", "crues à Lyon"),
        ("que s'est-il passé mardi ?", "2026-11-17", "2026-11-17", "que s'est-il passé ?"),
        ("crues la semaine passée", "2026-11-09", "2026-11-15", "crues"),
        ("crues ce mois-ci", "2026-11-01", "2026-11-30", "crues"),
        ("cheias na terça?", "2026-11-17", "2026-11-17", "cheias ?"),
        ("cheias terça passada", "2026-11-17", "2026-11-17", "cheias"),
        ("cheias na terça-feira passada", "2026-11-17", "2026-11-17", "cheias"),
        ("cheias no dia 19", "2026-11-19", "2026-11-19", "cheias"),
        ("cheias no dia 30 em Lisboa", "2026-10-30", "2026-10-30", "cheias em Lisboa"),
        ("floods on the 3rd?", "2026-11-03", "2026-11-03", "floods ?"),
        ("floods this weekend", "2026-11-21", "2026-11-22", "floods"),
        ("floods last weekend", "2026-11-14", "2026-11-15", "floods"),
        ("crues ce week-end", "2026-11-21", "2026-11-22", "crues"),
        ("riadas el fin de semana pasado", "2026-11-14", "2026-11-15", "riadas"),
        ("cheias no fim de semana", "2026-11-21", "2026-11-22", "cheias"),
        ("floods a week ago", "2026-11-09", "2026-11-15", "floods"),
        ("floods until 10 November", "…", "2026-11-10", "floods"),
        ("floods on 17/11/2026", "2026-11-17", "2026-11-17", "floods"),
        ("floods on 03.04.2026", "2026-04-03", "2026-04-03", "floods"),
        ("floods on 11/17/2026", "2026-11-17", "2026-11-17", "floods"),
    ])
    func aTimeInOtherWordsLimits(question: String, from: String, to: String, subject: String) throws {
        try limits(question, from, to, subject)
    }

    private func limits(_ question: String, _ from: String, _ to: String, _ subject: String) throws {
        let asked = asked(question)
        let period = try #require(asked.period)
        let first = period.from == .distantPast ? "…" : Day(period.from, in: zone).text
        #expect(first == from && Day(period.to, in: zone).text == to)
        #expect(asked.subject == subject && asked.text == question)
    }

    @Test(arguments: [
        "May the ferry sail?", "Who will march to the harbour?", "is the sun hot?", "is there water on Mars",
        "what about the 18 ferries", "how many won in 1911", "what cost more in the past", "three weeks of rain",
        "from the museum to the lock", "the fire on the 3rd floor", "a greve na segunda volta", "the Mardi Gras parade",
        "who won 2-1",
    ])
    func wordsThatAreNoTimeDoNot(question: String) {
        #expect(asked(question).period == nil)
        #expect(asked(question).subject == question)
    }

    @Test func aPublicationLimitsWhereItIsNamedAsOne() {
        let names = ["The Herald", "Time", "Público"]
        #expect(asked("the ferry in The Herald", names).sources == ["The Herald"])
        #expect(asked("the ferry in The Herald", names).subject == "the ferry")
        #expect(asked("what did the Herald say on Monday", names).sources == ["The Herald"])
        #expect(asked("what did the Herald say on Monday", names).isOpen)
        #expect(asked("floods according to the Herald", names).subject == "floods")
        #expect(asked("did the Herald move", names).sources == [])
        #expect(asked("Herald prices in The Herald", names).subject == "Herald prices")
        #expect(asked("strike in süddeutsche zeitung", ["Süddeutsche Zeitung"]).sources == ["Süddeutsche Zeitung"])
        #expect(asked("la faim dans le monde", ["Le Monde"]).sources == [])
        #expect(asked("o que saiu no Público sobre a greve", names).sources == ["Público"])
        #expect(asked("Time is money in time", names).sources == [])
        #expect(asked("the ferry in The Heralds", names).sources == [])
    }

    @Test func whatIsQuotedIsKnown() {
        #expect(asked("who said \"no comment\" and “never again”?").quoted == ["no comment", "never again"])
        #expect(asked("\"?!\" and \"").quoted == [])
    }

    @Test(arguments: [
        ("what happened on 14 November?", true), ("what did I read yesterday?", true), ("news in The Herald", true),
        ("o que aconteceu na semana passada?", true), ("planes in October", false), ("what happened?", false),
    ])
    func whatThereIsMayBeAllThatIsAsked(question: String, isOpen: Bool) {
        #expect(asked(question, ["The Herald"]).isOpen == isOpen)
    }

    @Test func aFurtherQuestionGoesOn() {
        let next = asked("and the captain?").following([asked("who owns the ferry?")])
        #expect(next.subject == "who owns the ferry? and the captain?" && next.text == "and the captain?")
    }

    @Test func aLongQuestionIsReadAsFarAsItMakesSense() {
        #expect(asked(String(repeating: "ferry ", count: 20_000)).text.count <= 2000)
    }
}
