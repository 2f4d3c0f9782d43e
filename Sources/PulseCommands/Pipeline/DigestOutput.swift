import PulseCore
import PulseInference
import PulseRendering

/// Reads what the model writes, and writes the digest to the output: as text, a sentence at a time, or as one document
/// when it is whole.
struct DigestOutput {
    private let context: Context
    private let status: StatusLine
    private var text: DigestText
    private var prompts: [DigestPrompt] = []
    /// One a section: what its model wrote, checked.
    private(set) var answers: [CheckedAnswer] = []

    init(context: Context, status: StatusLine) {
        self.context = context
        self.status = status
        self.text = DigestText(style: context.style, language: context.settings.language)
    }

    private var isStreamed: Bool { context.settings.format == .text }

    mutating func begin(
        _ prompts: [DigestPrompt], writing: CheckedAnswer.Writing, period: Period, muted: Int, daysInARow: Int
    ) throws(Failure) {
        self.prompts = prompts
        answers = prompts.map { CheckedAnswer($0.readings.map(\.article), writing: writing) }
        guard isStreamed else { return }
        try context.console.write(
            text.heading(
                DigestOverview(
                    date: context.now, period: period, prompts: prompts, muted: muted, daysInARow: daysInARow)))
    }

    /// Takes what the engine tells about the prompt of this number; the prompts come in order.
    mutating func take(_ event: GenerationEvent, of index: Int) throws(Failure) {
        let prompt = prompts[index]
        switch event {
        case .reading(let tokens, let all):
            let category = prompt.category.title(in: context.settings.language)
            status.show(context.messages.readingSection(category, index + 1, prompts.count, tokens, all))
        case .text(let piece): try show(answers[index].add(piece), of: index)
        case .finished(let completion):
            try show(answers[index].finish(isCut: completion.finish == .length), of: index)
            guard isStreamed else {
                status.show(context.messages.sectionsWritten(index + 1, prompts.count))
                return
            }
            status.clear()
            try openSection(index)
            try closeSection()
        }
    }

    mutating func end(_ digest: Digest) throws(Failure) {
        status.clear()
        if isStreamed {
            try context.console.write(text.closing(digest))
        } else {
            try print(digest)
        }
    }

    /// A finished digest, whole.
    func print(_ digest: Digest) throws(Failure) {
        try context.console.write(context.document(of: digest))
    }

    private mutating func show(_ sentences: [Sentence], of index: Int) throws(Failure) {
        guard isStreamed, !sentences.isEmpty else { return }
        status.clear()
        try openSection(index)
        for sentence in sentences { try context.console.write(text.sentence(sentence)) }
    }

    /// The number of the last section whose heading is out.
    private var opened = -1
    /// Whether that section's end is still to come.
    private var isOpen = false

    /// A heading comes with the first word below it, so that none stands there while the model still reads.
    private mutating func openSection(_ index: Int) throws(Failure) {
        guard opened < index else { return }
        // Where the work ended early, a finished section may follow one that is not.
        if isOpen { try closeSection() }
        opened = index
        isOpen = true
        let prompt = prompts[index]
        try context.console.write(
            text.sectionHeading(
                prompt.category, foreignLanguage: prompt.foreignLanguage, stories: prompt.stories))
    }

    private mutating func closeSection() throws(Failure) {
        isOpen = false
        try context.console.write(text.sectionEnd(omitted: prompts[opened].omitted))
    }
}
