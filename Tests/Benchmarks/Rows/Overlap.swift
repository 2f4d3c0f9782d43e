/// How much of a text repeats its source: the share of its runs of three words that stand in the source too.
enum Overlap {
    static func share(of text: String, in source: String) -> Double {
        let runs = triples(text)
        guard !runs.isEmpty else { return 0 }
        let known = Set(triples(source))
        return Double(runs.filter(known.contains).count) / Double(runs.count)
    }

    private static func triples(_ text: String) -> [[String]] {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        guard words.count >= 3 else { return [] }
        return (0...words.count - 3).map { Array(words[$0..<$0 + 3]) }
    }
}
