import Foundation
import PulseCore
import PulseInference
import PulseModels
package import PulseRendering

/// Measures a model on this machine, through the engine as every command uses it.
package struct Benchmark {
    private let settings: ModelSettings
    private let app: AppEnvironment
    private let reporter: Reporter

    /// Stories of a digest that are written at once.
    private static let stories = EngineOptions.defaultSequences
    private static let tokens = 32
    private static let rounds = 3
    /// After this time, no further round begins.
    private static let patience = Duration.seconds(20)
    private let start = ContinuousClock.now

    package init(of settings: ModelSettings, in app: AppEnvironment, reporter: Reporter) {
        (self.settings, self.app, self.reporter) = (settings, app, reporter)
    }

    package func run() async throws -> BenchmarkReport {
        defer { reporter.clear() }
        let load = MachineSummary.load
        let file = try ModelCatalog(in: app).someModel(named: settings.name)
        // Other machines choose the form of their weights themselves.
        let weights =
            settings.servers.isEmpty
            ? try? await WeightsChoice(for: file, cache: app.locations.cache).measure(reporter: reporter) : nil
        PeakMemory.reset()
        let model = try await LanguageModel(file, settings: settings, cache: app.locations.cache, reporter: reporter)
        var measurement = Measurement(engine: model.engine)
        var rows = [
            BenchmarkRow(
                id: "load", title: "opening the model", unit: .seconds,
                value: Samples([model.loadTime / .seconds(1)]))
        ]
        rows += weights.map { [row(of: $0)] } ?? []
        reporter.show("Measuring one text…")
        rows += try await oneText(&measurement)
        reporter.show("Measuring the first token…")
        rows.append(try await firstToken(&measurement))
        reporter.show("Measuring \(Benchmark.stories) stories, one after another and together…")
        rows.append(try await stories(&measurement))
        reporter.show("Measuring prompt lookup…")
        rows.append(try await lookup(&measurement))
        rows.append(memory(model.engine.model))
        let placement = model.engine.model.plan?.footprint.placement
        let notes: [String] = [
            "Medians; a ratio is the median of the rounds' own. Texts are written greedily, at most \(Benchmark.tokens) "
                + "tokens, and \(2 * Benchmark.tokens) with prompt lookup."
        ]
        return BenchmarkReport(
            date: app.now, machine: MachineSummary.description,
            model: "\(model.file.name), \(model.engine.model.kind), \(placement.devices)",
            threads: model.engine.model.threads, loads: [load, MachineSummary.load], rows: rows, notes: notes)
    }

    // MARK: - Rows

    private func oneText(_ measurement: inout Measurement) async throws -> [BenchmarkRow] {
        var (reading, writing) = (Samples(), Samples())
        var prompt = 0
        try await rounds {
            let run = try await measurement.run(measurement.prompts.next(), tokens: Benchmark.tokens)
            guard let completion = run.completions.first else { return }
            prompt = completion.promptTokens
            if let speed = speed(completion.promptTokens, completion.promptTime) { reading.values.append(speed) }
            if let speed = speed(completion.outputTokens, completion.outputTime) { writing.values.append(speed) }
        }
        return [
            BenchmarkRow(
                id: "reading", title: "reading a prompt", unit: .tokensPerSecond, value: reading,
                detail: "\(prompt) tokens"),
            BenchmarkRow(id: "writing", title: "writing one text", unit: .tokensPerSecond, value: writing),
        ]
    }

    private func firstToken(_ measurement: inout Measurement) async throws -> BenchmarkRow {
        var (cold, kept) = (Samples(), Samples())
        try await rounds {
            // The second prompt begins like the first, which is cached by then.
            let prompts = measurement.prompts.next(2)
            cold.values.append(try await measurement.run([prompts[0]], tokens: 1).seconds)
            kept.values.append(try await measurement.run([prompts[1]], tokens: 1).seconds)
        }
        return BenchmarkRow(
            id: "first", title: "first token: cold / prompt's front kept", unit: .seconds, baseline: cold, value: kept)
    }

    private func stories(_ measurement: inout Measurement) async throws -> BenchmarkRow {
        var (single, together) = (Samples(), Samples())
        var tokens = (0, 0)
        try await rounds {
            var seconds = 0.0
            for prompt in measurement.prompts.next(Benchmark.stories) {
                seconds += try await measurement.run([prompt], tokens: Benchmark.tokens).seconds
            }
            let run = try await measurement.run(
                measurement.prompts.next(Benchmark.stories), tokens: Benchmark.tokens)
            single.values.append(seconds)
            together.values.append(run.seconds)
            tokens = (
                run.completions.reduce(0) { $0 + $1.promptTokens }, run.completions.reduce(0) { $0 + $1.outputTokens }
            )
        }
        return BenchmarkRow(
            id: "stories", title: "\(Benchmark.stories) stories: one after another / together", unit: .seconds,
            baseline: single, value: together, detail: "\(tokens.0) tokens read, \(tokens.1) written")
    }

    private func lookup(_ measurement: inout Measurement) async throws -> BenchmarkRow {
        var (off, on) = (Samples(), Samples())
        var drafts = (0, 0)
        try await rounds {
            let (first, second) = (measurement.prompts.copying(), measurement.prompts.copying())
            off.values.append(try await measurement.run([first], tokens: 2 * Benchmark.tokens).seconds)
            let run = try await measurement.run([second], tokens: 2 * Benchmark.tokens, drafts: true)
            on.values.append(run.seconds)
            drafts = (
                run.completions.reduce(0) { $0 + $1.acceptedTokens },
                run.completions.reduce(0) { $0 + $1.draftedTokens }
            )
        }
        return BenchmarkRow(
            id: "lookup", title: "copying a text: prompt lookup off / on", unit: .seconds, baseline: off, value: on,
            detail: "\(drafts.0) of \(drafts.1) drafted tokens accepted")
    }

    private func row(of weights: WeightsChoice.Measured) -> BenchmarkRow {
        func seconds(_ form: WeightsForm) -> Samples { Samples([weights.seconds[form]].compactMap(\.self)) }
        let parts = WeightsForm.allCases.compactMap { form in
            weights.seconds[form].map { seconds in
                let memory = weights.memory[form].map { " and \($0 >> 20) MiB of its own memory" } ?? ""
                return "\(form.rawValue) \(seconds.formatted(.number.precision(.fractionLength(3)))) s\(memory)"
            }
        }
        return BenchmarkRow(
            id: "weights", title: "a story: weights rearranged / mapped", unit: .seconds,
            baseline: seconds(.rearranged), value: seconds(.mapped),
            detail: "\(parts.joined(separator: "; ")); the model is used with \(weights.form.rawValue) weights")
    }

    private func memory(_ model: ModelDescription) -> BenchmarkRow {
        BenchmarkRow(
            id: "memory", title: "peak memory", unit: .mebibytes,
            value: Samples([Double(PeakMemory.bytes) / Double(1 << 20)]),
            detail: "of which the model's file is \(model.fileSize >> 20) MiB, mapped")
    }

    // MARK: - Steps

    private func rounds(_ body: () async throws -> Void) async throws {
        for _ in 0..<Benchmark.rounds {
            try await body()
            if ContinuousClock.now - start > Benchmark.patience { return }
        }
    }

    private func speed(_ tokens: Int, _ time: Duration) -> Double? {
        time > .zero && tokens > 0 ? Double(tokens) / (time / .seconds(1)) : nil
    }

    private struct Measurement {
        let engine: Engine
        var prompts = BenchmarkPrompts()

        func run(
            _ prompts: [[ChatMessage]], tokens: Int, drafts: Bool = false
        ) async throws -> (seconds: Double, completions: [Completion]) {
            let requests = prompts.map {
                GenerationRequest(messages: $0, maximumTokens: tokens, drafts: drafts)
            }
            let start = ContinuousClock.now
            let completions = try await engine.generate(requests) { _, _ in }
            return ((ContinuousClock.now - start) / .seconds(1), completions)
        }
    }
}

/// The prompts of a measurement. Each begins with a number of its own, so that no part of it is cached.
struct BenchmarkPrompts {
    private var number = 0

    /// Prompts that share their first message and nothing else.
    mutating func next(_ count: Int = 1) -> [[ChatMessage]] {
        number += 1
        return (1...count).map { part in
            [
                ChatMessage(role: .system, text: "Measurement \(number). \(BenchmarkPrompts.rules)"),
                ChatMessage(role: .user, text: "Part \(part) of \(count).\n\n\(BenchmarkPrompts.news)"),
            ]
        }
    }

    /// A prompt whose best answer is its own text.
    mutating func copying() -> [ChatMessage] {
        number += 1
        return [
            ChatMessage(
                role: .system, text: "Measurement \(number). Repeat the user's text word for word, and add nothing."),
            ChatMessage(role: .user, text: BenchmarkPrompts.news),
        ]
    }

    private static let rules = """
        You write one paragraph of a reader's daily news digest. You are given the articles that the reader read. In \
        two or three sentences, say what they report, the most important first. Use only facts, names and numbers that \
        stand in the articles. Write plain sentences: no heading, no list, no introduction, no opinion.
        """

    private static let news = """
        The harbour of Port Merrow will be closed for eleven days in March while its gates are changed, the port \
        authority said. The gates were made in 1931 and have been repaired nineteen times since; the new ones weigh \
        forty tonnes each and are already on their way. Fishing boats may use the old basin, and the ferry will sail \
        from Harnby, where a second landing stage has been built.

        The council of Stenbridge has voted by nine to four to keep the market in the square. Traders had asked for a \
        roof, and will have one by the summer if the cost stays below 300,000 crowns. The buses will stop at the \
        station instead, a walk of four minutes.
        """
}

/// The most memory this process ever had, mapped files included.
enum PeakMemory {
    /// Restarts the count where the system can. proc(5), clear_refs: "5 … reset the peak resident set size".
    static func reset() {
        try? FileHandle(forWritingAtPath: "/proc/self/clear_refs")?.write(contentsOf: Data("5".utf8))
    }

    static var bytes: Int {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #else
            // getrusage(2): "This is the maximum resident set size used (in kilobytes)."
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss * 1024
        #endif
    }
}

/// The machine in a line, for the head of a benchmark's table.
package enum MachineSummary {
    package static var description: String {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let memory = Int((Double(ProcessInfo.processInfo.physicalMemory) / Double(1 << 30)).rounded())
        return "\(processor), \(cores) cores, \(memory) GiB, \(ProcessInfo.processInfo.operatingSystemVersionString)"
    }

    static var processor: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "processor"
    }

    /// The load average of the last minute.
    package static var load: Double {
        var loads = [0.0]
        return getloadavg(&loads, 1) == 1 ? loads[0] : 0
    }
}
