import Foundation
package import PulseCore
import PulseInference
package import PulseModels
import PulseRendering

/// The catalogue as the program uses it. A command reads it once.
extension ModelCatalog {
    package init(in app: AppEnvironment) throws {
        guard let resources = app.locations.resources else {
            throw PulseError(
                .configuration, "The folders “models” and “prompts” that belong to pulse-digest are missing.",
                hint: "Reinstall it, or name a model file with --model.")
        }
        self.init(
            manifest: try ModelManifest(contentsOf: resources + "/models/manifest.json"),
            shippedFolder: resources + "/models", userFolder: app.locations.models, cacheFolder: app.locations.hashes,
            others: OtherPrograms(home: app.locations.home, environment: app.variables))
    }

    /// The name that `--model` takes for "no model".
    package static let none = "none"

    /// The named model, else the one that would write, else the default: for commands that need some model.
    ///
    /// - Parameter name: As in `ModelSettings.name`.
    package func someModel(named name: String?) throws -> ResolvedModel {
        if let name, name != Self.none { return try resolve(name) }
        return try best(on: .current) ?? resolve(manifest.defaultName)
    }

    /// The model that writes: the one that the options or the settings name, else the best that was pulled. Nil: there
    /// is none, or `none` was named. Models of other programs write only if they are named.
    ///
    /// Throws `.unavailable` if the named one is not there, `.usage` if it cannot write.
    package func writer(named name: String?) throws -> ResolvedModel? {
        guard let name else { return best(on: .current) }
        if name == Self.none { return nil }
        let model = try resolve(name)
        guard let entry = model.entry, !entry.writes else { return model }
        // Fails before anybody waits.
        throw PulseError(.usage, "\(entry.name) is too small to write digests.", hint: advice)
    }

    /// The same; nil also if the program's own folders, and so the catalogue, are missing.
    package static func writer(in app: AppEnvironment, named name: String?) throws -> ResolvedModel? {
        if name == Self.none || name == nil && app.locations.resources == nil { return nil }
        return try ModelCatalog(in: app).writer(named: name)
    }

    /// The same, for commands that need one.
    package static func requiredWriter(in app: AppEnvironment, named name: String?) throws -> ResolvedModel {
        if let model = try writer(in: app, named: name) { return model }
        throw PulseError(
            .usage, "There is no prompt to show, because no model is chosen.",
            hint: "To see the models: pulse-digest models")
    }

    /// `advice`, at most once a week, so that it does not follow every digest.
    package static func adviceOfTheWeek(in app: AppEnvironment) -> Message? {
        let name = "advice.json"
        let last = StateFile<Date>.value(of: name, below: app.locations.state) ?? .distantPast
        guard abs(app.now.timeIntervalSince(last)) > 7 * 86_400, let advice = (try? ModelCatalog(in: app))?.advice
        else { return nil }
        // On a full disk it is given again.
        try? StateFile(folder: app.state(), name: name).write(app.now)
        return advice
    }

    /// Which model suits this machine and how to get it; nil: none fits.
    package var advice: Message? {
        let machine = Machine.current
        let entry = recommended(on: machine)
        if let entry, status(of: entry).path != nil {
            return "\(entry.name) suits this machine: --model \(entry.name)"
        }
        if let found = offered(on: machine) {
            return "\(found.program.title) keeps a model here that can write: --model \(found.reference)"
        }
        guard let entry else { return nil }
        let time = ModelCatalogEntry.digestEstimate(parameters: entry.parameters, cores: machine.cores)
        return
            "\(entry.name) suits this machine (\(ModelText.size(entry.size)), a digest in about \(ModelText.time(time))): pulse-digest models pull \(entry.name)"
    }

    /// The model of another program that is worth a try before a download: the one that is recommended, else the
    /// largest chat model that fits and writes a digest in two minutes, else the smallest that fits. Nil: none.
    package func offered(on machine: Machine) -> FoundModel? {
        let all = others.models()
        guard !all.isEmpty else { return nil }
        if let entry = recommended(on: machine), let found = elsewhere(entry).first { return found }
        let fitting = all.compactMap { found -> (model: FoundModel, parameters: Int64)? in
            guard machine.holds(found.size), resolved(found).entry?.isWorthIt ?? true,
                let parameters = try? found.chatParameters(),
                ModelReliability(parameters: parameters, errorRate: nil) != .small
            else { return nil }
            return (found, parameters)
        }
        let quick = fitting.filter { machine.isQuick($0.parameters) }
        return quick.max { $0.parameters < $1.parameters }?.model
            ?? fitting.min { $0.parameters < $1.parameters }?.model
    }
}

extension FoundModel {
    /// The number of parameters of a chat model; nil for other models.
    package func chatParameters() throws -> Int64? {
        guard try ModelFile(path: path).isForChat else { return nil }
        return try parts.reduce(Int64(0)) { sum, part in try sum + ModelFile(path: part).parameters }
    }
}

extension ResolvedModel {
    /// Tells the user why the model is not asked about some stories.
    func tellForeign(_ stories: Int, _ reporter: Reporter) {
        guard stories > 0 else { return }
        let stories = Counted.text(stories, "story", "stories")
        reporter.hint("The publications are quoted for \(stories), because \(name) does not write their language.")
    }
}

extension ModelCatalog.Machine {
    package static var current: Self {
        Self(memory: MemoryBudget.current().least, cores: Processors.current().usable)
    }
}

/// Fetches models, and removes them, with what was measured of each.
package struct ModelDownloads {
    private let catalog: ModelCatalog
    private let app: AppEnvironment
    private let reporter: Reporter

    package init(_ catalog: ModelCatalog, in app: AppEnvironment, reporter: Reporter) {
        (self.catalog, self.app, self.reporter) = (catalog, app, reporter)
    }

    package enum Outcome {
        case shipped(path: String)
        /// Another program keeps it on this machine, and nothing was fetched.
        case elsewhere(FoundModel, path: String)
        case downloaded(path: String)
    }

    /// Fetches a model, and measures in which form its weights are the fastest here.
    ///
    /// - Parameters:
    ///   - file: Used instead of a download.
    ///   - onProgress: The message to show.
    package func pull(
        _ name: String, from file: String?, onProgress: @escaping @Sendable (PullProgress) -> Message
    ) async throws -> Outcome {
        defer { reporter.clear() }
        let named = try catalog.entry(named: name)
        // An adapter comes with the program; its model may not be here.
        let entry = if let base = named.base { try catalog.entry(named: base) } else { named }
        if !entry.writes, let path = catalog.status(of: entry).path { return .shipped(path: path) }
        let show = { @Sendable [reporter] progress in reporter.show(onProgress(progress)) }
        if file == nil, catalog.status(of: entry).path == nil {
            for found in catalog.elsewhere(entry) {
                let path = try? await catalog.verify(catalog.resolved(found), progress: show)
                if Task.isCancelled { throw PulseError.interrupted }
                if let path { return .elsewhere(found, path: path) }
            }
        }
        let path = try await Downloader(catalog: catalog, version: Release.version).pull(
            entry, from: file, progress: show)
        do {
            let choice = try await WeightsChoice(for: catalog.resolve(entry.name), cache: app.locations.cache)
            if entry.writes { _ = try await choice.measure(reporter: reporter) }
        } catch let error as PulseError where error.code != .interrupted {
            reporter.detail("not measured: \(error)")
        }
        return .downloaded(path: path)
    }

    /// - Returns: The model, and how many bytes are free again.
    package func remove(_ name: String) async throws -> (entry: ModelCatalogEntry, freed: Int64) {
        if ModelCatalog.isReference(name), let found = try catalog.resolve(name).found {
            throw PulseError(
                .usage, "\(found.program.title) keeps \(found.reference), and pulse-digest removes nothing of it.",
                hint: "Remove it there.")
        }
        let entry = try catalog.entry(named: name)
        // Before the file is removed, because its path identifies the measurement.
        var measured: WeightsChoice?
        if let path = catalog.downloadedPath(of: entry) {
            measured = try await WeightsChoice(for: catalog.resolve(path), cache: app.locations.cache)
        }
        let freed = try catalog.remove(entry)
        return (entry, freed + (try measured?.discard() ?? 0))
    }
}
