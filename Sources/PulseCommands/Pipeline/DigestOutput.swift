import PulseCore
import PulseInference
import PulseRendering

/// Reads what the model writes, and writes the digest to the output: as text, a sentence at a time, or as one document
/// when it is whole. Sections are shown in order, in whatever order their events come.
struct DigestOutput {
    private let context: Context
    private let status: StatusLine
    private var text: DigestText
    private var prompts: [DigestPrompt] = []
    /// One a section: what its model wrote, checked.
    private(set) var answers: [CheckedAnswer] = []
    private var finished: Set<Int> = []
    /// The section that is being shown, and how many of its sentences are.
    private var shown = (section: 0, sentences: 0)

    init(context: Context, status: StatusLine) {
        self.context = context
        self.status = status
        self.text = DigestText(style: context.style, language: context.settings.language)
    }

    private var isStreamed: Bool { context.settings.format == .text }

    mutating func begin(
        _ prompts: [DigestPrompt], writing: CheckedAnswer.Writing, period: Period
    ) throws(Failure) {
        self.prompts = prompts
        answers = prompts.map { CheckedAnswer($0.readings.map(\.article), writing: writing) }
        guard isStreamed else { return }
        let readings = prompts.flatMap(\.readings)
        try context.console.write(
            text.heading(
                date: context.now, period: period, articles: readings.count,
                omitted: prompts.reduce(0) { $0 + $1.omitted }, sources: readings.sourceCount,
                categories: prompts.count))
    }

    /// Takes what the engine tells about the prompt of this number.
    mutating func take(_ event: GenerationEvent, of index: Int) throws(Failure) {
        switch event {
        case .reading(let tokens, let all):
            let title = prompts[index].category.title
            status.show("\(title) (\(index + 1) of \(prompts.count)): reading, \(tokens) of \(all) tokens")
            return
        case .text(let piece): _ = answers[index].add(piece)
        case .finished(let completion):
            _ = answers[index].finish(isCut: completion.finish == .length)
            finished.insert(index)
        }
        if isStreamed { try show() }
    }

    mutating func end(_ digest: Digest) throws(Failure) {
        status.clear()
        if isStreamed {
            try context.console.write(text.closing(digest))
        } else {
            try context.console.write(DigestJSON.render(digest))
        }
    }

    /// Writes whatever may be shown now.
    private mutating func show() throws(Failure) {
        while shown.section < prompts.count {
            let index = shown.section
            let sentences = answers[index].sentences[shown.sentences...]
            let isFinished = finished.contains(index)
            // A heading comes with the first sentence below it, so that none stands there while the model still reads.
            if sentences.isEmpty, !isFinished { return }
            status.clear()
            if opened < index {
                opened = index
                try context.console.write(
                    text.sectionHeading(prompts[index].category, stories: prompts[index].stories))
            }
            for sentence in sentences { try context.console.write(text.sentence(sentence)) }
            shown.sentences += sentences.count
            guard isFinished else { return }
            try context.console.write(text.sectionEnd(omitted: prompts[index].omitted))
            shown = (index + 1, 0)
        }
    }

    /// The number of the last section whose heading is out.
    private var opened = -1
}
