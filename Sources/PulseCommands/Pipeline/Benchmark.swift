import Foundation
import PulseCore
import PulseInference
import PulseModels
import PulseRendering

/// Measures a model on this machine, through the engine as every command uses it.
struct Benchmark {
    let context: Context

    /// Stories of a digest that are written at once.
    private static let stories = EngineOptions.defaultSequences
    private static let tokens = 32
    private static let rounds = 3
    /// No further round is begun after so long.
    private static let patience = Duration.seconds(60)

    func run() async throws(Failure) {
        let status = context.statusLine()
        defer { status.clear() }
        let load = Machine.load
        let files = try ModelFiles(context: context)
        let model = try await LanguageModel(
            files.resolve(), of: files, for: context, vocabularyOnly: false, status: status)
        var measurement = Measurement(engine: model.engine)
        var rows = [
            BenchmarkRow(
                id: "load", title: "opening the model", unit: .seconds,
                value: Samples([model.loadTime / .seconds(1)]))
        ]
        status.show("Measuring one text…")
        rows += try await oneText(&measurement)
        status.show("Measuring the first token…")
        rows.append(try await firstToken(&measurement))
        status.show("Measuring \(Benchmark.stories) stories, one after another and together…")
        rows.append(try await stories(&measurement))
        status.show("Measuring prompt lookup…")
        rows.append(try await lookup(&measurement))
        rows.append(memory(model.engine.model))
        status.clear()
        let report = BenchmarkReport(
            date: context.now, machine: Machine.description, model: "\(model.file.name), \(model.engine.model.kind)",
            threads: model.engine.model.threads, loads: [load, Machine.load], rows: rows, notes: notes)
        try context.console.write(
            context.settings.format == .json
                ? BenchmarkJSON.render(report) : BenchmarkText.render(report, style: context.style))
    }

    // MARK: - Rows

    private func oneText(_ measurement: inout Measurement) async throws(Failure) -> [BenchmarkRow] {
        var (reading, writing) = (Samples(), Samples())
        var prompt = 0
        try await rounds { () throws(Failure) in
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

    private func firstToken(_ measurement: inout Measurement) async throws(Failure) -> BenchmarkRow {
        var (cold, kept) = (Samples(), Samples())
        try await rounds { () throws(Failure) in
            // The second prompt begins like the first, which is in the model's memory then.
            let prompts = measurement.prompts.next(2)
            cold.values.append(try await measurement.run([prompts[0]], tokens: 1).seconds)
            kept.values.append(try await measurement.run([prompts[1]], tokens: 1).seconds)
        }
        return BenchmarkRow(
            id: "first", title: "first token: cold / prompt's front kept", unit: .seconds, baseline: cold, value: kept)
    }

    private func stories(_ measurement: inout Measurement) async throws(Failure) -> BenchmarkRow {
        var (single, together) = (Samples(), Samples())
        var tokens = (0, 0)
        try await rounds { () throws(Failure) in
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

    private func lookup(_ measurement: inout Measurement) async throws(Failure) -> BenchmarkRow {
        var (off, on) = (Samples(), Samples())
        var guesses = (0, 0)
        try await rounds { () throws(Failure) in
            let prompts = (measurement.prompts.copying(), measurement.prompts.copying())
            off.values.append(
                try await measurement.run([prompts.0], tokens: 2 * Benchmark.tokens).seconds)
            let run = try await measurement.run([prompts.1], tokens: 2 * Benchmark.tokens, guesses: true)
            on.values.append(run.seconds)
            guesses = (
                run.completions.reduce(0) { $0 + $1.acceptedTokens },
                run.completions.reduce(0) { $0 + $1.guessedTokens }
            )
        }
        return BenchmarkRow(
            id: "lookup", title: "copying a text: prompt lookup off / on", unit: .seconds, baseline: off, value: on,
            detail: "\(guesses.0) of \(guesses.1) guesses true")
    }

    private func memory(_ model: ModelDescription) -> BenchmarkRow {
        BenchmarkRow(
            id: "memory", title: "peak memory", unit: .mebibytes,
            value: Samples([Double(PeakMemory.bytes) / Double(1 << 20)]),
            detail: "of which the model's file is \(model.fileSize >> 20) MiB, mapped")
    }

    private var notes: [String] {
        [
            "Medians; a ratio is the median of the rounds' own. Texts are written greedily, at most \(Benchmark.tokens) tokens."
        ]
    }

    // MARK: - Steps

    private func rounds(_ body: () async throws(Failure) -> Void) async throws(Failure) {
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 0..<Benchmark.rounds {
            try await body()
            if clock.now - start > Benchmark.patience { return }
        }
    }

    private func speed(_ tokens: Int, _ time: Duration) -> Double? {
        time > .zero && tokens > 0 ? Double(tokens) / (time / .seconds(1)) : nil
    }

    /// Runs of the engine, each with prompts of its own.
    private struct Measurement {
        let engine: Engine
        var prompts = BenchmarkPrompts()

        init(engine: Engine) { self.engine = engine }

        func run(
            _ prompts: [[ChatMessage]], tokens: Int, guesses: Bool = false
        ) async throws(Failure) -> (seconds: Double, completions: [Completion]) {
            let requests = prompts.map {
                GenerationRequest(messages: $0, maximumTokens: tokens, guesses: guesses)
            }
            let clock = ContinuousClock()
            let start = clock.now
            do {
                let completions = try await engine.generate(requests) { _, _ in }
                return ((clock.now - start) / .seconds(1), completions)
            } catch {
                throw Failure(error)
            }
        }
    }
}

/// The most memory this process ever had, mapped files included.
enum PeakMemory {
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
