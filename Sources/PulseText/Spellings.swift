/// Letters and endings that one language writes and its neighbours do not.
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

    private static let letters: [Unicode.Scalar: [Tongue]] = [
        "ã": [.portuguese], "õ": [.portuguese], "â": [.portuguese, .french, .romanian], "ê": [.portuguese, .french],
        "ñ": [.spanish, .galician], "ß": [.german], "ä": [.german, .swedish], "ö": [.german, .swedish],
        "ü": [.german], "å": [.swedish, .danish], "ø": [.danish], "æ": [.danish], "ș": [.romanian], "ț": [.romanian],
        "ă": [.romanian], "ş": [.romanian], "ţ": [.romanian], "î": [.romanian, .french], "ł": [.polish],
        "đ": [.vietnamese], "ư": [.vietnamese], "ż": [.polish],
        "ź": [.polish], "ś": [.polish], "ć": [.polish], "ą": [.polish], "ę": [.polish], "ń": [.polish],
        "ŀ": [.catalan], "œ": [.french], "û": [.french], "ù": [.french, .italian], "ì": [.italian],
        "ò": [.italian, .catalan], "è": [.french, .italian, .catalan], "ç": [.portuguese, .french, .catalan],
        "à": [.portuguese, .french, .italian, .catalan],
    ]

    private static let endings: [Substring: [Tongue]] = [
        "ção": [.portuguese], "ções": [.portuguese], "são": [.portuguese], "ões": [.portuguese],
        "agem": [.portuguese], "eiro": [.portuguese, .galician], "eira": [.portuguese, .galician],
        "ción": [.spanish, .galician], "ciones": [.spanish], "sión": [.spanish, .galician], "idad": [.spanish],
        "ó": [.spanish, .catalan], "aron": [.spanish, .galician], "ieron": [.spanish], "miento": [.spanish],
        "ció": [.catalan], "cions": [.catalan], "itat": [.catalan], "cións": [.galician],
        "dade": [.portuguese, .galician],
        "zione": [.italian], "zioni": [.italian], "ità": [.italian],
        "mente": [.portuguese, .spanish, .italian],
        "tion": [.english, .french], "tions": [.english, .french], "ing": [.english], "ness": [.english],
        "ight": [.english], "ould": [.english], "aient": [.french], "eux": [.french], "ement": [.french],
        "ung": [.german], "ungen": [.german], "keit": [.german], "lich": [.german], "isch": [.german],
        "heid": [.dutch], "lijk": [.dutch], "ingen": [.dutch, .swedish, .danish], "ului": [.romanian],
        "ować": [.polish], "ego": [.polish],
    ]

    private static let endingLengths = Set(endings.keys.map(\.count))

    /// Two or three letters of ASCII each, packed into a number: the first in the highest byte.
    private static let inside: [UInt32: [Tongue]] = Dictionary(
        uniqueKeysWithValues: parts.map { part, tongues in (part.utf8.reduce(0) { $0 << 8 | UInt32($1) }, tongues) })

    private static let parts: [String: [Tongue]] = [
        "lh": [.portuguese], "nh": [.portuguese], "sch": [.german, .dutch], "ij": [.dutch], "aa": [.dutch],
        "sz": [.polish], "cz": [.polish], "rz": [.polish], "ny": [.catalan], "gli": [.italian],
        "th": [.english], "wh": [.english], "uei": [.portuguese], "uie": [.spanish], "ue": [.spanish],
    ]
}
