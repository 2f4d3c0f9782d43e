import PulseCore
import PulseRendering
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct MailAddressTests {
    @Test(
        arguments: [
            ("ana@example.org", "", "ana@example.org"), (" ana@Example.ORG ", "", "ana@example.org"),
            ("<ana@example.org>", "", "ana@example.org"), ("Ana Lima <ana@example.org>", "Ana Lima", "ana@example.org"),
            ("Ana<ana@example.org>", "Ana", "ana@example.org"), ("ana+news@a.b.c", "", "ana+news@a.b.c"),
            ("\"Lima, Ana \\\"A\\\"\" <ana@example.org>", "Lima, Ana \"A\"", "ana@example.org"),
            ("Åsa Öberg <asa@example.org>", "Åsa Öberg", "asa@example.org"), ("root@localhost", "", "root@localhost"),
            ("\"a b\"@example.org", "", "\"a b\"@example.org"), ("ana@bücher.example", "", "ana@xn--bcher-kva.example"),
            ("ana@例え.テスト", "", "ana@xn--r8jz45g.xn--zckzah"), ("ana@BÜCHER.example", "", "ana@xn--bcher-kva.example"),
            ("a@b@example.org", nil, ""), ("@", nil, ""),
        ] as [(String, String?, String)])
    func addresses(text: String, name: String?, address: String) throws {
        guard let name else {
            #expect(throws: PulseError.self) { try MailAddress(text) }
            return
        }
        let parsed = try MailAddress(text)
        #expect(parsed.name == name)
        #expect(parsed.address == address)
    }

    @Test(
        arguments: [
            ("", "it is empty"), ("  ", "it is empty"), ("ana", "has no @"), ("Lima", "has no @"),
            ("ana@", "is not a domain"),
            ("@example.org", "is not valid"),
            ("ana@example..org", "is not a domain"), ("ana@-x.org", "is not a domain"),
            ("ana@exam ple.org", "is not a domain"),
            ("ana@example.org, b@c.org", "is not valid"),
            ("a..b@example.org", "is not valid"), (".a@example.org", "is not valid"),
            ("a b@example.org", "is not valid"), ("josé@example.org", "is not in ASCII"),
            ("ana@[10.0.0.1]", "is not a domain"),
            ("ana@example.org\r\nBcc: x@example.org", "invisible character"),
            ("ana@example.org\n", "invisible character"),
            ("A\u{0}na <ana@example.org>", "invisible character"),
            ("A\u{202e}na <ana@example.org>", "invisible character"),
            ("Ana <ana@example.org", "is not valid"), ("Ana ana@example.org>", "the < and > do not match"),
            ("A <b> <ana@example.org>", "the < and > do not match"),
            ("\"Ana <ana@example.org>", "quotation marks do not fit"),
            ("\"A\" b <ana@example.org>", "quotation marks do not fit"), ("ana@exa/mple.org", "is not a domain"),
            ("ana@é/x.org", "is not a domain"), ("ana@é:80", "is not a domain"),
            ("\"\"@example.org", "is not valid"),
        ] as [(String, String)])
    func mistakes(text: String, words: String) throws {
        let error = try fails(.usage, words) { try MailAddress(text) }
        #expect(!error.message.contains("\n"))
    }

    @Test func tooLong() throws {
        let local = String(repeating: "a", count: 64)
        #expect(try MailAddress(local + "@example.org").localPart == local)
        #expect(throws: PulseError.self) { try MailAddress("a" + local + "@example.org") }
        #expect(throws: PulseError.self) { try MailAddress("a@" + local + ".org") }
        let domain = Array(repeating: "abcdefg", count: 32).joined(separator: ".")
        #expect(throws: PulseError.self) { try MailAddress("a@" + domain) }
    }

    @Test func lists() throws {
        let list = try MailAddress.list("ana@a.org, \"Lima, \\\"B\\\"\" <b@b.org>,c@c.org")
        #expect(list.map(\.address) == ["ana@a.org", "b@b.org", "c@c.org"])
        #expect(list[1].name == "Lima, \"B\"")
        #expect(throws: PulseError.self) { try MailAddress.list("ana@a.org,") }
        #expect(throws: PulseError.self) { try MailAddress.list("Lima, Ana <ana@a.org>") }
    }

    @Test func thisMachineAlwaysHasOne() {
        #expect(MailAddress(user: "ana", host: "Box.local").address == "ana@box.local")
        #expect(MailAddress(user: "ana.lima", host: "box").address == "ana.lima@box")
        #expect(MailAddress(user: ".ana..", host: "box").address == "ana@box")
        #expect(MailAddress(user: "", host: "").address == "pulse-digest@localhost")
        #expect(MailAddress(user: "a b\r\nBcc: x", host: "a b").address == "abBccx@localhost")
    }

    /// Whatever is taken for an address can stand in a header.
    @Test(arguments: 0..<300)
    func nothingBreaksOut(seed: Int) {
        let text = RandomText.make(seed: seed, length: 12)
        for candidate in [text + "@example.org", "ana@" + text, text + "<ana@example.org>", "\"" + text + "\"@a.org"] {
            guard let address = try? MailAddress(candidate) else { continue }
            #expect(address.address.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
            #expect(!address.name.contains { $0.isNewline })
            #expect(!address.domain.contains { " ,<>@\"".contains($0) })
        }
    }
}
