import Foundation

/// Why the benchmark cannot go on: a sentence for the person who started it.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// With what `errno` says.
    static func unwritable(_ path: String) -> BenchError {
        BenchError("\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
