import Foundation
import PulseCore
import PulseDigest
import PulseInference
import PulseModels
import PulsePlatform
import PulseStore

/// Has a model write the answers for the next digest in advance, while no other command runs.
package struct Preparation: Sendable {
    private let readers: [DigestReader]
    /// Imported first; nil: nothing.
    private let sources: ImportSources?
    private let app: AppEnvironment
    private let reporter: Reporter

    /// Between two checks whether another command runs.
    private static let interval: Duration = .milliseconds(20)

    package init(for readers: [DigestReader], sources: ImportSources?, in app: AppEnvironment, reporter: Reporter) {
        (self.readers, self.sources, self.app, self.reporter) = (readers, sources, app, reporter)
    }

    package static func hasWriter(for readers: [DigestReader], in app: AppEnvironment) throws -> Bool {
        for reader in readers where try ModelCatalog.writer(in: app, named: reader.model.name) != nil { return true }
        return false
    }

    private struct Report: Sendable {
        var (written, kept, left) = (0, 0, 0)
        /// The number of articles that got vectors.
        var ready = 0
    }

    package func run() async throws {
        let hasWriter = try Self.hasWriter(for: readers, in: app)
        let state = try app.state()
        guard let lock = try state.lock("prepare.lock") else {
            return reporter.note("Another pulse-digest is preparing already.")
        }
        let foreground = try ActivityLock(watching: state.file(ActivityLock.name))
        try await lock.hold {
            try await work(whileNobodyIsIn: foreground, hasWriter: hasWriter)
        }
    }

    private func work(whileNobodyIsIn foreground: ActivityLock, hasWriter: Bool) async throws {
        let work = Task { try await write() }
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
            await work.result
        } onCancel: {
            work.cancel()
        }
        watch.cancel()
        let wasStopped = await watch.value
        switch result {
        case .success(let report): tell(report, hasWriter: hasWriter)
        case .failure where wasStopped:
            reporter.note("Stopped, because another command is running. What was written is kept.")
        case .failure(let error): throw error
        }
    }

    private func write() async throws -> Report {
        // At normal priority, as in the nightly run, since this writes to the history. Feeds are left to that run,
        // which counts the nights on which one does not answer.
        _ = try await sources?.importKnown()
        Background.enter()
        defer { reporter.clear() }
        var report = Report()
        var fault: PulseError?
        for reader in readers {
            // An error in one reader's settings does not affect the others.
            do {
                try await write(for: reader, &report)
            } catch let error as PulseError where error.code != .interrupted {
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
        report.ready = try await makeVectors()
        return report
    }

    /// - Returns: The number of articles that got vectors.
    private func makeVectors() async throws -> Int {
        guard try app.history.lacksVectors() else { return 0 }
        let encoder: Encoder
        do {
            encoder = try Encoder.ofMeanings(in: app.locations)
        } catch {
            reporter.note("\(error.asPulseError)")
            return 0
        }
        var ready = 0
        try await app.history.makeVectors(by: encoder) { done, all in
            ready = done
            reporter.show("\(done) of \(all) articles ready for questions")
        }
        return ready
    }

    private func write(for reader: DigestReader, _ report: inout Report) async throws {
        var settings = reader.model
        let model = try ModelCatalog.writer(in: app, named: settings.name)
        // Half of the cores, because llama.cpp's threads spin while they wait.
        settings.threads = settings.threads ?? max(1, Processors.current().usable / 2)
        for recipient in reader.to.isEmpty ? [nil] : reader.to.map(Optional.some) {
            let maker = DigestMaker(
                of: reader.request, for: recipient, by: settings, in: app, reporter: reporter, isUnattended: true)
            // This makes the vectors by which reports are compared, also where no model writes.
            guard let digest = try await maker.plan(), let model else { continue }
            // Quiet, because stories that are not written now are left to the digest itself.
            let writer = StoryWriter(
                model: model, app: app, settings: settings, language: reader.request.language,
                length: reader.request.length, reporter: reporter.quiet)
            let entries = digest.sections.flatMap(\.entries).filter(writer.isAsked)
            let answers = try await writer.write(entries, onUpdate: { _ in })
            report.written += answers.written
            report.kept += answers.kept
            report.left += entries.count - answers.written - answers.kept
        }
    }

    private func tell(_ report: Report, hasWriter: Bool) {
        if report.ready > 0 {
            reporter.note(
                Counted.text(
                    report.ready, "article is ready for questions now.", "articles are ready for questions now."))
        }
        guard hasWriter else {
            guard report.ready == 0 else { return }
            return reporter.note(
                "All articles are ready for questions. With a model, the digest's stories could be written ahead. To "
                    + "see the models: pulse-digest models")
        }
        var parts: [Message] = ["\(Counted.text(report.written, "story", "stories")) written"]
        if report.kept > 0 { parts.append("\(Counted.text(report.kept)) written before") }
        if report.left > 0 { parts.append("\(Counted.text(report.left)) left for the digest itself") }
        reporter.note("\(parts.joined(separator: ", ")).")
    }
}

extension ActivityLock {
    /// Its file in the state folder.
    package static let name = "foreground"
}
