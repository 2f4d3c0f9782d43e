public import PulseCore
import PulseText

/// A finding of `doctor`.
public struct DoctorFinding: Sendable, Hashable, Encodable {
    public enum Status: String, Sendable, Hashable, CaseIterable, Encodable {
        case ok, warning, problem

        fileprivate var name: Message {
            switch self {
            case .ok: "ok"
            case .warning: "warning"
            case .problem: "problem"
            }
        }
    }

    /// A word with a translation: `model`.
    public let subject: String
    public let status: Status
    /// What was found, and what the user can do.
    public let text: Message
    /// The exit code of a command that would fail because of it; nil: none would.
    public let exitCode: Int32?

    public init(_ subject: String, _ status: Status, _ text: Message, exitCode: Int32? = nil) {
        self.subject = subject
        self.status = status
        self.text = text
        self.exitCode = exitCode
    }
}

/// Findings as lines: status, subject and text.
public enum DoctorText {
    public static func render(_ findings: [DoctorFinding], style: TextStyle) -> String {
        let subjects = findings.map { Message(stringLiteral: $0.subject) }
        let first = style.column(behind: DoctorFinding.Status.allCases.map(\.name))
        let second = style.column(behind: subjects)
        let lines = zip(findings, subjects).map { finding, subject in
            let status = style.text(finding.status.name).padding(to: first)
            let mark = finding.status == .ok ? style.dim(status) : style.bold(status)
            // Paths and messages are untrusted.
            let indent = first + second
            let text = style.paragraph(PlainText.line(style.text(finding.text)), indent: indent).dropFirst(indent)
            return mark + style.text(subject).padding(to: second) + text
        }
        return lines.joined() + "\n" + style.text(closing(findings)) + "\n"
    }

    private static func closing(_ findings: [DoctorFinding]) -> Message {
        let problems = findings.count { $0.status == .problem }
        let warnings = findings.count { $0.status == .warning }
        let counts = [
            problems > 0 ? Counted.text(problems, "problem", "problems") : nil,
            warnings > 0 ? Counted.text(warnings, "warning", "warnings") : nil,
        ].compactMap { $0 }
        return counts.isEmpty ? "All is well." : "\(counts.joined(separator: ", "))."
    }
}

/// Findings as JSON: one object with its keys in alphabetical order.
public enum DoctorJSON {
    public static func render(_ findings: [DoctorFinding]) -> String { JSONText.render(["findings": findings]) }
}
