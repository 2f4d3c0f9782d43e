import Foundation
import PulseCore
import PulseDigest
import PulseInference
import PulsePlatform
import PulseStore

extension Command {
    static let prepare = Command(
        "prepare", summary: "have a model write ahead what the next digest will need",
        details: """
            The model writes each story of the digest as it would be now, and its answers are kept: today then asks \
            only about what has changed since. What you read is made ready to be asked about, too: pulse-digest ask \
            then finds it by its meaning. It works at the lowest priority, ends at once \
            when another command of pulse-digest is run, and goes on where it was the next time. Give it the options \
            of the digest, or set them; with --to, or an address in the settings, it plans the email, else what today \
            prints.

            To run it before each email: pulse-digest schedule install --prepare
            """,
        options: ([Option.profile, .basis, .hours, .since, .sinceLast] + Option.choosing + [.maxStories]).headed(
            "What to include")
            + [Option.language, .to, .scheduled].headed("Output")
            + Option.writing.headed("Model")
    ) { context throws(PulseError) in
        try context.requireOneWindow()
        try await Preparation(context: context).run()
    }.unmarked()
}

/// Has a model answer in advance what the next digest will ask, while nobody waits for anything.
struct Preparation {
    private let context: Context

    /// Between two looks whether somebody runs another command.
    private static let interval: Duration = .milliseconds(20)

    init(context: Context) {
        var settings = context.settings
        // The night's own run tells what is amiss.
        if settings.scheduler != nil { settings.isQuiet = true }
        self.context = context.with(settings)
    }

    private struct Report: Sendable {
        var (written, kept, left) = (0, 0, 0)
        /// Articles that can be found by their meaning now.
        var ready = 0
    }

    func run() async throws(PulseError) {
        let hasWriter: Bool
        do throws(PulseError) {
            hasWriter = try context.hasWriter()
        } catch {
            throw told(error)
        }
        let isNeeded = if hasWriter { true } else { try lacksVectors() }
        guard isNeeded else {
            return context.note(
                "There is nothing to prepare, because no model writes. To see which there are: pulse-digest models")
        }
        let state = try context.state()
        guard let lock = try state.lock("prepare.lock") else {
            return context.note("Another pulse-digest is preparing already.")
        }
        let foreground = try Foreground(watching: state.file(Foreground.name))
        try await lock.hold { () async throws(PulseError) in
            try await work(whileNobodyIsIn: foreground, hasWriter: hasWriter)
        }
    }

    private func work(whileNobodyIsIn foreground: Foreground, hasWriter: Bool) async throws(PulseError) {
        let work = Task { () async -> Result<Report, PulseError> in
            do throws(PulseError) { return .success(try await write()) } catch { return .failure(error) }
        }
        let watch = Task {
            while !Task.isCancelled {
                if foreground.isTaken {
                    work.cancel()
                    return true
                }
                try? await Task.sleep(for: Self.interval)
            }
            return false
        }
        let result = await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
        watch.cancel()
        let wasStopped = await watch.value
        switch result {
        case .success(let report): tell(report, hasWriter: hasWriter)
        case .failure where wasStopped:
            context.note("Stopped, because another command is running. What was written is kept.")
        case .failure(let error): throw told(error)
        }
    }

    /// Without words in scheduled runs: each hour, cron would mail them.
    private func told(_ error: PulseError) -> PulseError {
        context.settings.scheduler == nil || error.code == .interrupted ? error : PulseError(error.code, "")
    }

    private func write() async throws(PulseError) -> Report {
        // As the night's run does, at the usual priority, since this writes to the history. Feeds are left to that run,
        // which counts the nights on which one does not answer.
        if context.settings.scheduler != nil {
            _ = try await ImportEverything(context: context).importKnown()
        }
        Background.enter()
        let status = context.statusLine()
        defer { status.clear() }
        var report = Report()
        var fault: PulseError?
        for reader in context.readers {
            // What is amiss with one reader's settings keeps nobody else from theirs.
            do throws(PulseError) {
                try await write(for: reader, &report, status)
            } catch {
                if error.code == .interrupted { throw error }
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
        report.ready = try await makeVectors(status)
        return report
    }

    private func lacksVectors() throws(PulseError) -> Bool {
        try context.reading { store throws(PulseError) in
            try store.countWithoutVectors(form: PassageVectors.form) > 0
        }
    }

    /// - Returns: of how many articles.
    private func makeVectors(_ status: StatusLine) async throws(PulseError) -> Int {
        guard try lacksVectors() else { return 0 }
        let encoder: Encoder
        do throws(PulseError) {
            encoder = try await Checker.openEncoder(in: context.locations)
        } catch {
            context.explain("nothing can be made ready to be asked about: \(error)")
            return 0
        }
        var ready = 0
        _ = try await VectorMaker(open: context.opening, encoder: encoder).make { done, all throws(PulseError) in
            ready = done
            status.show("\(done) of \(all) articles made ready to be asked about")
        }
        return ready
    }

    private func write(for reader: Context, _ report: inout Report, _ status: StatusLine) async throws(PulseError) {
        guard let model = try reader.writer() else { return }
        var settings = reader.settings
        settings.isSent = !settings.to.isEmpty
        // On half of the cores, threads that spin keep nobody from the other half.
        settings.threads = settings.threads ?? max(1, Processors.current().usable / 2)
        for recipient in settings.to.isEmpty ? [nil] : settings.to.map(Optional.some) {
            let maker = DigestMaker(context: reader.with(settings), status: status, reader: recipient)
            guard let digest = try maker.plan() else { continue }
            // What has no time now is no story that is told without a model.
            var quiet = settings
            quiet.isQuiet = true
            let writer = StoryWriter(model: model, context: reader.with(quiet), status: status)
            let entries = digest.sections.flatMap(\.entries).filter(writer.isAsked)
            let answers = try await writer.write(entries) { _ in }
            report.written += answers.written
            report.kept += answers.kept
            report.left += entries.count - answers.written - answers.kept
        }
    }

    private func tell(_ report: Report, hasWriter: Bool) {
        if report.ready > 0 {
            context.note(
                Counted.text(report.ready, "article can be asked about now.", "articles can be asked about now."))
        }
        guard hasWriter else { return }
        var parts: [Message] = ["\(Counted.text(report.written, "story", "stories")) written"]
        if report.kept > 0 { parts.append("\(Counted.text(report.kept)) written before") }
        if report.left > 0 { parts.append("\(Counted.text(report.left)) left for the digest itself") }
        context.note("\(parts.joined(separator: ", ")).")
    }
}

extension Context {
    /// Whether a model writes for any of the readers.
    func hasWriter() throws(PulseError) -> Bool {
        for reader in readers where try reader.writer() != nil { return true }
        return false
    }
}

extension Foreground {
    /// The file in the folder of the state.
    static let name = "foreground"
}
