import PulseApp
import PulseCore
import PulseModels
import PulseRendering
import PulseStore

/// `today` without `--send`: prints the digest, as text story by story, else as one document at the end.
extension CommandContext<PrintedDigest> {
    /// - Returns: The digest; nil if there was nothing to print.
    @discardableResult func print() async throws -> Digest? {
        let reporter = reporter
        defer { reporter.clear() }
        let output = with(arguments: arguments.output)
        let isStreamed = arguments.output.isStreamed
        let maker = DigestMaker(
            of: arguments.request, by: arguments.model, in: app, reporter: reporter, isReadAlong: isStreamed)
        if arguments.isDryRun {
            if let prompts = try await maker.prompts() { try print(prompts) }
            return nil
        }
        try output.requireOutput()
        let stream = isStreamed ? TextStream(context: self, reporter: reporter) : nil
        let made: Digest?
        do {
            made = try await maker.make { update in try stream?.show(update) }
        } catch {
            // The part of a sentence on the screen was not checked.
            stream?.abandon()
            throw error
        }
        guard var digest = made else { return nil }
        if arguments.output.format == .email { digest = try output.email(of: digest).digest }
        // Stored first, so that a digest that cannot be written out need not be made again.
        let window = DigestWindow(of: arguments.request, in: app)
        window.keep(digest, as: arguments.delivery, reporter: reporter)
        reporter.clear()
        if let stream { try stream.end(digest) } else { try await output.hand(out: digest) }
        adviseWithoutModel(digest)
        do {
            if let coverage = window.coverage(of: digest) { try window.note(digest.considered, coverage) }
        } catch let error as PulseError where error.code == .cannotWrite {
            // The digest is printed. On a full disk, only tell the user that the next repeats it.
            note("\(error.message) The next digest will therefore repeat these stories.")
        }
        return digest
    }

    /// Suggests a model to users who have none, unless `--model none` was given.
    private func adviseWithoutModel(_ digest: Digest) {
        guard digest.model == nil, digest.unusable == nil, !digest.isWeek, !digest.sentences.isEmpty,
            arguments.model.name == nil, console.width != nil,
            let advice = ModelCatalog.adviceOfTheWeek(in: app)
        else { return }
        noteOnTerminal("For a digest in the words of a model on this machine: \(advice)")
    }
}

/// Writes the digest as text while it is made: on a terminal word by word, elsewhere story by story.
private final class TextStream {
    private let context: CommandContext<PrintedDigest>
    private let reporter: Reporter
    private var live: LiveLines
    private var text: DigestText?
    /// The number of stories in each section, and the number of sections whose heading is written.
    private var counts: [Int] = []
    private var written = 0
    /// The printed part of the current story, if words are printed as they come.
    private var front = WrittenFront()
    /// Whether the reader of the output has closed the pipe, as `… | head` does.
    private var isClosed = false

    init(context: CommandContext<PrintedDigest>, reporter: Reporter) {
        self.context = context
        self.reporter = reporter
        live = LiveLines(console: context.console)
    }

    /// Unless a model is writing, a digest whose pipe is closed is still made and stored: its story numbers work.
    func show(_ update: DigestMaker.Update) throws {
        guard !isClosed else { return }
        do {
            try write(update)
        } catch {
            guard error.asPulseError.code == .closedPipe, !isWriting else { throw error }
            isClosed = true
        }
    }

    private var isWriting = false

    private func write(_ update: DigestMaker.Update) throws {
        if update.unfinished != nil { isWriting = true }
        // Before the heading, there is nothing to clear.
        guard text != nil || update.unfinished != "" else { return }
        let text = try begin(update.digest)
        let (section, index) = (update.section, update.index)
        guard let words = update.unfinished else {
            reporter.clear()
            try live.clear()
            // A section's heading is written with its first story, not while the model still reads.
            try openSections(upTo: section, text)
            let told = text.entry(update.entry, index, of: section)
            // If the final text differs from what was written, the story is written again.
            try context.console.write(front.rest(of: told) ?? "\n" + told)
            if index == counts[section] - 1 { try context.console.write(text.end(of: section)) }
            return
        }
        if live.isOn {
            guard !words.isEmpty else { return try live.clear() }
            reporter.clear()
            try openSections(upTo: section, text)
            try live.draw(text.unfinished(words, index, of: section))
        } else if context.arguments.model.check == .off, context.console.width == nil {
            guard let settled = words.settledFront,
                let more = front.more(of: text.beginning(settled, index, of: section))
            else { return }
            try openSections(upTo: section, text)
            try context.console.write(more)
        }
    }

    /// Writes the digest's heading, once.
    private func begin(_ digest: Digest) throws -> DigestText {
        if let text { return text }
        let text = DigestText(
            digest, style: context.style, isExplained: context.arguments.output.isExplained)
        self.text = text
        counts = digest.sections.map(\.entries.count)
        reporter.clear()
        try context.console.write(text.heading)
        return text
    }

    /// Removes unchecked text; in a pipe, ends its line.
    func abandon() {
        try? live.clear()
        if front.isBegun { try? context.console.write("\n") }
    }

    func end(_ digest: Digest) throws {
        if isClosed { throw PulseError.closedPipe }
        let text = try begin(digest)
        try openSections(upTo: counts.count - 1, text)
        try context.console.write(text.closing(digest))
    }

    /// With a small limit of stories, a section may have titles only.
    private func openSections(upTo section: Int, _ text: DigestText) throws {
        while written <= section {
            try context.console.write(text.heading(of: written))
            if counts[written] == 0 { try context.console.write(text.end(of: written)) }
            written += 1
        }
    }
}
