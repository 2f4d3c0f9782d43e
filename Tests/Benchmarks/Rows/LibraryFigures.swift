/// What libllama says in its log lines about the memory it takes: "CPU KV buffer size = 256.00 MiB" and the like.
struct LibraryFigures: Equatable {
    /// Mebibytes.
    var mappedWeights = 0.0
    /// Weights in the order of this processor's fast instructions: a copy beside the mapped ones.
    var repackedWeights = 0.0
    var cache = 0.0
    var compute = 0.0
    var output = 0.0

    /// What a line names, the first that it does.
    private static var figures: [(name: String, path: WritableKeyPath<LibraryFigures, Double>)] {
        [
            ("Mapped model", \.mappedWeights), ("model buffer", \.repackedWeights), ("KV buffer", \.cache),
            ("compute buffer", \.compute), ("output buffer", \.output),
        ]
    }

    init(log: String) {
        for line in log.split(separator: "\n") where line.contains("buffer size") {
            guard let sign = line.lastIndex(of: "="),
                let number = line[line.index(after: sign)...].split(separator: " ").first.flatMap({ Double($0) })
            else { continue }
            if let one = Self.figures.first(where: { line.contains($0.name) }) { self[keyPath: one.path] += number }
        }
    }
}
