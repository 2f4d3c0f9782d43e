import PulseText

/// A rule for text that is not part of a story, in the languages that the program writes. It matches sentences by their
/// first words and, if those are too common, by further words of which a match needs one.
struct BoilerplateRules {
    enum Scope: String {
        /// A line of its own.
        case line
        /// A line of its own, or the end of the text.
        case tail
        /// A sentence anywhere.
        case sentence
        /// A sentence anywhere, also in titles.
        case order
        /// From the sentence to the end of its line.
        case rest
        /// The last line, from the sentence on.
        case ending
        /// From the beginning of the text to the first of the words that the rule needs.
        case front
        /// From the sentence to the end of the text; the sentence alone if more than `longestOffer` follows it.
        case paywall
        /// Like `paywall`, but of a first line with text below it, the line alone.
        case label
        /// A line of its own; if it ends with a colon and at most `longestOffer` follows, also the text after it.
        case offer
    }

    let scope: Scope
    let most: Int
    let fronts: [[UInt8]]
    /// The index in `all`.
    let number: Int
    /// Phrases of which a match must hold one, by their first byte; empty: none is needed.
    private(set) var needs: [[[UInt8]]] = []

    /// In bytes. Less text than this after a paywall is about its price; more is the story.
    static let longestOffer = 1000
    /// In bytes. Less than this, below a label that begins the text, is an advertisement; more may be a story.
    static let longestAdvertisement = 200
    /// In bytes. Less than this under a label is no teaser.
    static let shortestTeaser = 40

    /// Read from `Lists/boilerplate.txt`, which describes the format.
    private static let all: [BoilerplateRules] = {
        var rules: [BoilerplateRules] = []
        for list in EmbeddedLists.read(PackageResources.boilerplate_txt) {
            let phrases = EmbeddedLists.phrases(in: list).flatMap(spellings)
            let head = list.name.split(separator: " ")
            if let scope = head.first.flatMap({ Scope(rawValue: String($0)) }),
                let most = head.last.flatMap({ Int($0) })
            {
                rules.append(BoilerplateRules(scope: scope, most: most, fronts: phrases, number: rules.count))
            } else {
                precondition(list.name == "with", "boilerplate.txt: \(list.name)")
                var needs: [[[UInt8]]] = Array(repeating: [], count: 256)
                for phrase in phrases { needs[Int(phrase[0])].append(phrase) }
                rules[rules.count - 1].needs = needs
            }
        }
        return rules
    }()

    /// The ways in which people type a phrase: with straight or curly apostrophes, with or without accents.
    private static func spellings(of phrase: String) -> Set<[UInt8]> {
        let isASCII = phrase.utf8.allSatisfy { $0 < 0x80 }
        let spellings = isASCII ? [phrase] : [phrase, Words.folded(phrase)]
        let curly = spellings.filter { $0.utf8.contains(UInt8(ascii: "'")) }.map { $0.replacing("'", with: "’") }
        return Set((spellings + curly).map { Array($0.utf8) })
    }

    /// Read from `Lists/boilerplate-lists.txt`, by name.
    private static let lists = EmbeddedLists.phrases(PackageResources.boilerplate_lists_txt)

    // MARK: - Fronts

    /// Words that may come before the first word of a rule.
    private static let fillers = (lists["fillers"] ?? []).flatMap(spellings)
    /// No sentence has more fillers than this. Without a limit, a text of fillers alone would take quadratic time.
    private static let mostFillers = 8

    private static let byKey: [UInt64: [(front: [UInt8], rule: BoilerplateRules)]] = Dictionary(
        grouping: all.flatMap { rule in rule.fronts.map { (front: $0, rule: rule) } }
    ) { entry in entry.front.withUnsafeBufferPointer { key($0, at: 0) } }

    private static let fillersByKey = Dictionary(grouping: fillers) { $0.withUnsafeBufferPointer { key($0, at: 0) } }

    /// The rules for a line, and those for a text's last line, whatever its first words are.
    static let (linesWithoutFronts, endingsWithoutFronts) = (
        all.filter { $0.fronts.isEmpty && $0.scope == .line }, all.filter { $0.fronts.isEmpty && $0.scope != .line }
    )

    /// The rules whose first words begin at an index, perhaps after fillers, and where those words end.
    static func rules(
        forFrontAt start: Int, of bytes: UnsafeBufferPointer<UInt8>, upTo end: Int
    ) -> [(rule: BoilerplateRules, end: Int)] {
        var start = start
        var rules: [(rule: BoilerplateRules, end: Int)] = []
        for _ in 0...mostFillers where start < end {
            let key = key(bytes, at: start)
            let text = bytes[start..<end]
            for entry in byKey[key] ?? [] where begins(text, with: entry.front) {
                rules.append((entry.rule, start + entry.front.count))
            }
            guard let filler = fillersByKey[key]?.first(where: { begins(text, with: $0) }) else { break }
            start += filler.count
            while start < end, !isWordByte(bytes[start]) { start += 1 }
        }
        return rules
    }

    /// Whether a match is short enough for the rule and has one of the words that it needs.
    func fits(_ stretch: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard stretch.count <= longest, stretch.reduce(1, { $0 + ($1 == 0x20 ? 1 : 0) }) <= most else { return false }
        return needs.isEmpty || stretch.indices.contains { need(in: stretch, at: $0) != nil }
    }

    /// In bytes. A longer match is refused without counting its words.
    var longest: Int { most * 40 }

    /// The length of the needed word at an index; nil if there is none.
    func need(in stretch: Slice<UnsafeBufferPointer<UInt8>>, at index: Int) -> Int? {
        let byte = BoilerplateRules.lower(stretch[index], after: 0)
        return needs[Int(byte)].first { BoilerplateRules.begins(stretch[index...], with: $0, isWhole: false) }?.count
    }

    /// The first eight bytes of a word, in lower case.
    private static func key(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt64 {
        var key: UInt64 = 0
        var index = start
        while index < bytes.count, index < start + 8, isWordByte(bytes[index]) {
            key = key << 8 | UInt64(lower(bytes[index], after: index > start ? bytes[index - 1] : 0))
            index += 1
        }
        return key
    }

    /// Whether a text begins with a phrase, in any case.
    ///
    /// - Parameter isWhole: Whether the phrase must end at the end of a word.
    private static func begins(
        _ text: Slice<UnsafeBufferPointer<UInt8>>, with phrase: [UInt8], isWhole: Bool = true
    ) -> Bool {
        guard text.count >= phrase.count else { return false }
        var last: UInt8 = 0
        for (offset, byte) in phrase.enumerated() {
            let own = text[text.startIndex + offset]
            guard lower(own, after: last) == byte else { return false }
            last = own
        }
        guard isWhole, text.count > phrase.count, let end = phrase.last, isWordByte(end),
            !phrase.suffix(3).elementsEqual("’".utf8)
        else { return true }
        return !isWordByte(text[text.startIndex + phrase.count])
    }

    private static func isWordByte(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric || byte >= 0x80 }

    /// The lower case of a byte of UTF-8, for ASCII and Latin-1.
    private static func lower(_ byte: UInt8, after last: UInt8) -> UInt8 {
        0x41...0x5a ~= byte || (last == 0xc3 && 0x80...0x9e ~= byte) ? byte | 0x20 : byte
    }

    // MARK: - Whole lines

    /// Whether a line is no text: only punctuation, a row of buttons, or a picture's caption.
    ///
    /// - Parameter isWhole: Whether it is the only line; punctuation, such as an emoticon, may then be the text.
    static func isNoText(_ line: Slice<UnsafeBufferPointer<UInt8>>, isWhole: Bool) -> Bool {
        guard line.count <= 400 else { return false }
        if credit(in: line) != nil { return true }
        for index in line.indices where line.count <= 120 && line[index] == UInt8(ascii: "(") {
            guard index > line.startIndex, line[index - 1] == 0x20 else { continue }
            if positions.contains(where: { begins(line[index...], with: $0) }) { return true }
        }
        let first = key(UnsafeBufferPointer(rebasing: line), at: 0)
        guard line.count <= 120, buttonKeys.contains(first) || line.first?.isASCIILetter != true || line.count < 9
        else { return false }
        let text = String(decoding: line, as: UTF8.self).lowercased()
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }
        // Stars and horizontal rules, but not a line of code.
        if words.allSatisfy({ $0 == "-" }) {
            return !isWhole && text.allSatisfy { !$0.isASCII || "*-_~=. ".contains($0) }
        }
        let named = words.filter { $0.contains(where: \.isLetter) }
        guard let only = named.first, named.allSatisfy({ buttons.contains(String($0)) }) else { return false }
        return named.count > 1 || loneButtons.contains(String(only))
    }

    /// Where a picture's credit begins in a line; nil if it has none.
    static func credit(in line: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard line.count <= 400 else { return nil }
        return line.indices.first { index in
            (line[index] == UInt8(ascii: "(") || line[index] == UInt8(ascii: "/"))
                && credits.contains { begins(line[index...], with: $0) }
        }
    }

    /// Whether a line is a label of an advertisement.
    static func isAdvertisement(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        line.count <= 40
            && advertisements.contains(String(decoding: line, as: UTF8.self).lowercased().filter(\.isLetter))
    }

    static func isBracket(_ inside: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let text = String(decoding: inside, as: UTF8.self).lowercased()
        return brackets.contains(text) || (text.hasPrefix("+") && text.hasSuffix("chars"))
    }

    private static let brackets = Set(lists["brackets"] ?? [])
    private static let advertisements = Set(lists["advertisements"] ?? [])
    private static let loneButtons = advertisements.union(lists["lone buttons"] ?? [])
    private static let buttons = loneButtons.union(lists["buttons"] ?? [])
    private static let buttonKeys = Set(buttons.map { Array($0.utf8).withUnsafeBufferPointer { key($0, at: 0) } })

    /// What programs call the category of an article without one.
    static let noCategories = Set((lists["no categories"] ?? []).map(Words.folded))

    private static let credits = (lists["credits"] ?? []).map { Array($0.utf8) }
    /// Words for positions in a picture, such as “left”.
    private static let positions = (lists["positions"] ?? []).map { Array($0.utf8) }
}
