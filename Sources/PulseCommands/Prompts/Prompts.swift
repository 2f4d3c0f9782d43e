import PulseApp
import PulseCore
import PulseDigest
import PulsePlatform
import PulseRendering
import PulseText

extension Command {
    static let prompts = Command(
        "prompts", summary: "what a model is asked: list, show, path, edit, diff, reset",
        details: """
            PROMPT is a task and the language of the articles: digest.en, summary.pt; digest alone is the one in your \
            language. Your own version is stored beside the settings, and is used instead of the one that came with \
            the program. How to write prompts: prompts/README.md.
            """, implied: "list",
        subcommands: [
            Command(
                "list", summary: "list the prompts, and which of them are your own",
                options: [.format([.text, .json])], resolving: { $0.settings.format == .json }
            ) { context in
                let rows = try EditablePrompt.all(in: context.locations).map(PromptRow.init)
                try await context.page(
                    isJSON: context.arguments, JSONText.render(["prompts": rows]),
                    rows.map { $0.line(in: context.style) }.joined())
            },
            Command(
                "show", operands: "PROMPT", arity: 1...1, summary: "print a prompt", resolving: \.settings.language
            ) { context in
                try await context.page(PlainText.printable(context.prompt(context.operands[0]).current().text))
            },
            Command(
                "path", operands: "PROMPT", arity: 1...1, summary: "print the path of the file that is used",
                resolving: \.settings.language
            ) { context in
                try context.console.write(context.prompt(context.operands[0]).current().path + "\n")
            },
            Command(
                "edit", operands: "PROMPT", arity: 1...1,
                summary: "open your own version in your editor, and check it afterwards",
                details: """
                    If you have no version of your own yet, you edit a copy of the one that came with the program. If \
                    you leave the copy unchanged, it is deleted.
                    """, resolving: \.settings.language
            ) { context in
                try await context.edit(context.prompt(context.operands[0]))
            },
            Command(
                "diff", operands: "[PROMPT]", arity: 0...1,
                summary: "compare your own with what came with the program", resolving: \.settings.language
            ) { context in
                try await context.printDifferences(of: context.operands.first.map(context.prompt))
            },
            Command(
                "reset", operands: "PROMPT", arity: 1...1, summary: "go back to the one that came with the program",
                details: """
                    Your own text is kept in a file beside it.
                    """, resolving: \.settings.language
            ) { context in
                let prompt = try context.prompt(context.operands[0])
                let kept = try prompt.reset()
                context.note("\(prompt.name) is as it came with the program.")
                if let kept { context.note("Your text is kept: \(PlainText.line(kept))") }
            },
        ]
    ).withoutHistory().workingWithFaultySettings()
}

extension PromptTemplate.Job {
    var meaning: Message {
        switch self {
        case .digest: "a story of the digest"
        case .summary: "the summary of one article"
        case .several: "one text about several articles"
        case .ask: "the answer to a question"
        }
    }
}

private struct PromptRow: Encodable {
    let name: String
    let meaning: Message
    /// Whether the user has their own version, and whether the program's has changed since then.
    let isOwn, isOutdated: Bool
    /// The file in use.
    let path: String

    private enum CodingKeys: String, CodingKey { case name, meaning, isOwn = "own", isOutdated = "outdated", path }

    init(_ prompt: EditablePrompt) throws {
        (name, meaning, path) = (prompt.name, prompt.job.meaning, try prompt.current().path)
        (isOwn, isOutdated) = (try prompt.own() != nil, try prompt.isOutdated())
    }

    func line(in style: TextStyle) -> String {
        let state: Message = !isOwn ? "unchanged" : isOutdated ? "your own; a newer one came" : "your own"
        let text = "\(name.padding(to: 11))  \(style.text(meaning)) (\(style.text(state)))"
        let line = style.tableWidth.map { DisplayWidth.clip(text, to: $0) } ?? text
        return (isOwn ? line : style.dim(line)) + "\n"
    }
}

extension CommandContext<Language> {
    fileprivate func prompt(_ name: String) throws -> EditablePrompt {
        try .named(name, or: arguments, in: locations)
    }

    fileprivate func edit(_ prompt: EditablePrompt) async throws {
        noteIfOutdated(prompt)
        let (shipped, own) = (ShellWord.quoted(try prompt.current().path), ShellWord.quoted(prompt.ownPath))
        try prompt.copy(in: app)
        let before = try prompt.own()
        do {
            try await edit(
                prompt.ownPath, by: "prompts edit",
                otherwise: shipped == own ? "Change this file: \(own)" : "To change a copy: cp \(shipped) \(own)")
        } catch {
            _ = try prompt.discardCopy()
            throw error
        }
        if try prompt.discardCopy() { return note("\(prompt.name) is as it came with the program.") }
        // The user has been told of a newer file.
        if try prompt.own() != before { try prompt.remember() }
        try prompt.check()
        noteOnTerminal("\(prompt.name) is your own now: \(PlainText.line(prompt.ownPath))")
    }

    private func noteIfOutdated(_ prompt: EditablePrompt) {
        guard (try? prompt.isOutdated()) == true else { return }
        note("Another \(prompt.name) has come with the program since you made your own: pulse-digest prompts diff")
    }

    /// - Parameter named: Nil: all of the user's own.
    fileprivate func printDifferences(of named: EditablePrompt?) async throws {
        var text = ""
        for prompt in named.map({ [$0] }) ?? EditablePrompt.all(in: locations) {
            guard let difference = try prompt.difference() else { continue }
            noteIfOutdated(prompt)
            text += PlainText.printable(difference)
        }
        if !text.isEmpty { return try await page(text) }
        note(
            named.map { "\($0.name) is as it came with the program." }
                ?? "All prompts are as they came with the program. To change one: pulse-digest prompts edit PROMPT")
    }
}
