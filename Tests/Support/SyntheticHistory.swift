import Foundation

/// A reading history of any length, for measuring: JSON lines as `import jsonl` takes them, the same for the same seed
/// on every machine. Whole texts make some two kilobytes a line, the beginnings that most feeds carry some 400 bytes.
///
/// Words are as frequent as in a language (Zipf's law: the most frequent twice as often as the second), so that a
/// search index of it is like a real one. A hundred articles are read a day, whatever the length: a longer history
/// reaches further back and its last two days hold the same number. Times are written relative to the import.
/// One in four articles is HTML, one in five has letters beyond ASCII, one in two has a teaser, one in fifty is long.
public struct SyntheticHistory: Sendable {
    /// How much of an article there is.
    public enum Text: Sendable {
        case whole
        /// The first 150 characters, without marks.
        case teaser
    }

    public let articles: Int
    private let text: Text
    private let seed: UInt64
    private let sentences: [[UInt8]]
    private let accented: [[UInt8]]

    /// Minutes between two readings: a hundred a day.
    private static let interval = 14.4
    private static let categories = [
        "world", "world", "world", "business", "business", "technology", "technology", "science", "health", "sports",
        "sports", "entertainment", "gardening",
    ]

    public init(articles: Int, text: Text = .whole, seed: UInt64 = 1) {
        self.articles = articles
        self.text = text
        self.seed = seed
        var words = Vocabulary(seed: seed)
        sentences = (0..<4096).map { _ in Array(words.sentence().utf8) }
        accented = (0..<512).map { _ in Array(words.accentedSentence().utf8) }
    }

    /// The line of the article of this number, with its line feed; 0 is the one that was read first.
    public func line(_ number: Int) -> [UInt8] {
        var random = SplitMix(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15)
        func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        let isHTML = pick(4) == 0
        let isAccented = pick(5) == 0
        // 4 to 24 sentences of some 110 bytes, and now and then a feature.
        let length = pick(50) == 0 ? 60 + pick(120) : 4 + pick(20)
        let source = pick(60)
        let minutes = Int(Double(articles - 1 - number) * SyntheticHistory.interval)
        var line: [UInt8] = []
        line.reserveCapacity(200 + length * 130)
        func add(_ text: String) { line.append(contentsOf: text.utf8) }
        func addSentence() {
            line.append(contentsOf: isAccented && pick(4) == 0 ? accented[pick(512)] : sentences[pick(4096)])
        }
        add("{\"id\":\"s\(source)/\(number)\",\"url\":\"https://source\(source).example/\(number)\",\"title\":\"")
        line.append(contentsOf: sentences[pick(4096)].prefix(40 + pick(30)).prefix { $0 < 0x80 })
        add(" x\(number)\",\"source\":\"Source \(source)\",\"category\":\"")
        add(SyntheticHistory.categories[pick(SyntheticHistory.categories.count)])
        add(
            "\",\"language\":\"en\",\"published_at\":\"-PT\(minutes + 30 + pick(600))M\",\"read_at\":\"-PT\(minutes)M\","
        )
        if text == .teaser {
            var teaser: [UInt8] = []
            while teaser.count < 150 { teaser += sentences[pick(4096)] + [0x20] }
            line.append(contentsOf: Array("\"content\":\"".utf8) + teaser.prefix(150).prefix { $0 < 0x80 })
            add("…\"}\n")
            return line
        }
        if pick(2) == 0 {
            add("\"description\":\"")
            addSentence()
            add("\",")
        }
        add(isHTML ? "\"content\":\"<p>" : "\"content\":\"")
        for sentence in 0..<length {
            addSentence()
            if sentence % 4 == 3 { add(isHTML ? "</p>\\n<p>" : "\\n\\n") } else { add(" ") }
        }
        add(isHTML ? "</p>\"}\n" : "\"}\n")
        return line
    }

    /// Writes the whole history to a file, first things first.
    public func write(to path: String) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var buffer = Data()
        for number in 0..<articles {
            buffer.append(contentsOf: line(number))
            if buffer.count > 4 << 20 {
                try file.write(contentsOf: buffer)
                buffer.removeAll(keepingCapacity: true)
            }
        }
        try file.write(contentsOf: buffer)
    }
}

/// Words of no language, in the proportions of one.
private struct Vocabulary {
    private var random: SplitMix
    /// The most frequent first.
    private var words: [String] = []

    private static let frequent = [
        "the", "of", "and", "to", "in", "a", "that", "is", "for", "was", "on", "with", "said", "as", "by", "at", "it",
        "from", "has", "are", "were", "after", "not", "will", "year", "government", "people", "city", "minister",
    ]
    private static let syllables = [
        "ba", "ver", "to", "lin", "mar", "es", "con", "tra", "di", "gor", "hel", "ni", "per", "sol", "um", "ke", "vi",
        "ran", "th", "ol", "stor", "pe", "qua", "ri", "sen", "za", "fle", "gry", "jo", "wa",
    ]

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        var seen = Set(Vocabulary.frequent)
        words = Vocabulary.frequent
        while words.count < 30_000 {
            let word = (0..<(2 + pick(3))).map { _ in Vocabulary.syllables[pick(Vocabulary.syllables.count)] }.joined()
            if seen.insert(word).inserted { words.append(word) }
        }
    }

    mutating func sentence() -> String { text(words: 12 + pick(12)) + "." }

    mutating func accentedSentence() -> String {
        "“" + text(words: 6 + pick(6)) + "”, São João café naïve — " + text(words: 5).lowercased() + "."
    }

    private mutating func text(words count: Int) -> String {
        let text = (0..<count).map { _ in words[rank()] }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// By Zipf's law: the logarithm of the rank is as good as even.
    private mutating func rank() -> Int {
        let unit = Double(random.next() >> 11) / Double(1 << 53)
        return min(words.count - 1, Int(pow(Double(words.count), unit)) - 1)
    }

    private mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
}
