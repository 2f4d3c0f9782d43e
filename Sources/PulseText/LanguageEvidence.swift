/// The commonest words of each language, and what each of them is evidence of.
enum SmallWords {
    /// A word of one language alone counts 1 for it; of several, its parts: “de” says little, “não” says all.
    static let evidence: [String: [(LatinLanguage, Double)]] = {
        var owners: [String: [LatinLanguage]] = [:]
        for list in EmbeddedLists.read(PackageResources.small_words_txt) {
            guard let language = LatinLanguage(rawValue: String(list.name)) else { continue }
            for word in Set(list.lines.flatMap { $0.split(separator: " ") }) {
                owners[String(word), default: []].append(language)
            }
        }
        return owners.mapValues { languages in
            let all = languages.map(weight).reduce(0, +)
            return languages.map { ($0, weight(of: $0) / all) }
        }
    }()

    /// A word that Galician or Catalan shares with a large neighbour is more likely the neighbour's.
    private static func weight(of language: LatinLanguage) -> Double {
        language == .galician || language == .catalan ? 0.5 : 1
    }
}

/// Letters and endings that are typical of one language and not of its neighbours.
enum Spellings {
    /// What the spelling of one word, in lower case, is evidence of.
    static func evidence(of word: String) -> [(LatinLanguage, Double)] {
        var found: [(LatinLanguage, Double)] = []
        for scalar in word.unicodeScalars where scalar.value > 0x7f {
            if ("\u{1ea0}"..."\u{1ef9}").contains(scalar) { found.append((.vietnamese, 0.8)) }
            if let languages = letters[scalar] { found += languages.map { ($0, 0.8 / Double(languages.count)) } }
        }
        guard word.utf8.count >= 4 else { return found }
        for length in endingLengths {
            guard let languages = endings[word.suffix(length)] else { continue }
            found += languages.map { ($0, 0.7 / Double(languages.count)) }
        }
        // Each pair or triple counts once per word.
        var seen: [UInt32] = []
        var (last, pair): (UInt32, UInt32) = (0, 0)
        for byte in word.utf8 {
            for part in [last << 8 | UInt32(byte), pair << 8 | UInt32(byte)] where !seen.contains(part) {
                guard let languages = inside[part] else { continue }
                seen.append(part)
                found += languages.map { ($0, 0.3 / Double(languages.count)) }
            }
            pair = last << 8 | UInt32(byte)
            last = UInt32(byte)
        }
        return found
    }

    private static let letters = Dictionary(
        uniqueKeysWithValues: rows("letters").compactMap { row in
            row.text.unicodeScalars.first.map { ($0, row.languages) }
        })

    private static let endings = Dictionary(uniqueKeysWithValues: rows("endings"))

    private static let endingLengths = Set(endings.keys.map(\.count))

    /// Two or three letters of ASCII each, packed into a number: the first in the highest byte.
    private static let inside: [UInt32: [LatinLanguage]] = Dictionary(
        uniqueKeysWithValues: rows("parts").map { ($0.text.utf8.reduce(0) { $0 << 8 | UInt32($1) }, $0.languages) })

    private static let lists = EmbeddedLists.read(PackageResources.spellings_txt)

    /// The lines of a list: a text, and the languages that it is evidence of.
    private static func rows(_ name: Substring) -> [(text: Substring, languages: [LatinLanguage])] {
        (lists.first { $0.name == name }?.lines ?? []).map { line in
            let words = line.split(separator: " ")
            return (words[0], words.dropFirst().compactMap { LatinLanguage(rawValue: String($0)) })
        }
    }
}
