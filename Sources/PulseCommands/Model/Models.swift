import Foundation
import PulseApp
import PulseCore
import PulseInference
import PulseModels
import PulseRendering
import PulseText

extension Command {
    static let models = Command(
        "models", summary: "list, download, verify and remove models", implied: "list",
        subcommands: [
            Command(
                "list", summary: "list the models, which of them run here and how fast",
                details: """
                    Those of the catalogue, and those that ollama, LM Studio, Hugging Face, llama.cpp, GPT4All and Jan \
                    keep on this machine. These are only read: they are never changed, copied or removed.
                    """, resolving: \.model
            ) { try await $0.list() },
            Command(
                "show", operands: "[MODEL|PATH]", arity: 0...1,
                summary: "show one model: its origin, licence and memory, and how it is checked", resolving: \.model
            ) { try await $0.show($0.operands.first) },
            Command(
                "path", operands: "[MODEL|PATH]", arity: 0...1, summary: "print the path of a model's file",
                resolving: \.model
            ) { context in
                let model = try context.model(context.operands.first, in: ModelCatalog(in: context.app))
                try context.console.write(model.path + "\n")
            },
            Command(
                "verify", operands: "[MODEL]", arity: 0...1,
                summary: "compare a model's file with its published SHA-256", resolving: \.model
            ) { try await $0.verify($0.operands.first) },
            Command(
                "pull", operands: "MODEL", arity: 1...1, summary: "download a model",
                details: """
                    The file is checked by its size and SHA-256 before it is used. An interrupted download resumes \
                    when you run the command again. At the end, a measurement finds out in which form its weights \
                    are the fastest here.
                    """,
                options: [.fromFile], resolving: { ($0.model, $0.settings.fromFile) }
            ) { context in
                let (model, file) = context.arguments
                try await context.with(arguments: model).pull(context.operands[0], from: file)
            },
            Command(
                "remove", operands: "MODEL", arity: 1...1, summary: "delete a downloaded model",
                details: """
                    Deletes its file, its measurements and its rewritten weights. Models of other programs are left \
                    alone.
                    """, resolving: \.model
            ) { try await $0.remove($0.operands[0]) },
        ]
    ).withoutHistory()
}

extension Option {
    static let fromFile = Option(
        "from", value: "FILE", kind: .path, isSetting: false, help: "use this file instead of downloading it",
        apply: set(\.fromFile, Value.path))
}

/// Implements the subcommands of `models`.
extension CommandContext<ModelSettings> {
    /// The named model, else the one that would write digests.
    func model(_ name: String?, in catalog: ModelCatalog) throws -> ResolvedModel {
        if let name { try catalog.resolve(name) } else { try catalog.someModel(named: arguments.name) }
    }

    func verify(_ name: String?) async throws {
        let catalog = try ModelCatalog(in: app)
        let reporter = reporter
        defer { reporter.clear() }
        let model = try model(name, in: catalog)
        let path = try await catalog.verify(model, rehash: true) { reporter.show(describe($0, of: model.name)) }
        reporter.clear()
        try console.tell("\(model.name): verified, SHA-256 matches: \(path)\n")
    }

    func pull(_ name: String, from file: String?) async throws {
        let catalog = try ModelCatalog(in: app)
        let downloads = ModelDownloads(catalog, in: app, reporter: reporter)
        switch try await downloads.pull(name, from: file, onProgress: { describe($0, of: name) }) {
        case .shipped(let path): note("\(name) comes with the program: \(path)")
        case .elsewhere(let found, let path):
            note(
                "\(found.program.title) keeps \(name) on this machine: \(path)\nNothing was downloaded. To use it: --model \(found.reference). For a copy of its own: pulse-digest models pull \(name) --from \(ShellWord.quoted(path))"
            )
        case .downloaded(let path):
            note("\(name) is ready: \(path)")
            let entry = try catalog.entry(named: name)
            note(
                entry.isWorthIt
                    ? "To use it: --model \(name), or \"model\": \"\(name)\" in \(locations.configurationFile)"
                    : onlyNamed(entry))
        }
    }

    func remove(_ name: String) async throws {
        let downloads = ModelDownloads(try ModelCatalog(in: app), in: app, reporter: reporter)
        let (entry, freed) = try await downloads.remove(name)
        note("\(entry.name) removed: \(ModelText.size(freed)) freed.")
        if arguments.name == entry.name {
            note("The settings still name it. To change that: pulse-digest config unset model")
        }
    }

    private func describe(_ progress: PullProgress, of name: String) -> Message {
        let done: Message = "\(ModelText.size(progress.bytes)) of \(ModelText.size(progress.total))"
        return switch progress.phase {
        case .waiting: "\(name): waiting for another pulse-digest that is downloading it"
        case .transferring: "\(name): \(Int(progress.fraction * 100)) %, \(done)"
        case .retrying(let reason, let delay): "\(name): \(reason); retrying in \(delay.components.seconds) s"
        case .verifying: "\(name): verifying, \(Int(progress.fraction * 100)) %"
        }
    }

    // MARK: - The list

    func list() async throws {
        let catalog = try ModelCatalog(in: app)
        let reporter = reporter
        defer { reporter.clear() }
        reporter.show("Looking at the models on this machine…")
        let machine = ModelCatalog.Machine.current
        let recommended = catalog.recommended(on: machine)
        var writer: ResolvedModel?
        var opening: [Message] = []
        do {
            writer = try catalog.writer(named: arguments.name)
            opening.append(
                writer.map { "\($0.found?.reference ?? $0.name) writes your digests." }
                    ?? "No model writes your digests: the publications are quoted.")
        } catch {
            // The list is shown even if the model of the settings does not exist.
            opening.append(error.asPulseError.message)
        }
        if recommended == nil || recommended != writer?.entry, let advice = catalog.advice { opening.append(advice) }
        let found = catalog.others.models { path, cause in explain("passed over \(path): \(cause)") }
        var rows: [ModelRow] = []
        for entry in catalog.manifest.models {
            let places = found.filter { catalog.resolved($0).entry == entry }
            var row = ModelRow(
                name: entry.name, bytes: entry.size, state: state(of: entry, in: catalog, places))
            row.isRecommended = entry == recommended
            if entry.writes {
                row.digest = await fit(try? catalog.resolve(entry.name), of: entry, machine).time
                row.errors = errors(entry.reliability, entry.errors)
            }
            rows.append(row)
        }
        var others: [ModelRow] = []
        for model in found.map(catalog.resolved) {
            guard let found = model.found, let parameters = chatParameters(of: found) else { continue }
            let state: Message = model.entry.map { "the catalogue’s \($0.name)" } ?? count(parameters)
            var row = ModelRow(name: found.reference, bytes: found.size, state: state)
            row.digest = await fit(model, parameters, UInt64(found.size), machine).time
            row.errors = errors(model.reliability(parameters: parameters), model.entry?.errors)
            others.append(row)
        }
        reporter.clear()
        let notes: [Message] = [
            reason(recommended, machine),
            "digest: time for 25 stories, ~ estimated; errors: summaries that say something the article does not; "
                + "quotes: it only quotes",
            "To see the origin, licence and memory of one: pulse-digest models show MODEL",
        ]
        try await page(ModelText.list(rows, others: others, opening: opening, notes: notes, style: style))
    }

    func show(_ name: String?) async throws {
        let catalog = try ModelCatalog(in: app)
        let machine = ModelCatalog.Machine.current
        let known = catalog.manifest.models.first { $0.name == name }
        let model = known == nil ? try model(name, in: catalog) : try? catalog.resolve(known?.name ?? "")
        var facts: [Message] = []
        if let entry = known ?? model?.entry {
            facts = [
                Message(verbatim: entry.description), Message(verbatim: "\(entry.origin); \(entry.licence)."),
                state(of: entry, in: catalog, catalog.elsewhere(entry)),
            ]
            if entry.writes {
                facts.append(await fit(model, of: entry, machine).sentence)
                facts.append(check(entry.reliability, entry.errors))
                if !entry.isWorthIt { facts.append(onlyNamed(entry)) }
            }
            facts.append(Message(verbatim: model?.path ?? "pulse-digest models pull \(entry.name)"))
            try await page(ModelText.show(entry.name, entry.size, facts, style: style))
        } else if let model {
            let parts = model.found?.parts ?? [model.path]
            var (parameters, bytes): (Int64, Int64) = (0, 0)
            for part in parts {
                parameters += try ModelFile(path: part).parameters
                bytes += FileSizes.size(ofFile: part) ?? 0
            }
            facts = [
                count(parameters), await fit(model, parameters, UInt64(bytes), machine).sentence,
                check(model.reliability(parameters: parameters), nil), Message(verbatim: model.path),
            ]
            let name = model.found?.reference ?? model.name
            try await page(ModelText.show(name, bytes, facts, style: style))
        }
    }

    private func state(of entry: ModelCatalogEntry, in catalog: ModelCatalog, _ places: [FoundModel]) -> Message {
        switch catalog.status(of: entry) {
        // An adapter needs its base model.
        case .shipped: entry.base.flatMap { (try? catalog.resolve($0)) == nil ? "needs \($0)" : nil } ?? "included"
        case .present: places.first.map { "downloaded, also at \($0.reference)" } ?? "downloaded"
        case .damaged(let path, _): "damaged: \(path)"
        case .partial(let bytes):
            "\(ModelText.size(bytes)) of \(ModelText.size(entry.size)) downloaded"
        case .absent: places.first.map { "here, at \($0.reference)" } ?? "not downloaded"
        }
    }

    /// Whether a model runs here, with how much memory and how fast.
    private struct Fit {
        /// For a digest, as the table shows it; nil: it does not run here.
        var time: String?
        let sentence: Message
    }

    private func fit(_ model: ResolvedModel?, of entry: ModelCatalogEntry, _ machine: ModelCatalog.Machine) async -> Fit
    {
        await fit(model, entry.parameters, ModelCatalogEntry.memoryEstimate(size: entry.size), machine)
    }

    /// - Parameters:
    ///   - model: Nil if its file is not here; then everything is estimated.
    ///   - memory: The estimate, in bytes.
    private func fit(
        _ model: ResolvedModel?, _ parameters: Int64, _ memory: UInt64, _ machine: ModelCatalog.Machine
    ) async -> Fit {
        let guess = ModelText.time(ModelCatalogEntry.digestEstimate(parameters: parameters, cores: machine.cores))
        let about: Message = "a digest of 25 stories takes about \(guess)"
        guard let model else {
            if let free = machine.memory, memory > free {
                return Fit(
                    sentence:
                        "does not run here now: it needs about \(size(memory)) of memory, and \(size(free)) are free"
                )
            }
            return Fit(time: "~" + guess, sentence: "would run here with about \(size(memory)) of memory; \(about)")
        }
        let choice = await WeightsChoice(for: model, settings: arguments, cache: locations.cache)
        switch await Engine.inspect(choice.options).plan {
        case .success(let plan):
            let time = choice.secondsOfStory.map { ModelText.time(25 * $0) }
            let measured: Message = time.map { "a digest of 25 stories takes \($0), as measured" } ?? about
            return Fit(
                time: time ?? "~" + guess,
                sentence: "runs here with \(size(plan.footprint.memory)) of memory; \(measured)")
        case .failure(let error):
            return Fit(sentence: "does not run here: \(error.message)")
        }
    }

    /// The number of parameters of a chat model; nil for other models.
    private func chatParameters(of found: FoundModel) -> Int64? {
        do {
            if let parameters = try found.chatParameters() { return parameters }
            explain("passed over \(found.reference): it is not for chat, or its file has no chat template")
            return nil
        } catch {
            explain("passed over \(found.reference): \(error.asPulseError)")
            return nil
        }
    }

    /// The share of its summaries with unfounded statements, for a table; `check` is the full sentence.
    private func errors(_ kind: ModelReliability, _ errors: ModelCatalogEntry.PublishedErrors?) -> Message {
        kind == .small ? "quotes" : errors.map { "\(Message.decimal($0.percent)) %" } ?? "?"
    }

    private func check(_ kind: ModelReliability, _ errors: ModelCatalogEntry.PublishedErrors?) -> Message {
        switch (kind, errors) {
        case (.strong, let errors?):
            "checked leniently: \(Message.decimal(errors.percent)) % of its summaries say something that the article does not "
                + "(\(errors.source))"
        case (.unknown, let errors?):
            "checked strictly: \(Message.decimal(errors.percent)) % of its summaries say something that the article does not "
                + "(\(errors.source))"
        case (_, nil) where kind != .small: "checked strictly: how often it makes mistakes is not published"
        default: "only sentences that it copies from the articles are shown: it has fewer than 500 million parameters"
        }
    }

    /// For a model that `ModelCatalog.best` never chooses.
    private func onlyNamed(_ entry: ModelCatalogEntry) -> Message {
        entry.writes
            ? "It is used only when you name it: --model \(entry.name), or pulse-digest config set model \(entry.name)"
            : "It writes no digests."
    }

    private func reason(_ recommended: ModelCatalogEntry?, _ machine: ModelCatalog.Machine) -> Message {
        let cores = Counted.text(machine.cores, "core", "cores")
        let free: Message = machine.memory.map { "\(cores), \(size($0)) of memory free" } ?? cores
        guard let recommended else { return "No model of the catalogue fits into this machine now (\(free))." }
        let reason: Message =
            machine.isQuick(recommended.parameters)
            ? "makes the fewest mistakes of those that fit into this machine and write a digest of 25 stories in two "
                + "minutes"
            : "is the smallest of those that fit into this machine; none writes a digest of 25 stories in two minutes"
        return "* \(reason) (\(free))"
    }

    private func count(_ parameters: Int64) -> Message {
        let tenths = (parameters + 50_000_000) / 100_000_000
        return tenths < 10
            ? "\((parameters + 500_000) / 1_000_000) million parameters"
            : "\(Message.decimal(Double(tenths) / 10)) billion parameters"
    }

    private func size(_ bytes: UInt64) -> Message { ModelText.size(Int64(clamping: bytes)) }
}

extension Command {
    static let bench = Command(
        "bench", summary: "measure how fast a model reads and writes on this machine",
        details: """
            Takes from a few seconds to a few minutes, depending on the model, and needs no reading history. Other \
            programs that are running make every figure worse, so the load is printed too.
            """,
        options: [.format([.text, .json])] + Option.computing, resolving: { ($0.model, isJSON: $0.list.isJSON) }
    ) { context in
        let (model, isJSON) = context.arguments
        let report = try await Benchmark(of: model, in: context.app, reporter: context.reporter).run()
        try context.console.write(
            isJSON ? BenchmarkJSON.render(report) : BenchmarkText.render(report, style: context.style))
    }.withoutHistory()
}
