import Foundation
import PulseCore
import Testing

@testable import PulseMarkup

@Suite(.timeLimit(.minutes(20))) struct SourceTimeTests {
    private static let now = Date(timeIntervalSince1970: 1_795_262_400)  // 2026-11-21T12:00:00Z

    /// To the second.
    private func parse(_ text: String, isFeed: Bool = true) -> String? {
        SourceTime.parse(text, now: Self.now, isFeed: isFeed).map {
            Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down)).formatted(.iso8601)
        }
    }

    @Test(arguments: [
        "Fri, 20 Nov 2026 10:00:00 GMT", "20 Nov 2026 10:00 GMT", "Fri, 20 Nov 26 10:00:00 Z",
        "20 Nov 2026 12:00:00 +0200", "Fri, 20 Nov 2026 12:00:00 +02:00", "Fri, 20 Nov 2026 12:00:00 GMT+2",
        "Fri, 20 Nov 2026 02:00:00 PST", "Fri, 20 Nov 2026 12:00:00 MEST", "Fri 20 Nov 2026 10:00:00",
        "Friday, November 20, 2026 10:00 AM", "2026-11-20T10:00:00Z", "2026-11-20T10:00:00.123+00:00",
        "2026-11-20 10:00:00", "2026-11-20T12:00+0200", "2026/11/20 10:00:00", "Fri, 2026/11/20 05:00:00 EST",
        "Fri Nov 20 10:00:00 2026", "Fri Nov 20 02:00:00 PST 2026",
        "Fri Nov 20 2026 10:00:00 GMT+0000 (Coordinated Universal Time)", "1795168800", "1795168800000",
        "1795168800000000000",
        "20-Nov-2026 10:00:00", "20.11.2026 10:00", "11/20/2026 10:00:00 AM", "Fri,  20 Nov 2026  10:00:00   UT",
        "sexta-feira, 20 de novembro de 2026 10:00", "mar, 20 nov 2026 10:00:00", "vie, 20 nov. 2026 10:00:00 +0000",
        "Пт, 20 ноя 2026 13:00:00 MSK", "Παρ, 20 Νοε 2026 12:00:00 +0200", "2026-november-20T10:00+00:00",
        "20261120T100000Z", "20261120T1200+0200", "20261120T100000.25Z", "2026년 11월 20일 오전 10:00:00",
        "2026年11月20日 10:00", "Fri, 20 Nov 2026 11.00 +0100", "Fri, 20 Nov 2026 11.00.00 +0100",
        "20.11.2026 10.00", "20 novembre 2026 à 10h00", "20/11/2026 às 10h00", "20 Kas 2026 13:00 TRT",
        "Fri, 20 Nov 2026 17:00:00 WIB", "Fri, 20 Nov 2026 18:00:00 WITA", "Fri, 20 Nov 2026 19:00:00 WIT",
        "Fri, 20 Nov 2026 15:00:00 PKT", "Fri, 20 Nov 2026 05:00:00 COT", "Fri, 20 Nov 2026 06:00:00 CLT",
        "Fri, 20 Nov 2026 07:00:00 CLST", "Fri, 20 Nov 2026 11:00:00 Europe/Berlin",
        "Fri, 20 Nov 2026 05:00 America/New_York", "2026-324T10:00:00Z",
    ])
    func aDateOfAnyForm(text: String) { #expect(parse(text) == "2026-11-20T10:00:00Z") }

    @Test(arguments: [
        // An hour that does not exist leaves the day.
        ("Thu, 19 Nov 2026 34:00:00 GMT", "2026-11-19T00:00:00Z"),
        ("Thu, 19 Nov 2026 24:00:00 GMT", "2026-11-20T00:00:00Z"), ("2026-11-20", "2026-11-20T00:00:00Z"),
        ("20261120", "2026-11-20T00:00:00Z"), ("2026-11", "2026-11-01T00:00:00Z"),
        ("Sat, 07 Feb 98 12:00:00 GMT", "1998-02-07T12:00:00Z"), ("11/20/2026 9:05 PM", "2026-11-20T21:05:00Z"),
        ("2026-324", "2026-11-20T00:00:00Z"), ("20.11.26", "2026-11-20T00:00:00Z"),
        ("20 Ağu 2026 11:00 Europe/Berlin", "2026-08-20T09:00:00Z"),
        ("Thu, 19 Nov 2026 34.00 GMT", "2026-11-19T00:00:00Z"), ("12 Şub 2026", "2026-02-12T00:00:00Z"),
        ("31 août 2026 08:00:00 +0200", "2026-08-31T06:00:00Z"), ("3. März 2026", "2026-03-03T00:00:00Z"),
    ])
    func aDayOrAnotherHour(text: String, expected: String) { #expect(parse(text) == expected) }

    @Test(arguments: [
        "", "soon", "0", "31 Dec 9999 00:00:00 GMT", "9999-12-31", "31 Feb 2026 10:00:00 GMT", "1970-01-01T00:00:00Z",
        "20 Nov 2027 10:00:00 GMT", "-1", "99999999999999999999", "::::", "2026-13-45", "Nov", "١٢",
        String(repeating: "1 Nov ", count: 10_000), "0000-00-00 00:00:00", "nan", "inf",
    ])
    func whatIsNoDate(text: String) { #expect(parse(text) == nil) }

    /// What may mean two days is not understood.
    @Test func exportsAreReadMoreStrictly() {
        for text in [
            "Fri, 20 Nov 2026 10:00:00 GMT", "Friday, November 20, 2026 10:00 AM", "2026-11-20T10:00:00Z",
            "20.11.2026 10:00", "20.11.2026 10:00:00", "2026/11/20 10:00", "20261120T100000Z",
        ] {
            #expect(parse(text, isFeed: false) == "2026-11-20T10:00:00Z")
        }
        #expect(parse("20261120", isFeed: false) == "2026-11-20T00:00:00Z")
        for text in ["11/20/2026", "2026-11", "20.11.26"] { #expect(parse(text, isFeed: false) == nil) }
    }
}
