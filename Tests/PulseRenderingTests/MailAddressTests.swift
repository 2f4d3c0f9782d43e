import PulseRendering
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct MailAddressTests {
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
            #expect(throws: MailAddressError.self) { try MailAddress(text) }
            return
        }
        let parsed = try MailAddress(text)
        #expect(parsed.name == name)
        #expect(parsed.address == address)
    }

    @Test(
        arguments: [
            ("", .empty), ("  ", .empty), ("ana", .noAt), ("Lima", .noAt), ("ana@", .domain),
            ("@example.org", .localPart),
            ("ana@example..org", .domain), ("ana@-x.org", .domain), ("ana@exam ple.org", .domain),
            ("ana@example.org, b@c.org", .localPart), ("a..b@example.org", .localPart), (".a@example.org", .localPart),
            ("a b@example.org", .localPart), ("josé@example.org", .localPartBeyondASCII), ("ana@[10.0.0.1]", .domain),
            ("ana@example.org\r\nBcc: x@example.org", .control), ("ana@example.org\n", .control),
            ("A\u{0}na <ana@example.org>", .control), ("A\u{202e}na <ana@example.org>", .control),
            ("Ana <ana@example.org", .localPart), ("Ana ana@example.org>", .brackets),
            ("A <b> <ana@example.org>", .brackets),
            ("\"Ana <ana@example.org>", .quotes), ("\"A\" b <ana@example.org>", .quotes), ("ana@exa/mple.org", .domain),
            ("ana@é/x.org", .domain), ("ana@é:80", .domain), ("\"\"@example.org", .localPart),
        ] as [(String, MailAddressError.Reason)])
    func mistakes(text: String, reason: MailAddressError.Reason) {
        #expect {
            try MailAddress(text)
        } throws: { error in
            guard let error = error as? MailAddressError else { return false }
            return error.reason == reason && error.message.hasPrefix("takes ") && !error.message.contains("\n")
        }
    }

    @Test func tooLong() throws {
        let local = String(repeating: "a", count: 64)
        #expect(try MailAddress(local + "@example.org").localPart == local)
        #expect(throws: MailAddressError.self) { try MailAddress("a" + local + "@example.org") }
        #expect(throws: MailAddressError.self) { try MailAddress("a@" + local + ".org") }
        let domain = Array(repeating: "abcdefg", count: 32).joined(separator: ".")
        #expect(throws: MailAddressError.self) { try MailAddress("a@" + domain) }
    }

    @Test func lists() throws {
        let list = try MailAddress.list("ana@a.org, \"Lima, \\\"B\\\"\" <b@b.org>,c@c.org")
        #expect(list.map(\.address) == ["ana@a.org", "b@b.org", "c@c.org"])
        #expect(list[1].name == "Lima, \"B\"")
        #expect(throws: MailAddressError.self) { try MailAddress.list("ana@a.org,") }
        #expect(throws: MailAddressError.self) { try MailAddress.list("Lima, Ana <ana@a.org>") }
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
