extension Command {
    static let bench = Command(
        "bench", summary: "how fast a model reads and writes on this machine",
        details: """
            Takes from a few seconds with the embedded model to a few minutes with a large one, and needs no reading
            history. Other programs that are at work make every figure worse: the load is told with them. The comparison
            with other programs, and the goals, are in the repository: make bench.
            """,
        options: [.format([.text, .json]), .context, .threads]
    ) { context throws(Failure) in
        try await Benchmark(context: context).run()
    }
}
