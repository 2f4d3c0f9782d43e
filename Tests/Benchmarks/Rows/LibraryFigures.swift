/// What libllama says in its log lines about the memory it takes: "CPU KV buffer size = 256.00 MiB" and the like.
struct LibraryFigures: Equatable {
    /// Mebibytes.
    var mappedWeights = 0.0
    /// Weights in the order of this processor's fast instructions: a copy beside the mapped ones.
    var repackedWeights = 0.0
    var cache = 0.0
    var compute = 0.0
    var output = 0.0

    init(log: String) {
        for line in log.split(separator: "\n") where line.contains("buffer size") {
            guard let sign = line.lastIndex(of: "="),
                let number = line[line.index(after: sign)...].split(separator: " ").first.flatMap({ Double($0) })
            else { continue }
            if line.contains("Mapped model") {
                mappedWeights += number
            } else if line.contains("model buffer") {
                repackedWeights += number
            } else if line.contains("KV buffer") {
                cache += number
            } else if line.contains("compute buffer") {
                compute += number
            } else if line.contains("output buffer") {
                output += number
            }
        }
    }
}
