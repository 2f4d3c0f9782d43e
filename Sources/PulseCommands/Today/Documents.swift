import PulseCore
import PulseRendering

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
    func email(of digest: Digest) throws(PulseError) -> EmailMessage {
        try email(of: digest, to: recipients())
    }

    /// The digest as a message.
    ///
    /// - Parameter to: At least one.
    func email(of digest: Digest, to: [MailAddress]) -> EmailMessage {
        let from = settings.from ?? Sender.address(environment: environment)
        return EmailMessage(digest, from: from, to: to, timeZone: timeZone)
    }

    /// The digest as far as it fits into a mail, whatever feeds have brought: some programs cut what is longer, and some
    /// servers refuse it. What does not fit is counted, with the command that lists it.
    func fitting(_ digest: Digest, to: [MailAddress]) -> Digest {
        func fits(_ digest: Digest) -> Bool { email(of: digest, to: to).text.utf8.count <= Self.longestMail }
        if fits(digest) { return digest }
        let most = max(0, digest.stories.count - 1)
        // What gives way: long links, then the stories that take most room, then who else tells them.
        for readings in [Int.max, 1] {
            func cut(_ stories: Int) -> Digest {
                digest.cut(largest: stories, mostReadings: readings, longestLink: Self.longestLink)
            }
            guard fits(cut(most)) else { continue }
            var (least, enough) = (0, most)
            while least < enough {
                let middle = (least + enough) / 2
                if fits(cut(middle)) { enough = middle } else { least = middle + 1 }
            }
            return cut(least)
        }
        return digest.cut(largest: most, mostReadings: 1, longestLink: Self.longestLink)
    }

    /// In bytes.
    private static let longestMail = 200_000
    private static let longestLink = 500

    /// Fails before the model has worked for nothing.
    func requireRecipients() throws(PulseError) {
        if settings.format == .email, !settings.isSpoken { _ = try recipients() }
    }

    /// Whom the digest is for, each once.
    func recipients() throws(PulseError) -> [MailAddress] {
        var seen: Set<String> = []
        let all = settings.to.filter { seen.insert($0.key).inserted }
        guard !all.isEmpty else {
            throw PulseError(.usage, "No recipient.", hint: "Use --to ADDRESS, such as --to ana@example.org.")
        }
        return all
    }
}
