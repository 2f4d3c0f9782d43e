/// Finds the language a text is written in: by its script, then by function words and spellings that are typical of
/// one language and not of its neighbours.
///
/// Languages that the program does not write are recognised too, so that none of them is mistaken for one that it does.
/// Any other language in Latin letters is unknown.
public enum LanguageDetector {
    /// How many characters are inspected; more would not make the result more certain.
    private static let front = 2000
    /// The least evidence for an answer: about two small words that only one language has.
    private static let leastEvidence = 1.8
    /// The best language must have this many times the evidence of the second.
    private static let leastLead = 1.35
    /// A text of up to this many words counts as a title. Titles have few small words, so less evidence is enough, but
    /// the lead must be larger.
    private static let titleWords = 14.0
    private static let leastTitleEvidence = 0.6
    private static let leastTitleLead = 1.7
    /// Titles are recognised in these languages only: words of the others occur in titles of any language.
    private static let main: Set<LatinLanguage> = [.english, .portuguese, .spanish]
    /// The least evidence per word: a few small words in a quotation do not decide the language around it.
    private static let leastDensity = 0.07

    /// - Returns: A BCP 47 tag: a language such as `pt`, or a script that several share, such as `und-Cyrl`; nil where
    ///   the text is too short, or too mixed, to tell.
    public static func language(of text: String) -> String? {
        // In a title, a quotation may outweigh the rest; a longer text hardly ever quotes that much in another
        // language.
        let isShort = text.prefix(200).count < 200
        let bare = isShort ? text.replacing(#/[“«„"][^”»"]*[”»"]/#, with: " ") : text
        let front = bare.prefix(LanguageDetector.front)
        let (script, letters) = Script.commonest(in: front)
        guard letters >= 8, let script else { return nil }
        guard script == .latin else { return script.tag }
        // A capitalised word is usually a name, which may be of any language; the first word of a text is an exception.
        // “s” after an apostrophe is the English possessive; a letter before one is French or Catalan.
        let split = front.split { !$0.isAlphabetic }
        let words = split.enumerated()
            .filter { $0 == 0 ? !isName(split) : $1.first?.isCapital == false }
            .map { isPossessive($1, in: front) ? possessive : $1.lowercased() }
        var evidence: [LatinLanguage: Double] = [:]
        var all = 0.0
        for (word, count) in Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +) {
            // A repeated word is usually part of a name, a table or code: repetitions add little evidence.
            let times = Double(count).squareRoot()
            all += times
            if word == possessive { evidence[.english, default: 0] += times * 0.7 }
            for (language, weight) in SmallWords.evidence[word, default: []] + Spellings.evidence(of: word) {
                evidence[language, default: 0] += weight * times
            }
        }
        let ranked = evidence.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        guard let best = ranked.first, best.value >= leastDensity * all else { return nil }
        let second = ranked.dropFirst().first?.value ?? 0
        let isClear = best.value >= leastEvidence && best.value >= leastLead * second
        let isClearTitle =
            all <= titleWords && main.contains(best.key) && best.value >= leastTitleEvidence
            && best.value >= leastTitleLead * second
        return isClear || isClearTitle ? best.key.rawValue : nil
    }

    /// Whether a text begins with a name: “São Paulo mayor …”, “ESA launches …”.
    private static func isName(_ words: [Substring]) -> Bool {
        guard let first = words.first, first.first?.isCapital == true else { return false }
        return first.count > 1 && first.allSatisfy(\.isCapital)
            || first.count > 1 && words.count > 1 && words[1].first?.isCapital == true
    }

    private static let possessive = "'s"

    private static func isPossessive(_ word: Substring, in text: Substring) -> Bool {
        word == "s" && word.startIndex > text.startIndex && "'’".contains(text[text.index(before: word.startIndex)])
    }

    /// Whether a tag is one of the languages in Latin letters that can be recognised.
    public static func isInLatinLetters(_ tag: String) -> Bool { LatinLanguage(rawValue: tag) != nil }

    /// Whether a tag is a language in Latin letters that cannot be recognised, and is taken for a neighbour: Turkish for
    /// Romanian, Croatian for Polish. Not `dk` or `se`, which feeds write for Danish and Swedish.
    public static func isUnknownInLatinLetters(_ tag: String) -> Bool { unknown.contains(tag) }

    private static let unknown = Set(
        """
        af an ast az br bs co cs cy eo et eu fi fil fo fur fy ga gd gn ha haw hr ht hu id ig is jv ku la lb lt lv mg mi \
        ms mt nb nds nn no ny oc qu rm rw sc sco sk sl sm sn so sq sr st su sw tk tl tn to tr uz wo xh yo zu
        """.split(separator: " ").map(String.init))
}

enum LatinLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case portuguese = "pt"
    case spanish = "es"
    case french = "fr"
    case german = "de"
    case italian = "it"
    case dutch = "nl"
    case catalan = "ca"
    case galician = "gl"
    case romanian = "ro"
    case swedish = "sv"
    case danish = "da"
    case polish = "pl"
    case vietnamese = "vi"
}

private enum Script {
    case latin, japanese, korean, chinese, greek, hebrew, thai, cyrillic, arabic, devanagari, other

    /// Nil for `latin`.
    var tag: String? { Script.tags[self] }

    /// ISO 15924: Zzzz is an uncoded script.
    private static let tags: [Script: String] = [
        .other: "und-Zzzz", .japanese: "ja", .korean: "ko", .chinese: "zh", .greek: "el", .hebrew: "he", .thai: "th",
        .cyrillic: "und-Cyrl", .arabic: "und-Arab", .devanagari: "und-Deva",
    ]

    /// The script with the most letters (nil for a tie), and its letter count. An ideograph, kana or Hangul counts as
    /// four.
    static func commonest(in text: Substring) -> (Script?, letters: Int) {
        var counts: [Script: Int] = [:]
        // Most letters of most texts are ASCII; counting them by scalars took a third of the detector's time.
        let letters = text.utf8.count { $0.isASCIILetter }
        if letters > 0 { counts[.latin] = letters }
        for scalar in text.unicodeScalars where !scalar.isASCII {
            if let script = Script(scalar) { counts[script, default: 0] += script.isDense ? 4 : 1 }
        }
        // Japanese uses Chinese characters too. One kana in ten of them decides for Japanese.
        if let kana = counts[.japanese], kana * 10 >= counts[.chinese, default: 0] {
            counts[.japanese, default: 0] += counts.removeValue(forKey: .chinese) ?? 0
        }
        let most = counts.values.max() ?? 0
        let leading = counts.filter { $0.value == most }.keys
        return (leading.count == 1 ? leading.first : nil, most)
    }

    private var isDense: Bool { self == .japanese || self == .korean || self == .chinese }

    /// - Parameter scalar: not ASCII.
    /// - Returns: nil where the scalar is not a letter.
    private init?(_ scalar: Unicode.Scalar) {
        // The blocks hold signs and combining marks as well.
        guard scalar.properties.isAlphabetic else { return nil }
        switch scalar.value {
        case 0xc0...0xd6, 0xd8...0xf6, 0xf8...0x24f, 0x1e00...0x1eff: self = .latin
        case 0x370...0x3ff, 0x1f00...0x1fff: self = .greek
        case 0x400...0x52f: self = .cyrillic
        case 0x590...0x5ff: self = .hebrew
        case 0x600...0x6ff, 0x750...0x77f, 0x8a0...0x8ff, 0xfb50...0xfdff, 0xfe70...0xfefc: self = .arabic
        case 0x900...0x97f: self = .devanagari
        case 0xe00...0xe7f: self = .thai
        case 0x1100...0x11ff, 0x3130...0x318f, 0xac00...0xd7a3: self = .korean
        case 0x3040...0x30ff, 0xff66...0xff9d: self = .japanese
        case 0x3400...0x4dbf, 0x4e00...0x9fff, 0xf900...0xfaff, 0x20000...0x3ffff: self = .chinese
        default: self = .other
        }
    }
}

/// The commonest words of each language, and what each of them is evidence of.
enum SmallWords {
    /// A word of one language counts 1 for it. Several languages share that 1: “de” says little, “não” says all.
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
    /// The languages that a lower-case word's spelling is evidence of.
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

    /// Two or three ASCII letters each, packed into a number: the first in the highest byte.
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
