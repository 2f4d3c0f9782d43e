import Foundation
package import PulseCore
package import PulseDigest
import PulseInference
package import PulseModels
import PulseRendering

/// The catalogue as the program uses it, read once a command: which file a name means, what its hash is, and which
/// model writes.
package struct ModelFiles {
    package let catalog: ModelCatalog
    /// As in `ModelSettings.name`.
    private let name: String?

    /// - Parameter name: Who is to write, as in `ModelSettings.name`.
    package init(in app: AppEnvironment, named name: String?) throws(PulseError) {
        self.name = name
        guard let resources = app.locations.resources else {
            throw PulseError(
                .configuration, "The folders “models” and “prompts” that belong to pulse-digest are missing.",
                hint: "Reinstall it, or name a model file with --model.")
        }
        catalog = ModelCatalog(
            manifest: try ModelManifest(contentsOf: resources + "/models/manifest.json"),
            shippedFolder: resources + "/models",
            userFolder: app.locations.models, cacheFolder: app.locations.cache + "/models",
            others: OtherPrograms(home: app.locations.home, environment: app.variables))
    }

    /// What `--model` takes for "no model".
    private static let none = "none"

    /// The model of this name or at this path, else that of the settings, else the one that would write, else the
    /// default: for whoever needs some model.
    package func resolve(_ name: String? = nil) throws(PulseError) -> ResolvedModel {
        if let name { return try catalog.resolve(name) }
        if let name = self.name, name != Self.none { return try catalog.resolve(name) }
        if let best = catalog.best(on: Self.machine) { return best }
        return try catalog.resolve(catalog.manifest.defaultName)
    }

    // MARK: - Who writes

    /// The model that writes: the one that the options or the settings name, else the best that was pulled. Nil: none
    /// was, or none is to write. What other programs keep writes only where it is named.
    ///
    /// Throws `.unavailable` if the named one is not there, `.usage` if it cannot write.
    package func writer() throws(PulseError) -> ResolvedModel? {
        guard let name else { return catalog.best(on: Self.machine) }
        if name == Self.none { return nil }
        let model = try catalog.resolve(name)
        guard let entry = model.entry, !entry.writes else { return model }
        // So that nobody waits for nothing.
        throw PulseError(.usage, "\(entry.name) is too small to write digests.", hint: advice)
    }

    /// The same; nil too where the program's own folders are missing: there is no catalogue to choose one from.
    package static func writer(in app: AppEnvironment, named name: String?) throws(PulseError) -> ResolvedModel? {
        if name == nil, app.locations.resources == nil { return nil }
        return try ModelFiles(in: app, named: name).writer()
    }

    /// The same, for what is of no use without one.
    package static func requiredWriter(
        in app: AppEnvironment, named name: String?
    ) throws(PulseError) -> ResolvedModel {
        if let model = try writer(in: app, named: name) { return model }
        throw PulseError(
            .usage, "There is no prompt to show, because no model writes.",
            hint: "To see which there are: pulse-digest models")
    }

    /// Which model suits this machine and how to get it, for somebody who has none; nil: none fits.
    package var advice: Message? {
        let machine = Self.machine
        guard let entry = catalog.recommended(on: machine) else { return nil }
        if catalog.status(of: entry).path != nil { return "\(entry.name) suits this machine: --model \(entry.name)" }
        if let found = catalog.elsewhere(entry).first {
            return "\(found.program.title) keeps \(entry.name), which suits this machine: --model \(found.reference)"
        }
        return
            "\(entry.name) suits this machine (\(ModelText.size(entry.size)), a digest in about \(ModelText.time(entry.digestEstimate(cores: machine.cores)))): pulse-digest models pull \(entry.name)"
    }

    /// What this machine has for a model now.
    package static var machine: ModelCatalog.Machine {
        let budget = MemoryBudget.current()
        return ModelCatalog.Machine(
            memory: [budget.machine, budget.group].compactMap(\.self).min(), cores: Processors.current().usable)
    }

    // MARK: - Hashes

    /// The model by name, and by hash where that is asked for or known: a large file is not read for nothing.
    func identity(
        of model: ResolvedModel, isHashed: Bool, reporter: Reporter
    ) async throws(PulseError) -> ModelIdentity {
        guard isHashed else { return ModelIdentity(name: model.name, sha256: catalog.rememberedSHA256(of: model)) }
        defer { reporter.clear() }
        let sha256 = try await catalog.sha256(of: model) { progress in
            reporter.show("Computing the SHA-256 of \(model.name): \(Int(progress.fraction * 100)) %")
        }
        return ModelIdentity(name: model.name, sha256: sha256)
    }
}

/// Finds the prompts: the user's own beside the settings, else those that came with the program.
package struct PromptFiles {
    private let locations: Locations

    package init(in locations: Locations) { self.locations = locations }

    /// One a language, each file read once.
    func templates(
        for job: PromptTemplate.Job, in languages: [Language]
    ) throws(PulseError) -> [PromptTemplate] {
        var known: [Language: PromptTemplate] = [:]
        var templates: [PromptTemplate] = []
        for language in languages {
            let template: PromptTemplate
            if let read = known[language] {
                template = read
            } else {
                template = try self.template(for: job, in: language)
                known[language] = template
            }
            templates.append(template)
        }
        return templates
    }

    package func template(for job: PromptTemplate.Job, in language: Language) throws(PulseError) -> PromptTemplate {
        let name = "\(job.rawValue).\(language.code).md"
        let folders = [locations.configuration, locations.resources].compactMap { $0.map { $0 + "/prompts" } }
        guard let path = folders.map({ "\($0)/\(name)" }).first(where: FileManager.default.fileExists) else {
            let places = folders.map(Message.init(verbatim:)).joined(separator: " or in ")
            throw PulseError(
                .configuration, "The prompt \(name) is missing; it belongs in \(places).",
                hint: "Reinstall pulse-digest, or put a prompt of your own there.")
        }
        guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
        else {
            throw PulseError(
                .configuration, "The prompt \(path) cannot be read as UTF-8 text.",
                hint: "Check it and its permissions.")
        }
        return try PromptTemplate(job: job, parsing: text, from: path)
    }
}

/// How much of a disk files take, in bytes.
package enum FileSizes {
    /// Nil where there is no such file.
    package static func size(ofFile path: String) -> Int64? {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.int64Value
    }

    /// Of all files below a folder; 0 where there is none.
    package static func size(ofFolder path: String) -> Int64 {
        guard let files = FileManager.default.enumerator(atPath: path) else { return 0 }
        return files.reduce(into: Int64(0)) { sum, name in
            guard let name = name as? String, files.fileAttributes?[.type] as? FileAttributeType == .typeRegular else {
                return
            }
            sum += size(ofFile: "\(path)/\(name)") ?? 0
        }
    }
}
