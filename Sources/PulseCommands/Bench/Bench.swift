import PulseApp
import PulseCore
import PulseRendering

extension Command {
    static let bench = Command(
        "bench", summary: "measure how fast a model reads and writes on this machine",
        details: """
            Takes from a few seconds to a few minutes, depending on the model, and needs no reading history. Other \
            programs that are running make every figure worse, so the load is printed too.
            """,
        options: [.format([.text, .json])] + Option.computing
    ) { context throws(PulseError) in
        let report = try await Benchmark(of: context.model, in: context.app, reporter: context.reporter).run()
        try context.console.write(
            context.settings.format == .json
                ? BenchmarkJSON.render(report) : BenchmarkText.render(report, style: context.style))
    }.withoutHistory()
}
