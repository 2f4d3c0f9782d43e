import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseCommands

@Suite(.timeLimit(.minutes(20))) struct SettingsFileTests {
    private func setting(_ name: String, _ value: String, in text: String) throws -> String {
        var file = try SettingsFile(text)
        try file.set([name], to: value)
        return file.text
    }

    private func removing(_ name: String, from text: String) throws -> String {
        var file = try SettingsFile(text)
        try file.remove([name])
        return file.text
    }

    private let commented = """
        // Mine.
        {
          hours: 24, // a day
          /* topics */ follow: ['a // b', "c"],
          maxStories: 30 // thirty
        }

        """

    @Test func aValueIsReplacedInItsPlace() throws {
        #expect(try setting("hours", "12", in: commented) == commented.replacing("24", with: "12"))
        #expect(
            try setting("follow", "\"x\"", in: commented) == commented.replacing("['a // b', \"c\"]", with: "\"x\""))
    }

    @Test(arguments: [
        ("{}", "{ \"seed\": 1 }"), ("{\n}\n", "{\n  \"seed\": 1\n}\n"), ("{ hours: 1 }", "{ hours: 1, seed: 1 }"),
        ("{ \"hours\": 1, }", "{ \"hours\": 1, \"seed\": 1 }"),
        ("{\n  hours: 1,\n}", "{\n  hours: 1,\n  seed: 1,\n}"),
        ("{\n\t'hours': 1 // one\n}", "{\n\t'hours': 1, // one\n\t\"seed\": 1\n}"),
        ("{ // note\n}", "{ // note\n  \"seed\": 1\n}"),
    ])
    func aNewOneStandsBehindTheOthers(text: String, after: String) throws {
        #expect(try setting("seed", "1", in: text) == after)
    }

    @Test(arguments: [
        ("{ seed: 1 }", "{ }"), ("{ seed: 1, hours: 2 }", "{ hours: 2 }"), ("{ hours: 2, seed: 1 }", "{ hours: 2 }"),
        ("{\n  hours: 2,\n  seed: 1\n}", "{\n  hours: 2\n}"), ("{\n  seed: 1, // one\n}", "{\n  // one\n}"),
        ("{ hours: 2 }", "{ hours: 2 }"),
    ])
    func oneIsTakenAway(text: String, after: String) throws { #expect(try removing("seed", from: text) == after) }

    private func fault(in data: Data) -> Message? { failure { try SettingsFile(data) }?.message }

    private func fault(in text: String) -> Message? { fault(in: Data(text.utf8)) }

    private let nested = "{\n  to: 'x', // me\n  profiles: {\n    ana: { to: 'y' }, // ana\n  },\n}\n"

    /// Comments stay, also around what is in an object.
    @Test func whatIsInAnObjectIsChangedInItsPlace() throws {
        var file = try SettingsFile(nested)
        try file.set(["profiles", "ana", "language"], to: "\"pt\"")
        try file.set(["profiles", "ben-2", "to"], to: "\"z\"")
        #expect(
            file.text
                == "{\n  to: 'x', // me\n  profiles: {\n    ana: { to: 'y', language: \"pt\" }, // ana\n"
                + "    \"ben-2\": { \"to\": \"z\" },\n  },\n}\n")
        #expect(file.line(of: ["profiles", "ana", "language"]) == 4 && file.line(of: ["profiles", "ben-2"]) == 5)
        #expect(file.line(of: ["to", "x"]) == nil && file.line(of: ["profiles", "cid"]) == nil)
        try file.remove(["profiles", "ana", "language"])
        try file.remove(["profiles", "ben-2"])
        #expect(file.text == nested)
        var empty = try SettingsFile("{}")
        try empty.set(["profiles", "ana", "to"], to: "1")
        #expect(empty.text == "{ \"profiles\": { \"ana\": { \"to\": 1 } } }")
    }

    @Test(arguments: [
        ("{ a: 1 b: 2 }", "line 1, column 7: a “,” or “}”"), ("{\n  a: 1,\n  : 2 }", "line 3, column 3: the name"),
        ("{ a 1 }", "column 5: a “:”"), ("{ a: [1, 2 }", "column 12: a “,” or “]”"), ("{ a: 'x\n }", "is not closed"),
        ("{ a: 1,\n  b: { c: 1, c: 2 } }", "line 2, column 14: “c” appears here a second time"),
        (String(repeating: "{a:", count: 20_000), "column 49: settings are not nested"),
        ("{ a: " + String(repeating: "[", count: 20_000), "settings are not nested"),
        ("{ a: 1 } b", "column 10: something follows"), ("{ /* a }", "this comment does not end"), ("{ a: 1,", "“}”"),
    ])
    func aFaultHasItsPlace(text: String, says: String) {
        #expect(fault(in: text)?.contains(says) == true, "\(fault(in: text) ?? "none")")
    }

    /// Two readers of one file must not differ in what they take it for.
    @Test func whatIsNotUTF8HasItsPlace() {
        let bytes = Data("{\n hours: 24,\n a: '".utf8) + [0xff] + Data("' }".utf8)
        #expect(fault(in: bytes)?.contains("line 3, column 6: this is not text in UTF-8") == true)
        let wide = Data("{ hours: 24 }".utf16.flatMap { [UInt8($0 & 0xff), 0] })
        #expect(fault(in: [0xff, 0xfe] + wide)?.contains("line 1, column 1") == true)
    }

    @Test func whatIsRightHasNoFault() {
        #expect(fault(in: commented) == nil)
        #expect(fault(in: "{ $a: .5, b: -Infinity, c: { d: [null, +1, [true]] }, 'e\\'': \"\\\n\" }") == nil)
    }
}
