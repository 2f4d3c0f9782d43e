import Foundation
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct FormatTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try .withSample() }

    private func today(_ options: String...) throws -> Outcome {
        try run("today --category world", options)
    }

    @Test func everyFormatIsItself() throws {
        for (format, beginning, part) in [
            ("markdown", "# Your digest, ", "\n## World\n\n"),
            ("html", "<!DOCTYPE html>\n<html lang=\"en\">", "</html>\n"), ("json", "{\n", "\n}\n"),
            ("speech", "Your digest, ", "\nWorld.\n"), ("text", "Your digest, ", "\nWorld\n"),
            ("atom", "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed ", "&lt;h2 id="),
        ] {
            let outcome = try today("--format", format).ends(0, printing: part, errors: "")
            #expect(outcome.output.hasPrefix(beginning), "\(format)")
        }
    }

    @Test func aMailIsWhole() throws {
        let outcome = try today(
            "--format", "email", "--to", "Ana <ana@example.org>", "--to", "b@example.org, ANA@example.org", "--from",
            "pulse@box.example")
        outcome.ends(0, errors: "")
        let header = outcome.output.components(separatedBy: "\n\n")[0]
        #expect(header.hasPrefix("Date: "))
        #expect(header.contains("\nFrom: pulse@box.example\n"))
        // Each once.
        #expect(header.contains("\nTo: Ana <ana@example.org>, b@example.org\n"))
        #expect(header.contains("\nSubject: Your digest, "))
        #expect(outcome.output.contains("Content-Type: text/html; charset=utf-8\n"))
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.utf8.count <= 78 })
        #expect(!outcome.output.contains("\r"))
    }

    @Test func theSettingsMayNameThem() throws {
        try sandbox.configure("{ to: ['ana@example.org', 'b@example.org'], from: 'c@example.org', format: 'email' }")
        try today().ends(nil, printing: "\nFrom: c@example.org\nTo: ana@example.org, b@example.org\n")
        // A summary is no mail, and is told as text.
        #expect(try run("summarize https://theplot.example/2026/leaf-mould").output.hasPrefix("Leaf mould"))
        try sandbox.configure("{ to: 'nobody' }")
        try today().ends(78, "“to” in ", "no @")
    }

    @Test func anEmptyDayIsNoDocument() throws {
        for format in ["text", "markdown", "html", "json", "email --to ana@example.org", "speech", "atom"] {
            try run("today --hours 0.01 --format \(format)").ends(0, output: "", errors: "")
        }
    }

    @Test func aSummaryIsTextMarkdownOrJSON() throws {
        let article = "https://theplot.example/2026/leaf-mould"
        let markdown = try run("summarize", article, "--format", "markdown").ends(0).output
        let title = "Leaf mould: the best thing you will ever make by doing nothing"
        #expect(markdown.hasPrefix("# [\(title)](<\(article)>)\n"))
        #expect(try run("summarize", article, "--format", "json").output.hasPrefix("{\n"))
    }
}
