import PulseCore

/// A prompt file: sections that start with `# name`, with `{{placeholders}}` in their text. The whole syntax:
///
/// - `<!--` … `-->` at the top of the file is a comment.
/// - A line `# system`, `# user`, `# update`, `# article` or `# passage` starts a section. Blank lines around a
///   section's text are removed.
/// - `{{name}}` stands for a value. Values are not parsed, so an article that contains `{{title}}` or `# user` is just
///   text.
public struct PromptTemplate: Sendable, Hashable {
    /// The uses of prompt files, each with its sections and placeholders.
    public enum Job: String, Sendable, CaseIterable {
        case digest, summary, several, ask

        /// The known placeholders of each section.
        var placeholders: [String: Set<String>] {
            switch self {
            case .digest:
                [
                    "system": ["category", "words"], "user": ["category", "articles", "count", "words"],
                    "update": ["category", "articles", "count", "known", "words"],
                    "article": ["number", "title", "source", "text"],
                ]
            case .summary:
                ["system": ["category"], "user": ["category", "title", "source", "text"]]
            case .several, .ask:
                [
                    "system": [],
                    "user": self == .ask ? ["passages", "question", "count"] : ["passages", "count"],
                    "passage": ["number", "title", "source", "date", "text"],
                ]
            }
        }

        /// The required placeholders: without them, the model would not see its material.
        var required: [String: Set<String>] {
            switch self {
            case .digest: ["user": ["articles"], "update": ["articles", "known"], "article": ["text"]]
            case .summary: ["user": ["text"]]
            case .several: ["user": ["passages"], "passage": ["text"]]
            case .ask: ["user": ["passages", "question"], "passage": ["text"]]
            }
        }
    }

    enum Piece: Sendable, Hashable {
        case text(String)
        case placeholder(String)
    }

    public let job: Job
    /// The file's content.
    public let text: String
    let sections: [String: [Piece]]

    /// - Parameter path: The file's path, for messages.
    /// - Throws: `.configuration` for the first error, with its line.
    public init(job: Job, parsing text: String, from path: String) throws {
        self.job = job
        self.text = text
        let file = File(path: path)
        var sections: [String: [Piece]] = [:]
        for (name, start, lines) in try file.sections(of: text) {
            guard let allowed = job.placeholders[name] else {
                let known = job.placeholders.keys.sorted().map { "# \($0)" }.joined(separator: ", ")
                throw file.error(start, "the section “# \(name)” is not known here; there are \(known).")
            }
            guard sections[name] == nil else {
                throw file.error(start, "the section “# \(name)” appears twice.")
            }
            sections[name] = try file.pieces(of: lines, from: start + 1, allowed: allowed)
        }
        for (section, names) in job.required.sorted(by: { $0.key < $1.key })
        // Without an update section, updates are asked about like any story.
        where section != "update" || sections[section] != nil {
            for name in names.sorted() where !sections[section, default: []].contains(.placeholder(name)) {
                throw file.error(nil, "the section “# \(section)” must contain {{\(name)}}.")
            }
        }
        self.sections = sections
    }

    func has(_ section: String) -> Bool { sections[section] != nil }

    /// A section with its values inserted; empty if the file has no such section.
    func fill(_ section: String, with values: [String: String]) -> String {
        sections[section, default: []].map { piece in
            switch piece {
            case .text(let text): text
            case .placeholder(let name): values[name, default: ""]
            }
        }.joined()
    }
}

/// A prompt file during parsing.
private struct File {
    let path: String

    /// - Parameter line: From 1; nil if something is missing.
    func error(_ line: Int?, _ message: Message) -> PulseError {
        let name = path.split(separator: "/").last.map { $0.hasSuffix(".md") ? $0.dropLast(3) : $0 } ?? ""
        let hint: Message =
            "Correct it (pulse-digest prompts edit \(name)), or go back to the one that came with the program, with your text kept (pulse-digest prompts reset \(name))."
        guard let line else {
            return PulseError(.configuration, "The prompt cannot be used: in \(path), \(message)", hint: hint)
        }
        return PulseError(
            .configuration, "The prompt cannot be used: in \(path), line \(line), \(message)", hint: hint)
    }

    func sections(of text: String) throws -> [(name: String, line: Int, lines: [Substring])] {
        var sections: [(name: String, line: Int, lines: [Substring])] = []
        /// The line on which an unfinished comment began.
        var note: Int?
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if sections.isEmpty, note != nil || line.hasPrefix("<!--") {
                note = line.contains("-->") ? nil : note ?? index + 1
                continue
            }
            if line.hasPrefix("# ") {
                let name = line.dropFirst(2).filter { !$0.isWhitespace }
                sections.append((String(name), index + 1, []))
            } else if !sections.isEmpty {
                sections[sections.count - 1].lines.append(line)
            } else if !line.allSatisfy(\.isWhitespace) {
                throw error(index + 1, "text before the first section; start with a line “# system”.")
            }
        }
        if let note { throw error(note, "the note that starts with <!-- is never closed with -->.") }
        return sections
    }

    func pieces(of lines: [Substring], from firstLine: Int, allowed: Set<String>) throws -> [PromptTemplate.Piece] {
        var pieces: [PromptTemplate.Piece] = []
        var text = ""
        let first = lines.firstIndex { !$0.allSatisfy(\.isWhitespace) } ?? lines.endIndex
        let last = lines.lastIndex { !$0.allSatisfy(\.isWhitespace) } ?? lines.startIndex
        guard first <= last, first < lines.endIndex else { return [] }
        for index in first...last {
            if index > first { text += "\n" }
            var rest = lines[index][...]
            while let open = rest.firstRange(of: "{{") {
                guard let close = rest[open.upperBound...].firstRange(of: "}}") else {
                    throw error(firstLine + index, "“{{” without “}}”.")
                }
                let name = rest[open.upperBound..<close.lowerBound].filter { !$0.isWhitespace }
                guard allowed.contains(name) else {
                    let known = allowed.sorted().map { "{{\($0)}}" }.joined(separator: ", ")
                    throw error(firstLine + index, "{{\(name)}} is not known in this section; there are \(known).")
                }
                text += rest[..<open.lowerBound]
                if !text.isEmpty { pieces.append(.text(text)) }
                text = ""
                pieces.append(.placeholder(name))
                rest = rest[close.upperBound...]
            }
            text += rest
        }
        if !text.isEmpty { pieces.append(.text(text)) }
        return pieces
    }
}
