import PulseApp
import PulseCore
import PulseDigest
import PulseRendering
import PulseText

/// How a result is written out. A digest is in all of these ways, other results in some.
enum OutputFormat: String, Sendable, CaseIterable {
    case text, markdown, html, json, email, speech, atom
}

/// Whole documents, in the format asked for.
extension Context {
    func document(of digest: Digest) throws(PulseError) -> String {
        switch settings.format {
        case .text: DigestText.render(digest, style: style)
        case .markdown: DigestMarkdown.render(digest, timeZone: timeZone)
        case .html: DigestHTML.render(digest, timeZone: timeZone)
        case .json: DigestJSON.render(digest)
        case .email: try email(of: digest).text
        case .speech: SpeechText(digest, timeZone: timeZone).text
        case .atom: feed(of: digest)
        }
    }

    func document(of summary: Summary) -> String {
        switch settings.format {
        case .markdown: SummaryMarkdown.render(summary)
        case .json: SummaryJSON.render(summary)
        case .speech: SpeechText(summary).text
        // `summarize` takes no others.
        case .text, .html, .email, .atom: SummaryText.render(summary, style: style)
        }
    }

    /// A feed of this digest alone; `DigestOutput` writes one that grows.
    private func feed(of digest: Digest) -> String {
        var feed = feed(at: "-")
        feed.add(digest, timeZone: timeZone)
        return feed.text(in: settings.language)
    }

    /// The digest as a message to those it was asked for.
    private func email(of digest: Digest) throws(PulseError) -> EmailMessage {
        DigestEmail(from: settings.from, in: app).message(of: digest, to: try recipients())
    }

    /// Whom the digest is for.
    func recipients() throws(PulseError) -> [MailAddress] { try Reader.recipients(of: settings.to) }

    /// `--dry-run`: what a model would be asked, and what that costs.
    func print(_ list: PromptList) throws(PulseError) {
        for entry in list.prompts {
            try console.write(
                """
                === \(PlainText.line(entry.name)): \(entry.tokens) tokens
                --- system
                \(PlainText.printable(entry.prompt.system))
                --- user
                \(PlainText.printable(entry.prompt.user))


                """)
        }
        let tokens = list.prompts.reduce(0) { $0 + $1.tokens }
        try console.tell(
            "=== \(Counted.text(list.prompts.count, "prompt", "prompts")), \(tokens) tokens, by the tokenizer of "
                + "\(list.model); its context holds \(list.contextLength)\n")
    }

    /// Fails before the model has worked for nothing.
    func requireRecipients() throws(PulseError) {
        if settings.format == .email, !settings.isSpoken { _ = try recipients() }
    }
}
