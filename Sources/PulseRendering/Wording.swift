import PulseCore
import PulseText

/// A story's text. A publication's words are in quotation marks, a model's are not.
struct Wording: Sendable, Hashable {
    struct Run: Sendable, Hashable {
        let text: String
        /// Whether the model wrote it and the articles do not support it.
        var isDoubtful = false
        /// The quoted article, on the run that names its publication.
        var link: WebLink?
    }

    let runs: [Run]
    /// The same without quotation marks, for speech.
    let plain: String

    init(_ text: String) {
        runs = [Run(text: text)]
        plain = text
    }

    /// - Parameter source: The source named after a quotation; nil: none.
    init(
        _ sentences: [Sentence], _ quotation: QuotationMarks,
        from source: (Sentence) -> DigestOutline.Source? = { _ in nil }
    ) {
        var runs: [Run] = []
        var last = ""
        for sentence in sentences {
            let said = PlainText.line(sentence.text)
            guard !said.isEmpty else { continue }
            runs.append(Run(text: Sentence.gap(after: last)))
            last = said
            if sentence.isQuotation {
                let title = sentence.title.map { PlainText.line($0) + " — " } ?? ""
                runs.append(Run(text: title + quotation(said)))
                if let source = source(sentence) {
                    runs += [Run(text: " ("), Run(text: source.name, link: source.link), Run(text: ")")]
                }
            } else {
                // The ranges are of the original text. If cleaning has changed that, all of it is marked.
                let isSame = said == sentence.text
                runs += Wording.runs(
                    of: said, isSame ? sentence.doubtful ?? [] : sentence.doubtful.map { _ in [0..<said.count] } ?? [])
            }
        }
        self.runs = runs.filter { !$0.text.isEmpty }
        plain = PlainText.line(sentences.joinedText)
    }

    init(_ wordings: [Wording], separator: String) {
        runs = wordings.enumerated().flatMap { ($0 > 0 ? [Run(text: separator)] : []) + $1.runs }
        plain = wordings.map(\.plain).joined(separator: separator)
    }

    private static func runs(of text: String, _ doubtful: [Range<Int>]) -> [Run] {
        var runs: [Run] = []
        var rest = text[...]
        var position = 0
        for range in doubtful where range.lowerBound >= position {
            runs.append(Run(text: String(rest.prefix(range.lowerBound - position))))
            rest = rest.dropFirst(range.lowerBound - position)
            runs.append(Run(text: String(rest.prefix(range.count)), isDoubtful: true))
            rest = rest.dropFirst(range.count)
            position = range.upperBound
        }
        return runs + [Run(text: String(rest))]
    }

    /// The text as it is shown, without signs for unsupported words.
    var text: String { runs.map(\.text).joined() }

    /// The same with `[?]` after unsupported words, where underlining is impossible.
    var marked: String { runs.map { $0.isDoubtful ? $0.text + " [?]" : $0.text }.joined() }
}
