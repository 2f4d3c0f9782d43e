import Foundation
package import PulseCore
import PulseDigest
import PulseInference
import PulseModels
import PulsePlatform
package import PulseRendering
package import PulseSources
import PulseStore
import PulseText

/// Checks everything a digest needs, in the order in which it is needed, and finds what is wrong. It changes nothing,
/// and a check that finds a problem does not stop the others.
package struct Doctor: Sendable {
    private let app: AppEnvironment
    private let fault: PulseError?
    private let model: ModelSettings
    private let mail: MailSettings
    private let sources: ImportEnvironment
    private let schedule: DigestSchedule
    private let languages: Set<Language>
    private let readers: Message?
    private let facts: Facts

    /// Queries to the machine and to libllama. Tests replace them.
    package struct Facts: Sendable {
        var library: @Sendable () async -> LlamaDescription = { await Engine.library() }
        var inspect: @Sendable (EngineOptions) async -> Engine.Inspection = { await Engine.inspect($0) }
        var sendmail = Sendmail.places
        var hasSchedules = true

        package init() {}
    }

    /// - Parameter readers: The recipients of digests, if there are profiles.
    package init(
        of app: AppEnvironment, settingsFault fault: PulseError?, model: ModelSettings, mail: MailSettings,
        sources: ImportEnvironment, schedule: DigestSchedule, languages: Set<Language>, readers: Message?,
        facts: Facts = Facts()
    ) {
        self.app = app
        self.fault = fault
        self.model = model
        self.mail = mail
        self.sources = sources
        self.schedule = schedule
        self.languages = languages
        self.readers = readers
        self.facts = facts
    }

    package func findings() async -> [DoctorFinding] {
        let catalog = Result { try ModelCatalog(in: app) }
        var findings = [checkProgram(), checkSettings(), await checkLibrary(), await checkModel(catalog)]
        // Without a model there is nothing to plan, and the check before has said so.
        if let model = try? catalog.get().someModel(named: model.name) { findings += await checkMachine(model) }
        findings += [checkHistory(), checkSources()] + [checkFeeds()].compactMap(\.self)
        findings += checkPrompts() + checkFolders()
        let found = (try? catalog.get())?.others.models().map(\.reference) ?? []
        if !found.isEmpty { findings.append(.ok("models", "of other programs: \(found.joined(separator: ", "))")) }
        // `checkSettings` reports invalid addresses and languages.
        findings += readers.map { [.ok("readers", $0)] } ?? []
        return findings + [await checkMail()] + (await checkSchedule()) + [checkLocale()]
    }

    private func checkProgram() -> DoctorFinding {
        guard let resources = app.locations.resources else {
            return .problem(
                "program",
                PulseError(
                    .configuration,
                    "\(Release.version), but the folders “models” and “prompts” that belong to it are missing.",
                    hint: "Reinstall it."))
        }
        return .ok("program", "\(Release.version), with models and prompts in \(resources)")
    }

    private func checkSettings() -> DoctorFinding {
        if let fault = fault { return .problem("settings", fault) }
        let file = app.locations.configurationFile
        let exists = FileManager.default.fileExists(atPath: file)
        return .ok("settings", exists ? "\(file)" : "none; they would be in \(file)")
    }

    private func checkLibrary() async -> DoctorFinding {
        let library = await facts.library()
        // "CPU : SSE3 = 1 | AVX = 0 | …": what is off is left out.
        let features = library.features.split(separator: "|").compactMap { part -> String? in
            let sides = part.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
            guard sides.count == 2, sides[1] != "0", let name = sides[0].split(separator: ":").last else { return nil }
            return name.trimmingCharacters(in: .whitespaces) + (sides[1] == "1" ? "" : " \(sides[1])")
        }
        let built: Message = features.isEmpty ? "" : ", built with \(features.joined(separator: ", "))"
        return .ok("libllama", "\(library.version)\(built)")
    }

    /// The model's file, and whether it matches its published SHA-256, as far as that is known without reading it all.
    private func checkModel(_ catalog: Result<ModelCatalog, any Error>) async -> DoctorFinding {
        do {
            let catalog = try catalog.get()
            let model = try catalog.someModel(named: self.model.name)
            let size: Message = FileSizes.size(ofFile: model.path).map { ", \(ModelText.size($0))" } ?? ""
            let paths = [model.path, model.adapter].compactMap(\.self).joined(separator: " + ")
            let place: Message = "\(model.name): \(paths)\(size)"
            guard let entry = model.entry else {
                return .ok("model", "\(place), not in the catalogue, so not verified")
            }
            var state: Message = "\(place), not verified yet: pulse-digest models verify \(model.name)"
            if model.rememberedSHA256(in: app.locations.hashes) != nil {
                _ = try await catalog.verify(entry)
                state = "\(place), verified"
            }
            guard !entry.writes, self.model.name != ModelCatalog.none else { return .ok("model", state) }
            let advice: Message = catalog.advice.map { "; \($0)" } ?? ""
            return .warning("model", "\(state). It writes no digests, so the publications are quoted\(advice)")
        } catch {
            return .problem("model", error.asPulseError)
        }
    }

    /// The available memory, the model's share of it, and its threads.
    private func checkMachine(_ model: ResolvedModel) async -> [DoctorFinding] {
        let choice = await WeightsChoice(for: model, settings: self.model, cache: app.locations.cache)
        let asked = self.model.engine(of: model)
        var inspection = await facts.inspect(choice.options)
        // The fallback if there is too little memory for rewritten weights.
        if case .failure = inspection.plan, choice.options.modelPath != asked.modelPath {
            inspection = await facts.inspect(asked)
        }
        let isChosen = model.entry?.writes != false && asked.servers.isEmpty
        return [memory(inspection.budget)] + plan(inspection.plan) + threads(inspection.threads)
            + (isChosen ? [weights(choice)] : [])
    }

    private func weights(_ choice: WeightsChoice) -> DoctorFinding {
        let model = ShellWord.quoted(choice.model.entry?.name ?? choice.model.path)
        let text: Message =
            switch choice.measured?.form {
            case nil: "as ggml arranges them; not measured yet. To measure them: pulse-digest bench --model \(model)"
            case .rearranged: "as ggml arranges them for this processor: the fastest here"
            case .mapped: "as stored in the file: the fastest here"
            case .rewritten: "rewritten with eight bits each: the fastest here"
            }
        return .ok("weights", text)
    }

    private func memory(_ budget: MemoryBudget) -> DoctorFinding {
        let parts: [Message] = [
            budget.machine.map { "\(size($0)) available" },
            budget.group.map { "\(size($0)) within the control group’s limit" },
        ].compactMap(\.self)
        return parts.isEmpty
            ? .warning("memory", "the amount available is unknown") : .ok("memory", parts.joined(separator: ", "))
    }

    private func plan(_ plan: Result<MachinePlan, PulseError>) -> [DoctorFinding] {
        switch plan {
        case .failure(let error): return [.problem("plan", error)]
        case .success(let plan):
            let footprint = plan.footprint
            let parts: [Message] = [
                "weights \(size(footprint.weights))", "cache \(size(footprint.cache))",
                "compute buffers \(size(footprint.buffers))", "program \(size(Footprint.reserve))",
            ]
            let source: Message = footprint.isSimulated ? "figures from libllama" : "estimated"
            let shape: Message =
                "a context window of \(plan.contextLength) tokens; \(plan.sequences) requests at once, \(plan.cells) "
                + "tokens together, in \(plan.cacheType.rawValue)"
            let lost = plan.concessions.map(\.text)
            return [
                lost.isEmpty
                    ? .ok("plan", shape)
                    : .warning("plan", "\(shape); because memory is short, \(lost.joined(separator: ", "))"),
                .ok("needs", "\(size(footprint.memory)): \(parts.joined(separator: ", ")) (\(source))"),
                devices(plan),
            ]
        }
    }

    /// Which device computes which layers, and the memory used there.
    private func devices(_ plan: MachinePlan) -> DoctorFinding {
        let shares = plan.footprint.placement?.shares ?? []
        let takes: [Message] = shares.map { share in
            let (device, bytes) = (share.device, size(share.bytes))
            return "\(device.name) (\(device.description)): \(bytes) of \(size(device.free)) free"
        }
        let text = ([plan.footprint.placement.devices] + takes).joined(separator: "; ")
        if let fault = plan.deviceFault { return .warning("devices", "\(text): \(fault)") }
        let isMissed = shares.isEmpty && model.gpuLayers != 0 && plan.footprint.placement != nil
        return isMissed
            ? .warning("devices", "\(text), as no other device has memory for a layer") : .ok("devices", text)
    }

    private func threads(_ choice: ThreadChoice?) -> [DoctorFinding] {
        guard let choice else { return [] }
        let reason: Message =
            switch choice.reason {
            case .asked: "as set"
            case .smallModel: "more would not help a model this small"
            case _ where choice.isFixed: "fixed at the start, because other devices compute layers too"
            case .quota: "the control group allows no more"
            case .cores(busy: 0): "one per core, fewer while other programs need them"
            case .cores(let busy):
                "one per core, starting with \(choice.first) because other programs keep \(busy) busy"
            }
        return [.ok("threads", "\(choice.most): \(reason)")]
    }

    /// Binary units, as memory is sold: `858 MiB`, `23.4 GiB`.
    private func size(_ bytes: UInt64) -> Message {
        let mebibytes = (bytes + (1 << 20) - 1) >> 20
        guard mebibytes >= 10 << 10 else { return "\(mebibytes) MiB" }
        return "\(Message.decimal(Double((mebibytes * 10) >> 10) / 10)) GiB"
    }

    /// Whether the history exists, is readable, and is closed to other users.
    private func checkHistory() -> DoctorFinding {
        let path = app.history.path
        guard app.history.exists else {
            return .warning("history", "none yet at \(path). To begin one: pulse-digest import --help")
        }
        do {
            let store = try app.history.open()
            let (articles, last) = (try store.statistics().articles, try store.lastImport())
            let imported: Message = last.map { ", last import \(Day($0, in: app.timeZone).text)" } ?? ""
            let text: Message = "\(path): \(Counted.text(articles, "article", "articles"))\(imported)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard let mode = attributes?[.posixPermissions] as? NSNumber, mode.intValue & 0o077 != 0 else {
                let isStale = last.map { app.now.timeIntervalSince($0) > StaleSource.patience } ?? false
                return isStale
                    ? .warning("history", "\(text): nothing new since. To import: pulse-digest import")
                    : .ok("history", text)
            }
            return .warning(
                "history",
                "\(text), but other users can read it. To close it to them: chmod go= \(ShellWord.quoted(path))")
        } catch {
            return .problem("history", error.asPulseError)
        }
    }

    /// The accounts on servers, and the readers on this machine. Servers are not contacted, and files are not opened.
    func checkSources() -> DoctorFinding {
        let found = SourceFinder.all(in: sources, withBrowsers: true)
        do {
            let accounts = try Accounts(in: app).all().map { account -> Message in
                "\(account.origin) (\(imported(account.origin)))"
            }
            let names = accounts + found.map { Message(verbatim: "\($0.kind.name) (\($0.path))") }
            // A history that cannot be read has a finding of its own.
            if let silent = try? StaleSource.all(in: app), !silent.isEmpty {
                return .warning(
                    "sources",
                    "no newly read articles have come from \(silent.map(\.text).joined(separator: ", ")). "
                        + "To see what is there: pulse-digest import --dry-run")
            }
            return .ok(
                "sources",
                names.isEmpty
                    ? "none where a reader usually keeps its files. To see what can be imported: "
                        + "pulse-digest import --help"
                    : names.joined(separator: ", "))
        } catch {
            return .problem("sources", error.asPulseError)
        }
    }

    /// The feeds that are followed, which of them fail, and when they were last asked; nil where there are none.
    private func checkFeeds() -> DoctorFinding? {
        guard app.history.exists, let feeds = try? app.history.open().feeds().map(\.feed), !feeds.isEmpty else {
            return nil
        }
        func day(_ date: Date) -> String { Day(date, in: app.timeZone).text }
        let last: Message =
            feeds.compactMap(\.refresh.triedAt).max().map { "last refresh \(day($0))" } ?? "never refreshed"
        let text: Message = "\(Counted.text(feeds.count, "feed", "feeds")), \(last)"
        let failing = feeds.filter { $0.refresh.failures > 0 || $0.refresh.isRetired }
        guard !failing.isEmpty else {
            // Tried, and neither answered nor failed: there was no network.
            let isOffline = feeds.contains { feed in
                guard let triedAt = feed.refresh.triedAt else { return false }
                return feed.refresh.succeededAt.map { $0 < triedAt } ?? true
            }
            return isOffline ? .warning("feeds", "\(text), without a network") : .ok("feeds", text)
        }
        let names: [Message] = failing.prefix(3).map { feed in
            let since: Message = feed.refresh.succeededAt.map { "since \(day($0))" } ?? "which never answered"
            return "\(PlainText.line(feed.title, limit: 60)) (\(since))"
        }
        let more: Message = failing.count > names.count ? ", and \(failing.count - names.count) more" : ""
        return .warning(
            "feeds",
            "\(text), \(failing.count) failing: \(names.joined(separator: ", "))\(more). To see why: pulse-digest feeds"
        )
    }

    /// When an account was last imported. `checkHistory` reports a history that cannot be read.
    private func imported(_ origin: String) -> Message {
        guard app.history.exists, let last = try? app.history.open().lastImport(from: origin) else {
            return "never imported"
        }
        return "last import \(Day(last, in: app.timeZone).text)"
    }

    /// The prompts in every language: the user's own, and those that came with the program.
    private func checkPrompts() -> [DoctorFinding] {
        let used = languages.map(\.code)
        var found: [String] = []
        var faults: [DoctorFinding] = []
        for prompt in EditablePrompt.all(in: app.locations) {
            do {
                try prompt.check()
                found.append(prompt.name)
            } catch {
                let error = error.asPulseError
                // In an unused language, it is not missed.
                let isUsed = used.contains(prompt.language.code)
                faults.append(isUsed ? .problem("prompts", error) : .warning("prompts", "\(error)"))
            }
        }
        return (found.isEmpty ? [] : [.ok("prompts", "\(found.joined(separator: ", "))")]) + faults
    }

    private func checkFolders() -> [DoctorFinding] {
        [("cache", app.locations.cache), ("models", app.locations.models)].map { subject, folder in
            let size = FileSizes.size(ofFolder: folder)
            return .ok(subject, size == 0 ? "\(folder): empty" : "\(folder): \(ModelText.size(size))")
        }
    }

    /// The sendmail program, as `today --send` finds it.
    private func checkMail() async -> DoctorFinding {
        do {
            let sendmail = try mail.program(in: app, places: facts.sendmail)
            try await sendmail.requireAccount()
            return .ok("email", "\(sendmail.path)")
        } catch {
            // Printed digests need none.
            return .warning("email", "\(error.asPulseError)")
        }
    }

    private func checkSchedule() async -> [DoctorFinding] {
        func warning(_ text: Message) -> DoctorFinding { .warning("schedule", text) }
        var findings: [DoctorFinding] = []
        let (installed, faults) = facts.hasSchedules ? await schedule.installed() : ([], [])
        for installed in installed {
            let kind = installed.kind.rawValue
            findings.append(.ok("schedule", installed.time.map { "\(kind), every day at \($0.text)" } ?? "\(kind)"))
            findings += [installed.idle, schedule.leftOut(by: installed)].compactMap(\.self).map(warning)
        }
        findings += faults.map { warning("\($0)") }
        if findings.isEmpty {
            findings.append(.ok("schedule", "none. To install one: pulse-digest schedule install --help"))
        }
        let state = app.locations.state
        let unsent = Outbox.recipients(below: state)
        if !unsent.isEmpty {
            let names = unsent.joined(separator: ", ")
            findings.append(warning("not sent yet, to \(names): pulse-digest schedule drop --help"))
        }
        if let text = Outbox.text(ofUnanswered: Outbox.unanswered(below: state)) {
            findings.append(warning("may have gone out: \(text)"))
        }
        if let last = try? RunLog.entries(below: state).last, !last.message.isEmpty {
            let day = Day(last.time, in: app.timeZone).text
            findings.append(warning("The last today --send, of \(day): \(last.message)"))
        }
        return findings
    }

    /// The locale and the time zone. The output is UTF-8 whatever the locale says.
    private func checkLocale() -> DoctorFinding {
        let zone: Message = "time zone \(app.timeZone.identifier)"
        if let fault = LocalTimeZone(app.variables["TZ"], now: app.now).fault { return .warning("time zone", fault) }
        // The first that is set counts (locale(7)).
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        guard let locale = names.lazy.compactMap({ app.variables[$0] }).first(where: { !$0.isEmpty }) else {
            return .ok("locale", "none; the output is UTF-8; \(zone)")
        }
        guard locale.lowercased().replacing("-", with: "").contains("utf8") else {
            return .warning("locale", "\(locale), but the output is UTF-8: set LANG to one such as C.UTF-8; \(zone)")
        }
        return .ok("locale", "\(locale), \(zone)")
    }
}

extension DoctorFinding {
    fileprivate static func ok(_ subject: String, _ text: Message) -> DoctorFinding {
        DoctorFinding(subject, .ok, text)
    }

    /// Something that still works.
    fileprivate static func warning(_ subject: String, _ text: Message) -> DoctorFinding {
        DoctorFinding(subject, .warning, text)
    }

    /// Something that keeps a command from working, with the exit code that command would have.
    fileprivate static func problem(_ subject: String, _ error: PulseError) -> DoctorFinding {
        DoctorFinding(subject, .problem, "\(error)", exitCode: error.code.exitCode)
    }
}
