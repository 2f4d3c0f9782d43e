import PulseCore
import PulseText

/// What `doctor` found about one subject.
public struct Finding: Sendable, Hashable {
    public enum Status: String, Sendable, Hashable, CaseIterable { case ok, warning, problem }

    /// In a word: `model`.
    public let subject: String
    public let status: Status
    /// What was found, and what to do about it.
    public let text: String
    /// The exit code that a command would end with because of it; nil where it would not fail.
    public let exitCode: Int32?

    public init(_ subject: String, _ status: Status, _ text: String, exitCode: Int32? = nil) {
        self.subject = subject
        self.status = status
        self.text = text
        self.exitCode = exitCode
    }
}

/// Findings as lines: status, subject and text.
public enum FindingText {
    public static func render(_ findings: [Finding], style: TextStyle) -> String {
        let subject = (findings.map(\.subject.count).max() ?? 0) + 2
        let lines = findings.map { finding in
            let status = finding.status.rawValue.padding(to: 9)
            let mark = finding.status == .ok ? style.dim(status) : style.bold(status)
            // Paths and messages may quote anything.
            let indent = 9 + subject
            let text = style.paragraph(PlainText.line(finding.text), indent: indent).dropFirst(indent)
            return mark + finding.subject.padding(to: subject) + text
        }
        return lines.joined() + "\n" + closing(findings) + "\n"
    }

    private static func closing(_ findings: [Finding]) -> String {
        let problems = findings.count { $0.status == .problem }
        let warnings = findings.count { $0.status == .warning }
        let counts = [
            problems > 0 ? Counted.text(problems, "problem", "problems") : nil,
            warnings > 0 ? Counted.text(warnings, "warning", "warnings") : nil,
        ].compactMap { $0 }
        return counts.isEmpty ? "All is well." : counts.joined(separator: ", ") + "."
    }
}

/// Findings as JSON: one object, its keys in alphabetical order.
public enum FindingJSON {
    public static func render(_ findings: [Finding]) -> String {
        JSONText.render(Document(findings: findings.map(Entry.init)))
    }

    private struct Document: Encodable { let findings: [Entry] }

    private struct Entry: Encodable {
        let subject, status, text: String
        let exitCode: Int32?

        private enum CodingKeys: String, CodingKey {
            case subject, status, text
            case exitCode = "exit_code"
        }

        init(_ finding: Finding) {
            subject = finding.subject
            status = finding.status.rawValue
            text = finding.text
            exitCode = finding.exitCode
        }
    }
}
