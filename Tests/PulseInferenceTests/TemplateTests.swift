import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseInference

/// The interpreter of chat templates, held to Jinja2.
@Suite(.timeLimit(.minutes(20))) struct TemplateTests {
    private static let folder = Repository.fixtures.appendingPathComponent("templates")

    private static let messages = [
        ChatMessage(role: .system, text: "Be brief."), ChatMessage(role: .user, text: "Hello"),
    ]

    /// Noon of the day that `render.py` takes for today.
    private static let noon: @Sendable () -> Date = {
        DateComponents(calendar: Calendar(identifier: .gregorian), year: 2026, month: 11, day: 23, hour: 12).date
            ?? .distantPast
    }

    private static func prompt(_ source: String) throws -> String {
        let template = try ChatTemplate(source: source, beginning: "<s>", end: "</s>", now: noon)
        return try template.ownPieces(for: messages).map(\.text).joined()
    }

    // MARK: - The language

    private struct Feature: Decodable, CustomTestStringConvertible {
        var template: String
        var prompt: String
        var testDescription: String { template }
    }

    private static let features: [Feature] = {
        let data = (try? Data(contentsOf: folder.appendingPathComponent("features.json"))) ?? Data()
        return (try? JSONDecoder().decode([Feature].self, from: data)) ?? []
    }()

    private static func render(_ source: String) throws -> String {
        let turns = try messages.map { message in
            TemplateValue.dictionary(
                try TemplateDictionary([
                    (.text("role"), .text(message.role.rawValue)), (.text("content"), .text(message.text)),
                ]))
        }
        return try TemplateEvaluator.render(
            try TemplateParser.parse(source),
            with: [
                "messages": .list(turns), "bos_token": .text("<s>"), "eos_token": .text("</s>"),
                "add_generation_prompt": .flag(true), "enable_thinking": .flag(false),
            ]
        ) { _ in "23 Nov 2026" }
    }

    @Test func everyFeatureIsAsInJinja() throws {
        #expect(Self.features.count > 30)
        for feature in Self.features {
            #expect(try Self.render(feature.template) == feature.prompt, "\(feature.template)")
        }
    }

    @Test(arguments: [
        "{{ messages", "{% if %}", "{% for x in %}{% endfor %}", "{% endif %}", "{% if true %}", "{{ 'a }}", "{# a",
        "{% include 'a' %}", "{{ 1 + }}", "{{ (1 }}", "{{ a ? b }}", "{% set %}", "{{ 'a' | nonesuch }}",
        "{{ 1 is odder }}", "{{ missing.x }}", "{{ nonesuch() }}", "{{ 'a' + 1 }}", "{{ 1 // 0 }}", "{{ 1 < 'a' }}",
        "{{ messages.append(1) }}", "{% set x.y = 1 %}", "{{ 9223372036854775807 + 1 }}", "{{ 99999999999999999999 }}",
        "{{ 'abc'[::0] }}", "{{ raise_exception('no') }}", "{% for a, b in [1] %}{% endfor %}", "{{ range(1, 2, 0) }}",
        "{{ '\\ud800' }}",
    ])
    func whatCannotBeRunIsRefused(source: String) { #expect(throws: TemplateFault.self) { try Self.render(source) } }

    /// A template comes with a model from anywhere.
    @Test(arguments: [
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "{{ range(1000000000) | list | length }}", "{{ 'abcdefgh' * 4000000000 }}", "{{ 'a' * 9223372036854775807 }}",
        "{% set ns = namespace(x='a') %}{% for i in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
        "{% set ns = namespace(x=[1]) %}{% for i in range(39) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
        "{% set ns = namespace(x=[1]) %}{% for i in range(35) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x == ns.x }}",
        "{% set ns = namespace(x=[1]) %}{% for i in range(9999) %}{% set ns.x = [ns.x] %}{% endfor %}",
        "{% set ns = namespace(x='aaaaaaaaaaaaaaaa') %}{% for i in range(9) %}{% set ns.x = ns.x.replace('a', ns.x) %}{% endfor %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro m(n) %}{{ m(n) }}{{ m(n) }}{% endmacro %}{{ m(1) }}",
    ])
    func endlessWorkIsRefused(source: String) { #expect(throws: TemplateFault.self) { try Self.render(source) } }

    @Test func deepNestingIsRefused() {
        for (open, close) in [
            ("(", ")"), ("[", "]"), ("-", ""), ("not ", ""), ("{'a': ", "}"), ("x[", "]"), ("f(", ")"),
        ] {
            let source =
                "{{ " + String(repeating: open, count: 5000) + "1" + String(repeating: close, count: 5000) + " }}"
            #expect(throws: TemplateFault.self) { try Self.render(source) }
        }
        for (open, close) in [
            ("{% if true %}", "{% endif %}"), ("{% for x in [1] %}", "{% endfor %}"), ("{{ x", ".y }}"),
            ("{{ x", " | trim }}"), ("{{ 1", " if 1 }}"),
        ] {
            let source =
                open.hasPrefix("{%")
                ? String(repeating: open, count: 5000) + String(repeating: close, count: 5000)
                : open + String(repeating: String(close.dropLast(3)), count: 5000) + " }}"
            #expect(throws: TemplateFault.self) { try Self.render(source) }
        }
        // A chain is no nesting.
        #expect(throws: Never.self) { try Self.render("{{ 'a'" + String(repeating: " + 'b'", count: 2000) + " }}") }
        #expect(throws: TemplateFault.self) { try Self.render(String(repeating: "x", count: 300_000)) }
    }

    /// Templates with bytes, words and whole parts changed, left out and doubled: each is run or refused.
    @Test func damagedTemplatesAreRunOrRefused() throws {
        var random = SplitMix(seed: 11)
        let sources =
            try Self.fixtures.map { try String(contentsOf: $0, encoding: .utf8) } + Self.features.map(\.template)
        let words = [
            "{{", "}}", "{%", "%}", "-", "+", "(", "]", "|", "'", "is", "not", "in", "if", "~", ".", "for", "endfor",
        ]
        var refused = 0
        for round in 0..<1500 {
            var bytes = Array(sources[round % sources.count].utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<end)
                case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
                default:
                    bytes.insert(contentsOf: words[Int.random(in: 0..<words.count, using: &random)].utf8, at: place)
                }
                if bytes.isEmpty { bytes = [0x7b] }
            }
            do {
                _ = try Self.prompt(String(decoding: bytes, as: UTF8.self))
            } catch {
                #expect(Optional(error.asPulseError).says(.unavailable, "chat template cannot be used"))
                refused += 1
            }
        }
        #expect(refused > 100 && refused < 1500)
    }

    // MARK: - Models' templates

    private static let fixtures =
        ((try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [])
        .filter { $0.pathExtension == "jinja" }

    @Test func modelsTemplatesAreFilledAsTheirMakersMeant() throws {
        #expect(Self.fixtures.count >= 7)
        for file in Self.fixtures {
            let expected = try String(
                contentsOf: file.deletingPathExtension().appendingPathExtension("txt"), encoding: .utf8)
            #expect(
                try Self.prompt(try String(contentsOf: file, encoding: .utf8)) == expected, "\(file.lastPathComponent)")
        }
    }

    /// The folder `models/templates` of llama.cpp's sources.
    private static let collection: [URL] = {
        let path = ProcessInfo.processInfo.environment["LLAMA_TEMPLATES"] ?? ""
        let files = try? FileManager.default.contentsOfDirectory(
            at: URL(fileURLWithPath: path), includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "jinja" }.sorted { $0.path < $1.path }
    }()

    @Test(.enabled(if: !collection.isEmpty, "LLAMA_TEMPLATES names no folder with llama.cpp's models/templates"))
    func everyTemplateOfLlamaCppIsFilledAsByJinja() throws {
        guard let prompts = try Self.byJinja(Self.collection) else { return }
        var equal = 0
        for file in Self.collection {
            let name = file.lastPathComponent
            let expected = try #require(prompts[name])
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            let ours = Result { try Self.prompt(text) }.mapError(\.asPulseError)
            switch (ours, expected) {
            case (.success(let prompt), let expected?):
                #expect(prompt == expected, "\(name)")
                if prompt == expected { equal += 1 }
            case (.failure(let error), nil): print("\(name): refused: \(error.cause ?? "")")
            case (.failure(let error), _?): Issue.record("\(name): \(error.cause ?? "")")
            case (.success, nil): Issue.record("\(name): Jinja refuses it")
            }
        }
        print("\(equal) of \(Self.collection.count) templates equal")
        #expect(equal * 70 >= Self.collection.count * 66)
    }

    /// Nil where there is no Python with Jinja2.
    private static func byJinja(_ files: [URL]) throws -> [String: String?]? {
        let program = ["python3", folder.appendingPathComponent("render.py").path]
        let (status, data) = try output(of: "/usr/bin/env", program + files.map(\.path), isQuiet: true)
        guard status == 0 else {
            print("Not compared: python3 has no jinja2.")
            return nil
        }
        return try JSONDecoder().decode([String: String?].self, from: data)
    }

    // MARK: - Thoughts

    private func end(_ source: String) throws -> (end: String, mayThink: Bool) {
        let filled = try ChatTemplate(source: source).fill(Self.messages)
        return (filled.pieces.last?.text ?? "", filled.mayThink)
    }

    private static let turns = "{% for m in messages %}{{ m.content }}{% endfor %}"

    @Test func aThoughtThatTheTemplateOpensIsEnded() throws {
        let split = Self.turns + "{{ 'x'.split('</think>')[0] }}"
        #expect(try end(split + "A:<think>{{ '\\n' }}").end == "xA:<think>\n\n</think>\n\n")
        #expect(try end(split + "A:<think>").end == "xA:<think></think>")
        #expect(try !end(split + "A:<think>{{ '\\n' }}").mayThink)
        #expect(try end(Self.turns + "A:<think>").end == "A:<think></think>")
        #expect(try !end(split + "A:<think>\n\n</think>\n\n").mayThink)
        #expect(try end(split + "{{ '<think>'[:0] }}A:").mayThink)
        #expect(try !end(Self.turns + "A:").mayThink)
    }

    @Test func theChannelOfTheAnswerIsChosenForTheModel() throws {
        let source = try String(
            contentsOf: Self.folder.appendingPathComponent("openai-gpt-oss-120b.jinja"), encoding: .utf8)
        #expect(try end(source).end.hasSuffix("<|end|><|start|>assistant<|channel|>final<|message|>"))
    }

    private func read(_ pieces: [(piece: String, spelled: String)]) -> (text: String, thought: Int) {
        var reader = ThoughtReader()
        var bytes: [UInt8] = []
        for (piece, spelled) in pieces { bytes += reader.add(Array(piece.utf8), spelled: Array(spelled.utf8)) }
        bytes += reader.finish()
        return (String(decoding: bytes, as: UTF8.self), reader.tokens)
    }

    @Test(arguments: ThoughtMarks.known) func thoughtsAreReadPast(marks: ThoughtMarks) {
        let answer = "Rain <b> fell. </think> stays."
        let whole = "\n" + marks.opening + "\nHm, < and [ and <|.\n" + marks.closing + "\n\n" + answer
        for size in [1, 2, 3, 7, 1000] {
            let letters = Array(whole)
            let pieces = stride(from: 0, to: letters.count, by: size).map { start in
                String(letters[start..<min(start + size, letters.count)])
            }
            #expect(read(pieces.map { ($0, $0) }).text == answer)
        }
        let byControlTokens = read([
            ("", marks.opening), ("Hm", "Hm"), ("", marks.closing), ("\n", "\n"), ("Rain", "Rain"), (".", "."),
        ])
        #expect(byControlTokens.text == "Rain." && byControlTokens.thought == 3)
        #expect(read([("Hm", marks.opening), ("Hm", "Hm")]).text == "")
    }

    @Test func oneTokenMayHoldManyThoughts() {
        let thoughts = String(repeating: "<think></think>", count: 50_000)
        #expect(read([(thoughts + "Rain", thoughts + "Rain")]).text == "Rain")
    }

    @Test(arguments: ["Rain fell.", " Rain", "<", "<thin", "< think>", "[1]", "", "<b>x</b>", "\n\nRain"])
    func anAnswerWithoutAThoughtStaysAsItIs(text: String) {
        #expect(read(text.map { (String($0), String($0)) }).text == text)
        #expect(read([(text, text)]).thought == 0)
    }
}

extension ChatTemplate.Piece {
    var text: String {
        switch self {
        case .markup(let text), .content(let text): text
        }
    }
}
