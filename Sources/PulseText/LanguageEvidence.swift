/// The commonest words of each language, and what each of them is evidence of.
enum SmallWords {
    /// A word of one language alone counts 1 for it; of several, its parts: “de” says little, “não” says all.
    static let evidence: [String: [(Tongue, Double)]] = {
        var owners: [String: [Tongue]] = [:]
        for list in EmbeddedLists.read(PackageResources.small_words_txt) {
            guard let tongue = Tongue(rawValue: String(list.name)) else { continue }
            for word in Set(list.lines.flatMap { $0.split(separator: " ") }) {
                owners[String(word), default: []].append(tongue)
            }
        }
        return owners.mapValues { tongues in
            let all = tongues.map(weight).reduce(0, +)
            return tongues.map { ($0, weight(of: $0) / all) }
        }
    }()

    /// A word that Galician or Catalan shares with a large neighbour is more likely the neighbour's.
    private static func weight(of tongue: Tongue) -> Double { tongue == .galician || tongue == .catalan ? 0.5 : 1 }
}

/// Letters and endings that are typical of one language and not of its neighbours.
enum Spellings {
    /// What the spelling of one word, in lower case, is evidence of.
    static func evidence(of word: String) -> [(Tongue, Double)] {
        var found: [(Tongue, Double)] = []
        for scalar in word.unicodeScalars where scalar.value > 0x7f {
            if ("\u{1ea0}"..."\u{1ef9}").contains(scalar) { found.append((.vietnamese, 0.8)) }
            if let tongues = letters[scalar] { found += tongues.map { ($0, 0.8 / Double(tongues.count)) } }
        }
        guard word.utf8.count >= 4 else { return found }
        for length in endingLengths {
            guard let tongues = endings[word.suffix(length)] else { continue }
            found += tongues.map { ($0, 0.7 / Double(tongues.count)) }
        }
        // Each counts once a word.
        var seen: [UInt32] = []
        var (last, pair): (UInt32, UInt32) = (0, 0)
        for byte in word.utf8 {
            for part in [last << 8 | UInt32(byte), pair << 8 | UInt32(byte)] where !seen.contains(part) {
                guard let tongues = inside[part] else { continue }
                seen.append(part)
                found += tongues.map { ($0, 0.3 / Double(tongues.count)) }
            }
            pair = last << 8 | UInt32(byte)
            last = UInt32(byte)
        }
        return found
    }

    private static let letters = Dictionary(
        uniqueKeysWithValues: rows("letters").compactMap { row in
            row.text.unicodeScalars.first.map { ($0, row.tongues) }
        })

    private static let endings = Dictionary(uniqueKeysWithValues: rows("endings"))

    private static let endingLengths = Set(endings.keys.map(\.count))

    /// Two or three letters of ASCII each, packed into a number: the first in the highest byte.
    private static let inside: [UInt32: [Tongue]] = Dictionary(
        uniqueKeysWithValues: rows("parts").map { ($0.text.utf8.reduce(0) { $0 << 8 | UInt32($1) }, $0.tongues) })

    private static let lists = EmbeddedLists.read(PackageResources.spellings_txt)

    /// What each line of a list has: a text, and the languages that it is evidence of.
    private static func rows(_ name: Substring) -> [(text: Substring, tongues: [Tongue])] {
        (lists.first { $0.name == name }?.lines ?? []).map { line in
            let words = line.split(separator: " ")
            return (words[0], words.dropFirst().compactMap { Tongue(rawValue: String($0)) })
        }
    }
}
