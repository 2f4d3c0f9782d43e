/// Why the benchmark cannot go on: a sentence for the person who started it.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
