import Foundation
import PulseCore
import PulseRendering
import PulseSources
import PulseStore
import PulseText

/// `import` without a path: from every reader on this machine, and from every account that was set up.
struct ImportEverything {
    let context: Context

    /// A source that may be imported.
    private struct Candidate {
        /// What the reports call it.
        let name: String
        let kind: SourceKind?
        /// Opens it anew, since it can be read once only.
        let open: () throws(PulseError) -> any ArticleSource
        /// Whether it was imported before or set up, so that nobody need be asked.
        let isKnown: Bool
    }

    func run() async throws(PulseError) {
        let candidates = try readers() + accounts()
        guard !candidates.isEmpty else {
            if let browser = context.browsers.first {
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
        if context.settings.isConfirmed || context.settings.isDryRun {
            chosen = candidates
        } else if !new.isEmpty {
            guard context.console.isInputTerminal else {
                if chosen.isEmpty { throw Self.unconfirmed(new) }
                context.noteOnTerminal("Not imported yet: \(new.map(\.name).joined(separator: ", ")). To do so: --yes")
                try await importAll(chosen)
                return
            }
            if try await isAgreed(new) { chosen = candidates }
            if chosen.isEmpty {
                context.note("Nothing was imported.")
                return
            }
        }
        try await importAll(chosen)
    }

    /// What was imported before or set up, without a word: for a run that nobody watches.
    ///
    /// - Parameter withAccounts: whether servers are asked, too; what is on this machine takes a moment only.
    /// - Returns: why those that failed did.
    func importKnown(withAccounts: Bool = true) async throws(PulseError) -> [PulseError] {
        var faults: [PulseError] = []
        var candidates: [Candidate] = []
        let parts: [() throws(PulseError) -> [Candidate]] = withAccounts ? [readers, accounts] : [readers]
        for part in parts {
            do throws(PulseError) { candidates += try part() } catch { faults.append(error) }
        }
        for candidate in candidates where candidate.isKnown {
            do throws(PulseError) {
                try await Importer(context: context).run(try candidate.open(), of: candidate.kind, as: candidate.name)
            } catch {
                if error.code == .interrupted { throw error }
                faults.append(
                    PulseError(
                        error.code, "\(candidate.name) was not imported: \(error.message)", hint: error.hint,
                        cause: "\(candidate.name): \(error.reason)"))
            }
        }
        return faults
    }

    /// One after another, and one that fails does not stop the others.
    private func importAll(_ candidates: [Candidate]) async throws(PulseError) {
        var worst = PulseError.Code.closedPipe
        for candidate in candidates {
            do throws(PulseError) {
                try await Importer(context: context).run(
                    try candidate.open(), of: candidate.kind, as: candidate.name)
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
    private func isAgreed(_ new: [Candidate]) async throws(PulseError) -> Bool {
        var lines: [Message] = ["On this machine there is, not imported yet:\n"]
        for candidate in new {
            let numbers: Message
            do throws(PulseError) {
                let tally = try await Importer(context: context).tally(try candidate.open())
                numbers =
                    tally.starred > 0 ? "\(tally.read) read, \(tally.starred) starred" : "\(tally.read) read"
            } catch {
                if error.code == .interrupted { throw error }
                numbers = "\(error)"
            }
            lines.append("  \(candidate.name): \(numbers)\n")
        }
        lines.append("Import it, now and whenever you import?")
        return try await context.console.agrees(to: lines.joined(), isUsual: true)
    }

    private static func unconfirmed(_ new: [Candidate]) -> PulseError {
        PulseError(
            .usage,
            "Nothing was imported yet, and there is nobody to ask. Found: \(new.map(\.name).joined(separator: ", ")).",
            hint: "To import all of it: pulse-digest import --yes. To see what is in it: pulse-digest import --dry-run")
    }

    private func readers() throws(PulseError) -> [Candidate] {
        let environment = Importer(context: context).environment
        let known =
            FileManager.default.fileExists(atPath: context.storePath)
            ? try context.reading { store throws(PulseError) in try store.origins() } : []
        let found = SourceFinder.all(in: environment, withBrowsers: !context.settings.hosts.isEmpty)
        return found.map { found in
            Candidate(
                name: "\(found.kind.name) (\(found.path))", kind: found.kind,
                open: { () throws(PulseError) in try found.kind.source(at: found.path, in: environment) },
                isKnown: known.contains(found.kind.origin(at: found.path)))
        } + browsers(known)
    }

    /// The browsers of which sites were named before, where this command names none.
    private func browsers(_ known: Set<String>) -> [Candidate] {
        guard context.settings.hosts.isEmpty else { return [] }
        return BrowserSites.all(in: context).compactMap { sites in
            guard let kind = sites.kind, FileManager.default.fileExists(atPath: sites.path) else { return nil }
            return Candidate(
                name: "\(kind.name) (\(sites.path))", kind: kind,
                open: { () throws(PulseError) in try Importer(context: context).source(of: sites, kind) },
                isKnown: known.contains(kind.origin(at: sites.path)))
        }
    }

    private func accounts() throws(PulseError) -> [Candidate] {
        try Accounts(context).all().map { account in
            Candidate(
                name: account.origin, kind: nil,
                open: { () throws(PulseError) in try account.source(in: context) }, isKnown: true)
        }
    }
}
