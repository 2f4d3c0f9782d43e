import PulseText

/// The name of a part of a split model: `NAME-00001-of-00003.gguf` (llama.cpp, `gguf-split`).
package struct SplitName {
    /// From 1.
    package let number: Int
    /// All files of the model, in order.
    package let parts: [String]

    package init?(_ path: String) {
        guard let match = path.wholeMatch(of: #/(.*)-(\d{5})-of-(\d{5})\.gguf/#), let number = Int(match.2),
            let count = Int(match.3), number >= 1, (number...1000).contains(count)
        else { return nil }
        self.number = number
        parts = (1...count).map { "\(match.1)-\($0.padded(5))-of-\(count.padded(5)).gguf" }
    }

    /// All files of the model that begins with this one.
    package static func parts(of path: String) -> [String] { SplitName(path)?.parts ?? [path] }
}
