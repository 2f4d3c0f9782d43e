import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseInference

/// A model's file is from anywhere. What its template and its header cost grows with them, up to a limit that is soon
/// reached.
@Suite(.timeLimit(.minutes(20))) struct GrowthTests {
    // MARK: - Templates

    private static func run(_ source: String) {
        let template = try? ChatTemplate(source: source)
        _ = try? template?.fill([
            ChatMessage(role: .system, text: String(repeating: "Be brief. ", count: 40)),
            ChatMessage(role: .user, text: String(repeating: "Hello. ", count: 400)),
        ])
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static func template(
        _ name: String, from start: Int = 64, to largest: Int = 1 << 16, _ make: @escaping @Sendable (Int) -> String
    ) -> GrowthCase {
        GrowthCase(name, from: start, to: largest, limit: 30, make, run)
    }

    private static let doubled =
        "{% set ns = namespace(a=['xxxxxxxx']) %}{% for i in range(38) %}"
        + "{% set ns.a = [ns.a, ns.a] %}{% endfor %}"
    /// A list of 2^17 times one text of 300 kB.
    private static let listed =
        "{% set t = 'X' * 300000 %}{% set ns = namespace(a=[t]) %}{% for i in range(17) %}"
        + "{% set ns.a = ns.a + ns.a %}{% endfor %}"

    static let templates: [GrowthCase] = [
        template("a huge key") { "\(doubled){% for i in range(\($0)) %}{{ {}[ns.a] }}{% endfor %}" },
        template("a huge name") { "\(doubled){% for i in range(\($0)) %}{{ ns[ns.a] }}{% endfor %}" },
        template("a huge attribute") {
            "\(doubled){{ ([{}] * 1) }}{% for i in range(\($0)) %}{{ [{}] | map(attribute=ns.a) | list }}{% endfor %}"
        },
        template("huge lists compared") { "\(doubled){% for i in range(\($0)) %}{{ ns.a == ns.a }}{% endfor %}" },
        template("a long text sorted") { "\(listed){% set b = ns.a[:\($0)] | sort %}" },
        template("a long text joined") { "\(listed){% set b = ns.a[:\($0)] | join %}" },
        template("long texts formatted") {
            "{% set t = 'x' * 300000 %}{{ '\(repeated("{}", $0))'.format(\(repeated("t, ", $0))) | length }}"
        },
        template("a text searched for one that nearly occurs", to: 1 << 21) {
            "{% set t = 'a' * \($0) %}{% set p = 'a' * (\($0) // 2) + 'b' %}{{ p in t }}{{ t.find(p) }}{{ t.split(p) | length }}"
        },
        template("a text searched often") {
            "{% set t = 'a' * 300000 %}{% set p = t[1:] + 'b' %}{% for i in range(\($0)) %}{{ p in t }}{% endfor %}"
        },
        template("long keys that are nearly equal") {
            "{% set x = 'x' * 300000 %}{% set a = x + 'x' %}{% set b = x + 'y' %}{% set d = {\(repeated("a: 1, ", $0))} %}{% for i in range(40) %}{{ d[b] }}{% endfor %}"
        },
        template("keys looked up in many") {
            "{% set d = {\((0..<$0).map { "'k\($0)': \($0)" }.joined(separator: ", "))} %}{% for k in d %}{{ d[k] }}{% endfor %}"
        },
        template("dictionaries compared") {
            "{% set d = {\((0..<$0).map { "'k\($0)': \($0)" }.joined(separator: ", "))} %}{{ d == d }}"
        },
        template("endings of a list") {
            "\(listed){% set t = 'a' + 'X' * 300000 %}{{ t.endswith(ns.a[:\($0)]) }}{{ t.startswith(ns.a[:\($0)]) }}"
        },
        template("characters to strip") {
            "{% set t = 'a' * 1000000 %}{% for i in range(\($0)) %}{{ ''.strip(t) }}{% endfor %}"
        },
        template("a message repeated") {
            "{{ messages[0].content }}{% for i in range(\($0)) %}{{ messages[1].content }}{% endfor %}"
        },
        template("text around the messages", to: 1 << 22) {
            "{% for m in messages %}{{ m.content }}{% endfor %}{{ 'word ' * \($0) }}"
        },
        template("filters that map filters") { "{{ 'a' | map(\(repeated("'map', ", $0))'trim') | list }}" },
        template("a macro that calls itself") { _ in "{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}" },
        template("named arguments") { count in
            let names = (0..<count).map { "a\($0)=1" }.joined(separator: ", ")
            return "{% macro m(\(names)) %}{% endmacro %}{% for i in range(999) %}{{ m(\(names)) }}{% endfor %}"
        },
        template("namespaces that are kept", to: 1 << 20) {
            "{% set ns = namespace(a=0) %}{% for i in range(\($0)) %}{% set ns.a = namespace(a=ns.a) %}{% endfor %}"
        },
        // Its number of rounds is the square of what it names, until the budget ends it.
        template("loops in loops", from: 1 << 10, to: 1 << 20) {
            "{% for i in range(\($0)) %}{% for j in range(\($0)) %}{% if i == j %}{% endif %}{% endfor %}{% endfor %}"
        },
        template("a long name looked up") {
            "{% for i in range(99999) %}{{ \(repeated("n", $0)) }}{% endfor %}"
        },
        template("JSON in JSON", to: 1 << 12) {
            "{% set ns = namespace(a='\"') %}{% for i in range(\($0)) %}{% set ns.a = [ns.a] | tojson(indent=16) %}{% endfor %}"
        },
        template("tags that do not end") { repeated("{{ ", $0) },
        template("blocks that do not end") { repeated("{% if x %}", $0) },
        template("comments that do not end") { repeated("{# ", $0) },
        template("comments") { repeated("{# #}", $0) },
        template("white space before tags") { repeated("   \n   {%- if x -%}\n{% endif %}", $0) },
        template("strings one after another") { "{{ \(repeated("'a' ", $0)) }}" },
        template("brackets") { "{{ \(repeated("[", $0)) }}" },
        template("a chain of texts") { "{{ 'a'\(repeated(" + 'b'", $0)) }}" },
        template("conditions") { "{% if false %}\(repeated("{% elif false %}", $0)){% endif %}" },
        template("a letter with many marks", to: 1 << 17) {
            "{{ ('a\(repeated("\u{301}", $0))' ~ ['\(repeated("\u{301}", $0))']) | title | length }}"
        },
    ]

    @Test(arguments: templates) func templatesCostWhatTheyAreCharged(shape: GrowthCase) throws { try shape.check() }

    // MARK: - Headers

    private static func file(_ fill: (inout GGUFWriter) -> Void) -> Data {
        var writer = GGUFWriter()
        fill(&writer)
        return writer.data()
    }

    private static func keys(_ count: Int) -> Data {
        file { $0.metadata = (0..<count).map { ("key.\($0)", .uint32(1)) } }
    }

    private static func tensors(_ names: [String]) -> Data {
        file { $0.tensors = names.map { .init(name: $0, dimensions: [1], values: [0]) } }
    }

    private static func strings(_ strings: [String], _ key: String = "tokenizer.ggml.tokens") -> Data {
        file { $0.set(key, .strings(strings)) }
    }

    private static func header(
        _ name: String, to largest: Int, _ make: @escaping @Sendable (Int) -> Data
    ) -> GrowthCase {
        .of(name, to: largest, make, { _ = try? GGUFHeader($0) })
    }

    static let headers: [GrowthCase] = [
        header("keys", to: 1 << 14) { keys($0) },
        header("tensors", to: 1 << 14) { count in tensors((0..<count).map { "t\($0)" }) },
        header("tokens", to: 1 << 18) { count in strings((0..<count).map { "t\($0)" }) },
        header("one token again and again", to: 1 << 18) { strings(Array(repeating: "token", count: $0)) },
        header("a long text", to: 1 << 24) { count in
            file { $0.set("general.architecture", .string(repeated("llama", count))) }
        },
    ]

    @Test(arguments: headers) func headersAreReadOnce(shape: GrowthCase) throws { try shape.check() }

    /// libllama would compare each name with all before it.
    @Test func headersWithMoreThanAnyModelAreRefused() {
        for (file, excess) in [
            (Self.tensors((0..<8193).map { "t\($0)" }), "8193 tensors"), (Self.keys(4097), "4097 metadata"),
            (Self.strings(Array(repeating: "", count: (1 << 21) + 1), "general.tags"), "\((1 << 21) + 1) strings"),
            (Self.tensors([Self.repeated("t", 64)]), "a tensor's name of 64 bytes"),
        ] {
            #expect(throws: GGUFHeader.Fault.excess(excess)) { try GGUFHeader(file) }
        }
    }
}
