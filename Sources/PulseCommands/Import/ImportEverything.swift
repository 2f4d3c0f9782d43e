import PulseApp
import PulseCore
import PulseSources

/// `import` without a path: from every reader on this machine, and from every account that was set up.
struct ImportEverything {
    let context: Run<ImportArguments>

    func run() async throws(PulseError) {
        let sources = ImportSources(context.arguments.importer)
        let candidates = try sources.all(isTrial: context.arguments.isTrial)
        guard !candidates.isEmpty else {
            if let browser = sources.browsers.first {
                throw PulseError(
                    .noInput,
                    "No server was set up, and there is no reader on this machine, but the history of "
                        + "\(browser.kind.name) (\(browser.path)).",
                    hint: "Of a browser, the sites that you name are imported: pulse-digest import "
                        + "\(browser.kind.name) --host theguardian.com")
            }
            throw PulseError(
                .noInput,
                "No server was set up, and there is no reader on this machine whose files are where they usually are.",
                hint: "Name a file or a folder: pulse-digest import PATH. What can be read: pulse-digest import --help")
        }
        var chosen = candidates.filter(\.isKnown)
        let new = candidates.filter { !$0.isKnown }
        if context.arguments.isConfirmed || context.arguments.isTrial {
            chosen = candidates
        } else if !new.isEmpty {
            guard let questioner = context.questioner else {
                if chosen.isEmpty { throw Self.unconfirmed(new) }
                context.noteOnTerminal("Not imported yet: \(new.map(\.name).joined(separator: ", ")). To do so: --yes")
                try await importAll(chosen)
                return
            }
            if try await isAgreed(new, questioner) { chosen = candidates }
            if chosen.isEmpty {
                context.note("Nothing was imported.")
                return
            }
        }
        try await importAll(chosen)
    }

    /// One after another, and one that fails does not stop the others.
    private func importAll(_ candidates: [ImportSources.Candidate]) async throws(PulseError) {
        var worst = PulseError.Code.closedPipe
        for candidate in candidates {
            do throws(PulseError) {
                try await context.importArticles(of: try candidate.open(), candidate.kind, as: candidate.name)
            } catch {
                if error.code == .interrupted || error.code == .closedPipe { throw error }
                context.console.say("pulse-digest: \(candidate.name): \(error)")
                if error.code.rawValue > worst.rawValue { worst = error.code }
            }
        }
        // Each was told when it came.
        if worst != .closedPipe { throw PulseError(worst, "") }
    }

    /// Says what was found, with its numbers, and asks.
    private func isAgreed(
        _ new: [ImportSources.Candidate], _ questioner: Questioner
    ) async throws(PulseError) -> Bool {
        var lines: [Message] = ["On this machine there is, not imported yet:\n"]
        for candidate in new {
            let numbers: Message
            do throws(PulseError) {
                let tally = try await context.arguments.importer.tally(try candidate.open())
                numbers =
                    tally.starred > 0 ? "\(tally.read) read, \(tally.starred) starred" : "\(tally.read) read"
            } catch {
                if error.code == .interrupted { throw error }
                numbers = "\(error)"
            }
            lines.append("  \(candidate.name): \(numbers)\n")
        }
        lines.append("Import it, now and whenever you import?")
        return try await questioner.agrees(to: lines.joined(), isUsual: true)
    }

    private static func unconfirmed(_ new: [ImportSources.Candidate]) -> PulseError {
        PulseError(
            .usage,
            "Nothing was imported yet, and there is nobody to ask. Found: \(new.map(\.name).joined(separator: ", ")).",
            hint: "To import all of it: pulse-digest import --yes. To see what is in it: pulse-digest import --dry-run")
    }
}
