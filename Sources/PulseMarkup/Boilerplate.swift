package import PulseCore
import PulseText

/// Removes what is not part of a story: text that publishers and their programs add around it, and instructions to
/// language models. `BoilerplateRules` describes both.
enum Boilerplate {
    /// - Parameters:
    ///   - text: Paragraphs, as `PlainText` makes them.
    ///   - isTitle: Whether it is a title, from which only instructions to models are removed.
    /// - Returns: The story alone; of a text cut off by a paywall, the teaser if it has a whole sentence, else nothing.
    static func removed(from text: String, isTitle: Bool = false) -> String {
        let found = text.withBytes { bytes in
            var finder = Finder(bytes: bytes, isTitle: isTitle)
            finder.run()
            return finder.cuts.isEmpty ? nil : (story: finder.story, hasPaywall: finder.hasPaywall)
        }
        guard let found else { return text }
        let story = PlainText.paragraphs(String(decoding: found.story, as: UTF8.self))
        return !found.hasPaywall || hasWholeSentence(story) ? story : ""
    }

    private static func hasWholeSentence(_ teaser: String) -> Bool {
        Sentences.split(teaser).contains { sentence in
            let end = sentence.last { !"\"'”’»)]".contains($0) } ?? " "
            return ".!?".contains(end) && !sentence.hasSuffix("...") && sentence.split(separator: " ").count >= 12
        }
    }
}

extension Article {
    /// Removes instructions to models only: for an article that was cleaned before it was exported.
    package func withoutPromptInjections() throws(ArticleDraft.DraftError) -> Article {
        var article = self
        article.content = Boilerplate.removed(from: content, isTitle: true)
        article.summary = Boilerplate.removed(from: summary, isTitle: true)
        article.title = Boilerplate.removed(from: title, isTitle: true)
        guard !article.title.isEmpty else { throw .noText }
        return article
    }
}

/// Reads a text from its last paragraph to its first, since rules for the end of a text depend on what follows.
private struct Finder {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let isTitle: Bool
    /// Ranges to remove, the last one first. Only a range at the text's beginning may overlap with others.
    private(set) var cuts: [Range<Int>] = []
    private(set) var hasPaywall = false
    /// How many bytes after the current paragraph are part of the story.
    private var storyAfter = 0

    init(bytes: UnsafeBufferPointer<UInt8>, isTitle: Bool) {
        self.bytes = bytes
        self.isTitle = isTitle
    }

    mutating func run() {
        var end = bytes.count
        while end > 0 {
            var start = end
            while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
            look(at: start..<end)
            end = start
            while end > 0, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        }
    }

    var story: [UInt8] {
        var story: [UInt8] = []
        var start = 0
        for cut in cuts.reversed() {
            story.append(contentsOf: bytes[start..<max(start, cut.lowerBound)])
            start = max(start, cut.upperBound)
        }
        return story + bytes[start...]
    }

    private mutating func look(at paragraph: Range<Int>) {
        let line = storyAfter == 0 && !isTitle ? paragraph.lowerBound..<endWithoutBrackets(of: paragraph) : paragraph
        var found: [Range<Int>] = line == paragraph ? [] : [line.upperBound..<paragraph.upperBound]
        let isWhole = line.count == bytes.count
        if !isTitle, isWhole, let credit = credit(in: line) {
            found = [credit]
        } else if !isTitle, BoilerplateRules.isNoText(bytes[line], isWhole: isWhole) {
            found = [paragraph]
            if line.lowerBound == 0, storyAfter <= BoilerplateRules.longestAdvertisement,
                BoilerplateRules.isAdvertisement(bytes[line])
            {
                cuts = []
                found = [0..<bytes.count]
            }
        } else {
            judge(line, upTo: paragraph.upperBound, &found)
        }
        storyAfter += found.reduce(paragraph.count) { $0 - $1.clamped(to: paragraph).count }
        cuts.append(contentsOf: found.sorted { $0.lowerBound > $1.lowerBound })
    }

    /// The sentence with a picture's credit, if others come before it.
    private func credit(in line: Range<Int>) -> Range<Int>? {
        guard let credit = BoilerplateRules.credit(in: bytes[line]) else { return nil }
        var sentences = SentenceStarts(bytes: bytes, line: line)
        while let sentence = sentences.next() {
            let end = sentences.peek()
            if end > credit { return sentence.start > line.lowerBound ? sentence.start..<end : nil }
        }
        return nil
    }

    private mutating func judge(_ line: Range<Int>, upTo end: Int, _ found: inout [Range<Int>]) {
        var sentences = SentenceStarts(bytes: bytes, line: line)
        var rests = LineRests(bytes: bytes, line: line)
        while let sentence = sentences.next() {
            let next = sentences.peek()
            let rest = sentence.start..<line.upperBound
            let isLine = sentence.start == line.lowerBound
            // Whether it is the text's whole first line, and more follows.
            let isOverText =
                isLine && line.lowerBound == 0 && next == line.upperBound
                && storyAfter >= BoilerplateRules.shortestTeaser
            var rules = BoilerplateRules.rules(forFrontAt: sentence.word, of: bytes, upTo: line.upperBound)
            if isLine {
                rules += BoilerplateRules.linesWithoutFronts.map { ($0, line.lowerBound) }
                if storyAfter == 0 { rules += BoilerplateRules.endingsWithoutFronts.map { ($0, line.lowerBound) } }
            }
            for (rule, frontEnd) in rules {
                guard !isTitle || rule.scope == .order else { continue }
                var cut: Range<Int>?
                switch rule.scope {
                case .line, .offer: cut = isLine ? rest : nil
                case .tail: cut = isLine || storyAfter == 0 ? rest : nil
                case .rest: cut = rest
                case .ending: cut = storyAfter == 0 ? rest : nil
                case .sentence, .order: cut = sentence.start..<next
                case .label where isOverText: cut = sentence.start..<next
                case .paywall, .label:
                    cut = storyAfter > BoilerplateRules.longestOffer ? sentence.start..<next : rest
                case .front: cut = isLine && line.lowerBound == 0 ? front(of: rule) : nil
                }
                guard var cut else { continue }
                // In these scopes the needed words come after the rule's first words, with a title or a name in
                // between.
                let isAround = rule.scope == .rest || rule.scope == .ending
                guard
                    rule.scope == .front
                        || (cut == rest
                            ? rests.fit(rule, from: cut.lowerBound, needing: isAround ? frontEnd : cut.lowerBound)
                            : rule.fits(bytes[cut]))
                else { continue }
                let isOffer = rule.scope == .offer && bytes[cut.upperBound - 1] == UInt8(ascii: ":")
                let isPaywall = rule.scope == .paywall || rule.scope == .label && !isOverText
                if cut == rest, isPaywall || isOffer, storyAfter <= BoilerplateRules.longestOffer {
                    hasPaywall = hasPaywall || isPaywall
                    cuts = []
                    storyAfter = 0
                    cut = cut.lowerBound..<bytes.count
                }
                if cut.upperBound == line.upperBound { cut = cut.lowerBound..<max(end, cut.upperBound) }
                if cut.upperBound >= end {
                    found.removeAll { $0.lowerBound >= cut.lowerBound }
                    found.append(cut)
                    return
                }
                found.append(cut)
                break
            }
        }
    }

    /// From the beginning of the text to the first of the words that a rule needs, which may be in the next line.
    private func front(of rule: BoilerplateRules) -> Range<Int>? {
        let front = bytes[..<min(bytes.count, rule.longest)]
        var words = 1
        for index in front.indices {
            if let length = rule.need(in: front, at: index) { return 0..<index + length }
            if front[index] <= 0x20 { words += 1 }
            if words > rule.most { return nil }
        }
        return nil
    }

    /// The end of the paragraph, less “[…]”, “[+123 chars]” or “[link] [comments]”.
    private func endWithoutBrackets(of paragraph: Range<Int>) -> Int {
        var end = paragraph.upperBound
        while end > paragraph.lowerBound, bytes[end - 1] == UInt8(ascii: "]") || bytes[end - 1] == UInt8(ascii: ")"),
            let start = bytes[max(paragraph.lowerBound, end - 40)..<end]
                .lastIndex(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "(") }),
            BoilerplateRules.isBracket(bytes[start + 1..<end - 1])
        {
            end = start
            while end > paragraph.lowerBound, bytes[end - 1] == 0x20 { end -= 1 }
        }
        guard end < paragraph.upperBound else { return end }
        // Reddit's author line comes before these brackets.
        let tail = bytes[max(paragraph.lowerBound, end - 80)..<end]
        return tail.firstRange(of: Array("submitted by ".utf8))?.lowerBound ?? end
    }
}

/// The rest of a line from a start that only moves forward: its word count, and the last of the words that each rule
/// needs. The line is read once to count words and once per rule, however many sentences it has.
private struct LineRests {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let line: Range<Int>
    private var start: Int
    /// From `start` on; nil: not counted yet.
    private var spaces: Int?
    /// Where the last of the words that a rule needs begins, by the rule's number; -1: nowhere.
    private var lastNeeds: [Int: Int] = [:]

    init(bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>) {
        self.bytes = bytes
        self.line = line
        start = line.lowerBound
    }

    /// Whether the rest from `start` is short enough for a rule, and has a word that it needs from `index` on.
    mutating func fit(_ rule: BoilerplateRules, from start: Int, needing index: Int) -> Bool {
        guard line.upperBound - start <= rule.longest, words(from: start) <= rule.most else { return false }
        guard !rule.needs.isEmpty else { return true }
        let stretch = bytes[line]
        let last = lastNeeds[rule.number] ?? stretch.indices.last { rule.need(in: stretch, at: $0) != nil } ?? -1
        lastNeeds[rule.number] = last
        return last >= index
    }

    private mutating func words(from start: Int) -> Int {
        func count(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 + ($1 == 0x20 ? 1 : 0) } }
        let left = (spaces ?? count(self.start..<line.upperBound)) - count(self.start..<start)
        spaces = left
        self.start = start
        return 1 + left
    }
}

/// Finds the starts of a line's sentences, except those inside quotation marks.
private struct SentenceStarts {
    /// The most bytes of punctuation before the first word of a sentence.
    private static let mostMarks = 16

    private let bytes: UnsafeBufferPointer<UInt8>
    private let line: Range<Int>
    private var index: Int
    private var openQuotes = 0

    init(bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>) {
        self.bytes = bytes
        self.line = line
        index = line.lowerBound
    }

    /// A sentence's start, and that of its first word, after brackets, arrows and the like.
    mutating func next() -> (start: Int, word: Int)? {
        while index < line.upperBound {
            let start = index
            var word = start
            var quotes = openQuotes
            while word < min(line.upperBound, start + SentenceStarts.mostMarks), let mark = mark(at: word) {
                quotes = mark.quotes ?? quotes
                word += mark.length
            }
            // `pass` reads these marks again, as part of the sentence.
            let isQuoted = quotes > 0
            pass()
            if !isQuoted, word < line.upperBound { return (start, word) }
        }
        return nil
    }

    func peek() -> Int { index }

    private mutating func pass() {
        while index < line.upperBound {
            index = endOfWords(from: index)
            guard index < line.upperBound else { return }
            let byte = bytes[index]
            var length = 1
            if byte == UInt8(ascii: "\"") {
                openQuotes = openQuotes == 0 ? 1 : 0
            } else if byte >= 0xc2, let mark = mark(at: index) {
                length = mark.length
                if mark.isOpening { openQuotes += 1 } else if mark.quotes == 0 { openQuotes = 0 }
            }
            let isEnd =
                byte == UInt8(ascii: ".") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
                || (length == 3 && bytes[index + 2] == 0xa6)
            index += length
            guard isEnd else { continue }
            var end = index
            while end < line.upperBound, bytes[end] != 0x20, let mark = mark(at: end) {
                if bytes[end] == UInt8(ascii: "\"") || mark.quotes == 0 { openQuotes = 0 }
                end += mark.length
            }
            index = end
            if end >= line.upperBound || bytes[end] == 0x20 {
                index = min(end + 1, line.upperBound)
                return
            }
        }
    }

    /// Skips letters, spaces and commas, which are most of a text, quickly.
    private func endOfWords(from start: Int) -> Int {
        var index = start
        while index < line.upperBound, (bytes[index] | 0x20) &- 0x61 < 0x1f || bytes[index] & 0xf3 == 0x20 {
            index += 1
        }
        return index
    }

    /// The punctuation mark at an index; nil for a letter or digit.
    private func mark(at index: Int) -> (length: Int, quotes: Int?, isOpening: Bool)? {
        switch bytes[index] {
        case UInt8(ascii: "\""): (1, openQuotes == 0 ? 1 : 0, false)
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: nil
        case ..<0x80: (1, nil, false)
        // « and »
        case 0xc2: (2, bytes[index + 1] == 0xab ? 1 : bytes[index + 1] == 0xbb ? 0 : nil, bytes[index + 1] == 0xab)
        // “ and ”, „ too
        case 0xe2:
            switch (bytes[index + 1], bytes[index + 2]) {
            case (0x80, 0x9c), (0x80, 0x9e): (3, 1, true)
            case (0x80, 0x9d): (3, 0, false)
            default: (3, nil, false)
            }
        default: nil
        }
    }
}
