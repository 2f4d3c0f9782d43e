import Foundation
import PulseCore
import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(20))) struct EmailMessageTests {
    private func message(
        from: String = "Pulse <pulse@box.example>", to: [String] = ["ana@example.org"], subject: String = "Hello",
        date: Date = Sample.now, zone: TimeZone = Sample.utc, plain: String = "One.\n", html: String = "<p>One.</p>\n"
    ) throws -> EmailMessage {
        EmailMessage(
            from: try MailAddress(from), to: try to.map { try MailAddress($0) }, subject: subject, date: date,
            timeZone: zone, language: .english, plain: plain, html: html)
    }

    private func values(_ message: EmailMessage) throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try MailDecoder.message(message.text).fields.map { ($0.name, $0.value) })
    }

    @Test func itHasTheFieldsOfAMessage() throws {
        let fields = try values(message(to: ["ana@example.org", "Åsa <asa@example.org>"]))
        #expect(fields["Date"] == "Sat, 21 Nov 2026 02:46:40 +0000")
        #expect(fields["From"] == "Pulse <pulse@box.example>")
        #expect(fields["To"] == "ana@example.org, Åsa <asa@example.org>")
        #expect(fields["Subject"] == "Hello")
        #expect(fields["MIME-Version"] == "1.0")
        #expect(fields["Auto-Submitted"] == "auto-generated")
        #expect(fields["List-Id"] == "pulse-digest <pulse-digest.box.example>")
        #expect(fields["Content-Language"] == "en")
        #expect(fields["Message-ID"]?.hasPrefix("<pulse-digest.2026-11-21.") == true)
        #expect(fields.count == 10)
    }

    @Test(arguments: [
        ("Europe/Lisbon", "Sat, 21 Nov 2026 02:46:40 +0000"), ("America/St_Johns", "Fri, 20 Nov 2026 23:16:40 -0330"),
        ("Asia/Kathmandu", "Sat, 21 Nov 2026 08:31:40 +0545"),
    ])
    func theDateIsTheReaders(zone: String, date: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        #expect(try values(message(zone: zone))["Date"] == date)
        let day = date.contains("20 Nov") ? "2026-11-20" : "2026-11-21"
        #expect(try message(zone: zone).id.hasPrefix("<pulse-digest.\(day)."))
    }

    @Test func bothPartsComeBack() throws {
        let plain = "Olá — " + String(repeating: "x", count: 3000) + "\n--=_pulse-digest\n.\nFrom me \n"
        let html = "<p>عربي 🎉</p>\n"
        let message = try message(plain: plain, html: html)
        let parsed = try MailDecoder.message(message.text)
        let type = try #require(parsed.fields.first { $0.name == "Content-Type" }?.value)
        let parts = try MailDecoder.parts(parsed)
        #expect(type.hasPrefix("multipart/alternative;"))
        #expect(parts.map(\.text) == [plain, html])
        #expect(parts[0].fields.contains("Content-Type: text/plain; charset=utf-8"))
        #expect(parts[1].fields.contains("Content-Type: text/html; charset=utf-8"))
        #expect(!message.text.contains("\r"))
        #expect(message.text.utf8.allSatisfy { $0 == 0x0a || (0x20..<0x7f).contains($0) })
    }

    @Test func oneMessageHasOneIdentityAndNoOther() throws {
        let first = try message(to: ["a@x.org", "b@x.org"]).id
        #expect(try message(to: ["B@x.org", "Ana <a@x.org>"]).id == first)
        #expect(try message(to: ["a@x.org", "b@x.org"], subject: "Other").id != first)
        #expect(try message(to: ["a@x.org", "b@x.org"], plain: "Other.").id != first)
        #expect(try message(to: ["a@x.org", "b@x.org"], date: Sample.now.addingTimeInterval(3600)).id == first)
        #expect(try message(to: ["a@x.org"]).id != first)
        #expect(try message(to: ["a@x.org", "b@x.org"], date: Sample.now.addingTimeInterval(86_400)).id != first)
    }

    @Test(arguments: 0..<100)
    func nothingBreaksOutOfTheHeader(seed: Int) throws {
        let hostile = RandomText.make(seed: seed, length: 60)
        let sender = MailAddress(user: hostile, host: hostile)
        let message = EmailMessage(
            from: sender, to: [(try? MailAddress("\(hostile)<a@b.org>")) ?? sender], subject: hostile,
            date: Sample.now, timeZone: Sample.utc, language: .english, plain: hostile, html: hostile)
        let fields = try MailDecoder.message(message.text).fields
        #expect(
            fields.map(\.name) == [
                "Date", "From", "To", "Subject", "Message-ID", "MIME-Version", "List-Id", "Auto-Submitted",
                "Content-Language", "Content-Type",
            ])
        // Only what cannot be broken, an address or an identity, may make a longer line.
        for line in message.text.split(separator: "\n") {
            #expect(line.utf8.count <= 78 || line.split(separator: " ").count <= 2)
        }
    }

    @Test func aNotice() throws {
        let from = try MailAddress("me@host.example")
        let to = [try MailAddress("Zoë <z@example.org>")]
        let text = EmailNotice.text(
            from: from, to: to, subject: "No digest\nBcc: x@y", date: Sample.now, timeZone: .gmt,
            body: "A “cause”\u{1b}[31m\nnext step\n")
        #expect(text.hasPrefix("Date: Sat, 21 Nov 2026 02:46:40 +0000\nFrom: me@host.example\n"))
        #expect(text.contains("\nSubject: No digest Bcc: x@y\n"))
        #expect(text.contains("\n\nA =E2=80=9Ccause=E2=80=9D"))
        #expect(!text.contains("\u{1b}") && text.utf8.allSatisfy { $0 < 0x80 })
        let later = EmailNotice.text(
            from: from, to: to, subject: "x", date: Sample.now, timeZone: .gmt, body: "Another cause")
        func identity(_ text: String) -> Substring? { text.split(separator: "\n").first { $0.hasPrefix("Message-ID") } }
        #expect(identity(text) != nil && identity(text) != identity(later))
    }
}
