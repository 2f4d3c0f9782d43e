/// Where the sentences of a text begin and end.
///
/// The rules are for news, in scripts that mark the end of a sentence. A mark, with the quotes and brackets that close
/// after it, ends a sentence where white space and anything but a lower-case letter follows. A full stop is first
/// checked for abbreviations, initials and numbers. Within a quotation that its sentence frames (“A. B,” said Lima),
/// or within brackets in a sentence, nothing ends. A line break always ends a sentence. (Unicode Standard Annex #29
/// breaks after "Dr." and "U.S." too, which a digest cannot accept.)
public enum Sentences {
    /// The sentences in order, without the white space between them.
    ///
    /// - Parameter most: Reading stops after this many sentences.
    public static func split(_ text: String, most: Int = .max) -> [String] {
        ranges(in: text, most: most).map { String(text[$0]) }
    }

    /// The ranges of the sentences, without the white space between them. Together they cover every character of the
    /// text that is not white space.
    public static func ranges(in text: String, most: Int = .max) -> [Range<String.Index>] {
        var ranges: [Range<String.Index>] = []
        var start: String.Index?
        var end = text.startIndex
        var index = text.startIndex
        var quotation: (end: String.Index, isFramed: Bool, isWhole: Bool) = (index, false, false)
        func close() {
            if let from = start { ranges.append(from..<end) }
            start = nil
        }
        while index < text.endIndex, ranges.count < most {
            let character = text[index]
            let next = text.index(after: index)
            if character.isNewline {
                close()
            } else if !character.isSpace {
                if start == nil { start = index }
                end = next
                // “(A. B.)” alone is no part of a sentence.
                if index >= quotation.end, character != "(" || start != index, Quotation.closing(character) != nil,
                    let found = Quotation(in: text, at: index), let after = found.end
                {
                    // 他说：“我来。”大桥…: what is quoted after a colon ends its sentence.
                    let isWhole = index > text.startIndex && ":：".contains(text[text.index(before: index)])
                    quotation = (after, found.isFramed || hasWord(before: index, in: text, from: start), isWhole)
                }
                if let mark = Mark(character), let from = start {
                    end = afterClosers(text, from: next)
                    let isInside = quotation.isFramed && end < quotation.end
                    let isQuoted = quotation.isWhole && end == quotation.end && mark == .final
                    if !isInside, isQuoted || ends(text, sentence: from..<end, mark: mark, at: index) { close() }
                    index = end
                    continue
                }
            }
            index = next
        }
        close()
        return ranges
    }

    /// Whether a text ends as a sentence does: with a mark, or in a script that has no such mark.
    public static func isClosed(_ text: String) -> Bool {
        let last = text.last { !closers.contains($0) && !lateClosers.contains($0) && !$0.isSpace }
        guard let last else { return false }
        return Mark(last) != nil || isUnmarked(last)
    }

    /// Whether a text breaks off after a title within a sentence: “met Dr.”, but not in an address: “12 Main St.”
    static func endsInTitle(_ text: String) -> Bool {
        guard text.last == "." else { return false }
        let front = text.dropLast()
        let title = lastWord(of: front)
        return title.first?.isUppercase == true && beforeNames.contains(title.lowercased())
            && wordBefore(title, in: front).first?.isLowercase == true
    }

    /// Whether a text is in a script without spaces between words, so that counting its words says nothing.
    public static func isUnspaced(_ text: String) -> Bool {
        text.contains(where: isUnspacedMark) || text.last.map(isUnmarked) == true
    }

    /// Thai and Lao end a sentence with a space, but spaces also occur inside sentences: only a line break is certain.
    private static func isUnmarked(_ character: Character) -> Bool {
        character.unicodeScalars.first.map { (0xe00...0xeff).contains($0.value) } == true
    }

    // MARK: - Marks

    /// Marks of scripts that put no space after a sentence.
    public static func isUnspacedMark(_ character: Character) -> Bool { "。！？｡".contains(character) }

    enum Mark {
        /// `.` and `…`, which also stand inside sentences.
        case stop
        /// `!` and `?`: a lower-case letter after them continues the sentence, as in “Why?” he asked.
        case strong
        /// Marks that only end sentences, and may have no space after them.
        case final

        init?(_ character: Character) {
            // A quick test for the common case, a letter: comparing it with every mark takes time.
            guard let first = character.utf8.first, first >= 0x80 || ".!?".utf8.contains(first) else { return nil }
            switch character {
            case ".", "…": self = .stop
            case "!", "?", "؟", "‽": self = .strong
            case "।", "॥", "۔", "።", "។", "။", "։": self = .final
            case _ where Sentences.isUnspacedMark(character): self = .final
            default: return nil
            }
        }
    }

    /// Of German and its neighbours; elsewhere they open a quotation.
    private static let lateClosers: Set<Character> = ["“", "«"]
    private static let closers: Set<Character> = ["\"", "'", "”", "’", "»", ")", "]", "›", "」", "』", "）"]

    /// The index after further marks (“?!”, “...”) and the quotes and brackets that close with the sentence.
    private static func afterClosers(_ text: String, from index: String.Index) -> String.Index {
        var index = index
        // Chinese opens a quotation right after a mark: 他说。“我来。”
        let mayCloseLate = !isUnspacedMark(text[text.index(before: index)])
        while index < text.endIndex,
            Mark(text[index]) != nil || closers.contains(text[index])
                || mayCloseLate && isLateCloser(text, at: index)
        {
            index = text.index(after: index)
        }
        return afterGuillemet(text, from: index) ?? index
    }

    /// Whether a mark is the closing one of „…“ or »…«. Before a letter, it opens a quotation.
    private static func isLateCloser(_ text: String, at index: String.Index) -> Bool {
        guard lateClosers.contains(text[index]) else { return false }
        let next = text.index(after: index)
        return next < text.endIndex && (text[next].isWhitespace || text[next].isPunctuation)
    }

    /// The index after a French “ »”, which has a space before it. Where a letter follows, it is a German opening mark:
    /// nil.
    private static func afterGuillemet(_ text: String, from index: String.Index) -> String.Index? {
        guard index < text.endIndex, text[index].isWhitespace, !text[index].isNewline else { return nil }
        let sign = text.index(after: index)
        guard sign < text.endIndex, text[sign] == "»" else { return nil }
        let end = text.index(after: sign)
        return end == text.endIndex || text[end].isWhitespace || text[end].isPunctuation ? end : nil
    }

    private static func ends(
        _ text: String, sentence: Range<String.Index>, mark: Mark, at index: String.Index
    ) -> Bool {
        let rest = text[sentence.upperBound...]
        // 「…。」と述べた: the sentence continues after the quotation.
        if case .final = mark {
            return rest.first?.isLetter != true || text[sentence].last.map(closers.contains) == false
        }
        guard let gap = rest.first else { return true }
        guard gap.isWhitespace else { return false }
        guard let follower = rest.first(where: { !$0.isWhitespace || $0.isNewline }), !follower.isNewline else {
            return true
        }
        if follower.isLowercase {
            // “… is out. iOS needs a restart.”: a name may begin with a lower-case letter and continue with a capital.
            let word = rest.drop(while: \.isWhitespace).prefix(while: \.isLetter)
            guard text[index] != "…", word.count > 2, word.dropFirst().prefix(3).contains(where: \.isUppercase) else {
                return false
            }
        }
        guard case .stop = mark, text[index] == "." else { return true }
        // After a closing quote or another mark, it is no abbreviation.
        guard text.index(after: index) == sentence.upperBound else { return true }
        return !isAbbreviation(text[sentence.lowerBound..<index], before: rest)
    }

    /// Whether a sentence has a word before a quotation: “She said: …”, but not “(…”.
    private static func hasWord(before index: String.Index, in text: String, from start: String.Index?) -> Bool {
        start.map { text[$0..<index].prefix(4).contains { $0.isLetter || $0.isNumber } } ?? false
    }

    /// The index after the first mark in a quotation whose end is not known yet: more text may still decide whether a
    /// sentence ends there. Nil: there is none.
    fileprivate static func undecided(in text: String) -> String.Index? {
        var index = text.startIndex
        while index < text.endIndex {
            let after = text.index(after: index)
            let next = Mark(text[index]) == nil ? after : afterClosers(text, from: after)
            let found = Quotation(in: text, at: index)
            if let found, found.isOpen {
                guard let mark = text[next...].firstIndex(where: { Mark($0) != nil }) else { return nil }
                return afterClosers(text, from: text.index(after: mark))
            }
            // Within brackets there may be an open quotation.
            index = text[index] == "(" ? next : found?.end ?? next
        }
        return nil
    }

    // MARK: - Abbreviations

    /// Whether the full stop after `front` is part of its last word.
    private static func isAbbreviation(_ front: Substring, before rest: Substring) -> Bool {
        let tail = lastWord(of: front)
        let word = tail.drop { !$0.isLetter && !$0.isNumber }
        let follower = rest.drop(while: \.isWhitespace)
        let next = follower.prefix { $0.isLetter || $0.isNumber }
        if word.isEmpty { return false }
        // “1. Title”: so far, the sentence is a number only.
        if tail.startIndex == front.startIndex, word.allSatisfy(\.isNumber) { return true }
        // The “A” of “S. A.” is no article.
        let isBeforeStop = follower.dropFirst(next.count).first == "."
        let isBeforeInitial = isBeforeStop && next.count == 1 && next.allSatisfy(\.isUppercase)
        let mayGoOn = isBeforeInitial || !openers.contains(String(next))
        let plain = word.lowercased()
        let last = wordBefore(tail, in: front)
        if word.count == 1 {
            // An initial, “J. Smith”; but “Plan B. Then …” ends.
            // “5 p. m. Nadie …”
            if next.first?.isUppercase == true, finals.contains("\(last)\(word)") { return false }
            if word.allSatisfy(\.isUppercase) { return mayGoOn && !beforeLetters.contains(last.lowercased()) }
            // “z. B.”, “n. Chr.” and “u. a. Berlin”.
            let isFirst = isBeforeInitial || isBeforeStop && afterAbbreviations.contains(next.lowercased())
            if word.allSatisfy(\.isLetter), isFirst || last.last == "." && mayGoOn { return true }
        }
        // “EE. UU.”: Spanish doubles the initials of plurals.
        if isDoubled(word), isBeforeStop && isDoubled(next) || last.last == "." && isDoubled(last.dropLast()) {
            return mayGoOn
        }
        // “U.S. Senate” goes on, “in the U.S. The” ends. Hyphens join initials, as in “J.-L. Rey”.
        let parts = word.replacing(".-", with: ".")
        if ["a.m", "p.m"].contains(word.lowercased()) {
            return afterTimes.contains(next.lowercased()) || next.first?.isUppercase == false
        }
        if parts.dropFirst().contains("."), parts.allSatisfy({ $0.isLetter || $0 == "." }) {
            // “Eni S.p.A. Gli …”, “in 500 B.C. Archaeologists …”
            let isLast = finals.contains(String(word)) || last.last?.isNumber == true && eras.contains(plain)
            return mayGoOn && !(isLast && next.first?.isUppercase == true)
        }
        // “Am 19. November”: German ordinals have a stop, and German nouns capitals.
        if word.allSatisfy(\.isNumber), word.count <= 3 {
            return beforeOrdinals.contains(last.lowercased()) && mayGoOn
        }
        // “Fisher Sand & Gravel Co. (Fisher)”, “Lima GmbH & Co. KG”
        if companies.contains(plain) { return follower.first == "(" || companies.contains(next.lowercased()) }
        // “No. 5”, “s. XX”, “60 apr. J.-C.”
        let isNumeral = next.first?.isNumber == true || next.count > 1 && next.allSatisfy("IVXLC".contains)
        if beforeNumbers.contains(plain), isNumeral || follower.hasPrefix("J.-C.") { return true }
        // “16 Nov. (EFE) - ”
        if months.contains(plain), last.last?.isNumber == true, follower.first == "(" { return true }
        // “He left ING. Nobody …”: the bank, not an engineer's title. But “MM. Lima et Rey”.
        if word.allSatisfy(\.isUppercase), next.contains(where: \.isLowercase) {
            return word.count == 2 && beforeNames.contains(plain)
        }
        if notAfterNumbers.contains(plain), last.last?.isNumber != true { return mayGoOn }
        if afterAbbreviations.contains(plain), last.last == "." { return mayGoOn && !finals.contains("\(last)\(word)") }
        if mayEnd.contains(plain) { return mayGoOn }
        return beforeNames.contains(plain) && word.first?.isUppercase == true || anywhere.contains(plain)
    }

    /// Whether a word is one capital twice.
    private static func isDoubled(_ word: Substring) -> Bool {
        word.count == 2 && word.first == word.last && word.allSatisfy(\.isUppercase)
    }

    private static func wordBefore(_ last: Substring, in text: Substring) -> Substring {
        let before = text[..<last.startIndex].unicodeScalars
        guard let end = before.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return lastWord(of: text[..<before.index(after: end)])
    }

    /// The text after the last white space. Searched by scalars: stepping back over a flag by characters, Swift looks
    /// at all flags before it.
    private static func lastWord(of text: Substring) -> Substring {
        let scalars = text.unicodeScalars
        let gap = scalars.lastIndex { $0.properties.isWhitespace }
        return gap.map { text[scalars.index(after: $0)...] } ?? text
    }

    private static let lists = EmbeddedLists.words(PackageResources.abbreviations_txt)
    private static let beforeNames = lists["beforeNames", default: []]
    private static let companies = lists["companies", default: []]
    private static let beforeNumbers = lists["beforeNumbers", default: []]
    private static let months = lists["months", default: []]
    private static let beforeOrdinals = lists["beforeOrdinals", default: []]
    private static let notAfterNumbers = lists["notAfterNumbers", default: []]
    private static let afterAbbreviations = lists["afterAbbreviations", default: []]
    private static let beforeLetters = lists["beforeLetters", default: []]
    private static let afterTimes = lists["afterTimes", default: []]
    private static let finals = lists["finals", default: []]
    private static let eras = lists["eras", default: []]
    private static let mayEnd = lists["mayEnd", default: []]
    private static let anywhere = lists["anywhere", default: []]
    private static let openers = lists["openers", default: []]
}

/// Finds the ends of sentences in a text that arrives in pieces. White space at the end, and a word that may begin the
/// next sentence, are held back. The sentences do not depend on how the text was cut.
public struct SentenceStream: Sendable {
    public enum Element: Sendable, Hashable {
        /// The next piece of text, with the white space before it.
        case text(String)
        /// A sentence has ended; the whole of it, trimmed.
        case end(String)
    }

    /// The text from the end of the last sentence.
    private var rest = ""
    /// How much of `rest` has been returned already, in UTF-8 bytes.
    private var emitted = 0

    public init() {}

    /// Adds a piece of text.
    ///
    /// - Returns: the text and sentence ends that no later piece can change.
    public mutating func add(_ piece: String) -> [Element] {
        rest += piece
        return emit(upTo: settled)
    }

    /// Ends the text.
    ///
    /// - Returns: the text held back so far, and the end of the last sentence.
    public mutating func finish() -> [Element] {
        let end = rest.lastIndex { !$0.isWhitespace }.map(rest.index(after:)) ?? rest.startIndex
        var elements = emit(upTo: end)
        if let last = Sentences.ranges(in: rest).first { elements.append(.end(String(rest[last]))) }
        self = SentenceStream()
        return elements
    }

    /// Later pieces cannot change where sentences end before this.
    private var settled: String.Index {
        let end = settledOutsideQuotations
        return Sentences.undecided(in: rest).map { min($0, end) } ?? end
    }

    private var settledOutsideQuotations: String.Index {
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return rest.startIndex }
        let end = rest.index(after: last)
        // A last word without white space after it may still grow, and decides whether a sentence ended before it: in
        // “U.S. The” one did, in “U.S. Theatre” none did.
        guard end == rest.endIndex, let gap = rest.lastIndex(where: \.isWhitespace) else { return end }
        let before = rest[..<gap].last { !$0.isWhitespace }
        guard let before, !before.isLetter, !before.isNumber, before != "," else { return end }
        return rest[..<gap].lastIndex { !$0.isWhitespace }.map(rest.index(after:)) ?? end
    }

    private mutating func emit(upTo end: String.Index) -> [Element] {
        let front = rest[..<end]
        var elements: [Element] = []
        func add(upTo end: Int) {
            guard end > emitted else { return }
            let text = front.utf8.prefix(end).dropFirst(emitted)
            elements.append(.text(String(decoding: text, as: UTF8.self)))
            emitted = end
        }
        var start = rest.startIndex
        // What follows a quotation decides whether a sentence ended in it, so all of the text is read.
        let sentences = Sentences.ranges(in: rest)
        for (sentence, next) in zip(sentences, sentences.dropFirst()) where next.lowerBound < end {
            add(upTo: rest[..<sentence.upperBound].utf8.count)
            elements.append(.end(String(rest[sentence])))
            start = sentence.upperBound
        }
        add(upTo: front.utf8.count)
        emitted -= rest[..<start].utf8.count
        rest = String(rest[start...])
        return elements
    }
}
