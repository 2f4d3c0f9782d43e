package import PulseCore
import PulseText

/// Removes what is not part of a story: text that publishers and their programs add around it, and instructions to
/// language models. `BoilerplateRules` describes both.
enum Boilerplate {
    /// - Parameters:
    ///   - text: Paragraphs, as `PlainText` makes them.
    ///   - isTitle: Whether it is a title, from which only instructions to models are removed.
    /// - Returns: The story alone. Of a text that ends at a paywall, the teaser before that if it has a whole sentence,
    ///   else nothing.
    static func removed(from text: String, isTitle: Bool = false) -> String {
        var text = text
        let found = text.withUTF8 { bytes in
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
            let end = sentence.last { !"\"'”’»)]".contains($0) }
            return ".!?".contains(end ?? " ") && !sentence.hasSuffix("...")
                && sentence.split(separator: " ").count >= 12
        }
    }
}

extension Article {
    /// Removes instructions to models only: for an article that was cleaned before it was exported.
    package func withoutOrders() throws(ArticleDraft.DraftError) -> Article {
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
    /// Ranges to remove, the last one first, without overlaps.
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
        if !isTitle, BoilerplateRules.isNoText(bytes[line], isWhole: line.count == bytes.count) {
            found = [paragraph]
        } else {
            judge(line, upTo: paragraph.upperBound, &found)
        }
        storyAfter += found.reduce(paragraph.count) { $0 - $1.clamped(to: paragraph).count }
        cuts.append(contentsOf: found.sorted { $0.lowerBound > $1.lowerBound })
    }

    /// Applies the rules to each sentence of a line.
    private mutating func judge(_ line: Range<Int>, upTo end: Int, _ found: inout [Range<Int>]) {
        var sentences = SentenceStarts(bytes: bytes, line: line)
        while let sentence = sentences.next() {
            for rule in BoilerplateRules.rules(forFrontAt: sentence.word, of: bytes, upTo: line.upperBound) {
                let next = sentences.peek()
                let rest = sentence.start..<line.upperBound
                let isLine = sentence.start == line.lowerBound
                var cut: Range<Int>?
                switch rule.scope {
                case .line, .offer: cut = isLine ? rest : nil
                case .tail: cut = isLine || storyAfter == 0 ? rest : nil
                case .rest: cut = rest
                case .sentence, .order: cut = sentence.start..<next
                case .paywall: cut = storyAfter > BoilerplateRules.longestOffer ? sentence.start..<next : rest
                case .front: cut = isLine && line.lowerBound == 0 ? rest : nil
                }
                guard var cut, !isTitle || rule.scope == .order, rule.fits(bytes[cut]) else { continue }
                if rule.scope == .front { cut = cut.lowerBound..<(rule.end(in: bytes[cut]) ?? cut.upperBound) }
                let isOffer = rule.scope == .offer && bytes[cut.upperBound - 1] == UInt8(ascii: ":")
                if cut == rest, rule.scope == .paywall || isOffer, storyAfter <= BoilerplateRules.longestOffer {
                    hasPaywall = hasPaywall || rule.scope == .paywall
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

/// Finds the starts of a line's sentences, except those inside quotation marks.
private struct SentenceStarts {
    struct SentenceStart {
        let start: Int
        /// The index of its first word, after brackets, arrows and the like.
        let word: Int
    }

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

    mutating func next() -> SentenceStart? {
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
            if !isQuoted, word < line.upperBound { return SentenceStart(start: start, word: word) }
        }
        return nil
    }

    /// The index of the next sentence.
    func peek() -> Int { index }

    /// Moves to the beginning of the next sentence.
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
