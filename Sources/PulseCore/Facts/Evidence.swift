import PulseText

/// An article, read for what can be checked against it.
struct Evidence: Sendable {
    struct Line: Sendable {
        let text: String
        let stems: Set<String>
        /// Of the lines next to it too: “She looked for 31 hours.” What was looked for stands before or behind.
        var around: Set<String>
        let quantities: [Quantity]
        /// Dates, months and weekdays.
        let dates: [Fact.Kind]
        /// Pairs of numbers with nothing or a “to” between them, as scores are written, the smaller first.
        let scores: Set<[Double]>
        /// Folded words of any kind.
        let words: Set<String>
        /// The first letters of all that bind nothing, in one string.
        let initials: String
    }

    let language: FactLanguage
    let lines: [Line]
    /// Of these, the title, the summary and the first sentence, which say what the rest is about.
    let leadCount: Int
    private(set) var stems: Set<String> = []
    /// Every word, folded.
    private(set) var words: Set<String> = []
    /// Those that stand somewhere with a small letter.
    private(set) var ordinary: Set<String> = []
    /// The words written with a capital, by their first four letters.
    private(set) var names: [Substring: Set<String>] = [:]
    /// The first letters of runs of names: `eu` for “European Union”.
    private(set) var initials: Set<String> = []
    /// Names that stand side by side, or with a small word or an initial between them.
    private(set) var pairs: Set<[String]> = []
    private let amounts: [String: Set<Double>]
    private(set) var acronyms: Set<String> = []
    private(set) var countries: Set<Int> = []
    private var dates: Set<[Int]> = []
    private var months: Set<Int> = []
    private var weekdays: Set<Int> = []
    /// Those it tells of without their number: “last year”, “seven years ago”.
    private(set) var years: Set<Int> = []
    let published: PublicationDay?
    /// The sentences to the letter, for knowing a quotation.
    private let sentences: Set<String>

    init(_ article: Article) {
        let language = FactLanguage(of: article.text) ?? .english
        self.language = language
        published = PublicationDay(article.publishedAt)
        var lines: [Line] = []
        var sentences: Set<String> = []
        let texts = [article.title, article.summary, article.content].filter { !$0.isEmpty }
        var reads: [ReadSentence] = []
        var leadCount = 0
        for text in texts {
            leadCount = text == article.content ? lines.count + 1 : 0
            for sentence in text.split(separator: "\n\n").flatMap({ Sentences.split(String($0)) }) {
                let read = ReadSentence(sentence, language: language)
                reads.append(read)
                // A line of more numbers than this is a table, or was made to keep the check busy.
                let quantities = Array(
                    read.facts.lazy.compactMap { if case .quantity(let quantity) = $0.kind { quantity } else { nil } }
                        .prefix(200))
                lines.append(
                    Line(
                        text: sentence, stems: read.stems, around: read.stems, quantities: quantities,
                        dates: read.facts.filter { !$0.isName }.map(\.kind).filter {
                            if case .quantity = $0 { false } else { true }
                        },
                        scores: read.scores, words: Set(read.tokens.map(\.folded)),
                        initials: String(
                            read.tokens.filter { !FactWords.small.contains($0.folded) }.compactMap(\.folded.first))))
                sentences.insert(Evidence.plain(sentence))
            }
        }
        for index in lines.indices {
            for next in [index - 1, index + 1] where lines.indices.contains(next) {
                lines[index].around.formUnion(lines[next].stems)
            }
        }
        self.lines = lines
        self.leadCount = leadCount == 0 ? lines.count : leadCount
        self.sentences = sentences
        amounts = lines.flatMap(\.quantities).flatMap(\.readings).reduce(into: [:]) { amounts, reading in
            if let unit = reading.unit { amounts[unit.dimension, default: []].insert(reading.value * unit.factor) }
        }
        for read in reads + [ReadSentence(article.source, language: language)] { note(read) }
        stems = lines.reduce(into: []) { $0.formUnion($1.stems) }
    }

    private mutating func note(_ read: ReadSentence) {
        for token in read.tokens {
            words.insert(token.folded)
            if token.isCapitalised {
                names[token.folded.prefix(4), default: []].insert(token.folded)
                if token.isAcronym { acronyms.insert(token.folded) }
            } else {
                ordinary.insert(token.folded)
            }
        }
        for run in Evidence.runs(of: read.tokens) { initials.insert(run) }
        for (index, token) in read.tokens.enumerated() where token.isCapitalised {
            for next in read.tokens[(index + 1)...].prefix(3) where next.isCapitalised {
                pairs.insert([token.folded, next.folded])
            }
            // “University of Orlen” is “Orlen University”.
            let behind = read.tokens[(index + 1)...].prefix(2).map(\.folded)
            if behind.count == 2, ["of", "de", "da", "do", "del"].contains(behind[0]) {
                pairs.insert([behind[1], token.folded])
            }
            // “The Orlen valley” is “the Orlen Valley”.
            if let next = read.tokens[(index + 1)...].first, !next.isApart {
                pairs.insert([token.folded, next.folded])
            }
        }
        // Only English writes its adjectives with a capital.
        for (index, token) in read.tokens.enumerated() where token.isCapitalised || language != .english {
            if let country = Countries.named(read.tokens, at: index) { countries.insert(country) }
        }
        for fact in read.facts {
            switch fact.kind {
            case .date(let day, let month):
                dates.insert([day, month])
                months.insert(month)
                if let weekday = published?.weekday(day: day, month: month) { weekdays.insert(weekday) }
            case .month(let month): months.insert(month)
            case .weekday(let day):
                weekdays.insert(day)
                for (day, month) in published?.days(of: day) ?? [] { dates.insert([day, month]) }
            case .quantity(let quantity):
                if let published, let ago = quantity.yearsAgo(read.tokens, fact.place) {
                    years.insert(published.year - ago)
                }
            case .name: break
            }
        }
        guard let published else { return }
        for index in read.tokens.indices {
            years.formUnion(published.years(read.tokens, at: index))
            for day in published.days(read.tokens, at: index).map(published.day) {
                dates.insert([day.day, day.month])
                weekdays.insert(day.weekday)
            }
        }
    }

    /// The initials of every run of words written with a capital, small words between them left out.
    static func runs(of tokens: [FactToken], shortest: Int = 2) -> [String] {
        var runs: [String] = []
        var run = ""
        func close() {
            if run.count >= shortest { runs.append(run) }
            run = ""
        }
        for token in tokens {
            if token.isApart { close() }
            if token.isCapitalised, !FactWords.small.contains(token.folded), let first = token.folded.first {
                run.append(first)
            } else if !(["of", "the", "and", "for", "de", "da", "do", "del", "e", "y"].contains(token.folded)) {
                close()
            }
        }
        close()
        return runs
    }

    // MARK: - What it holds

    /// The amounts in it that are measured in the same: all prices in euros.
    func values(of dimension: String) -> Set<Double> { amounts[dimension, default: []] }

    /// White space and a full stop at the end do not make another sentence.
    static func plain(_ sentence: String) -> String {
        var words = Citations.removed(from: sentence).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        while words.last == "." { words.removeLast() }
        return words
    }

    /// Whether a sentence stands in it to the letter, or several do that follow one another in it.
    func holds(sentence: String) -> Bool {
        let plain = Evidence.plain(sentence)
        if sentences.contains(plain) { return true }
        return lines.contains { line in
            plain.utf8.count > line.text.utf8.count + 1 && plain.hasPrefix(line.text + " ")
                && holds(sentence: String(plain.dropFirst(line.text.count + 1)))
        }
    }

    func holds(day: Int, month: Int) -> Bool { dates.contains([day, month]) }
    func holds(month: Int) -> Bool { months.contains(month) }
    func holds(weekday: Int) -> Bool { weekdays.contains(weekday) }
}
