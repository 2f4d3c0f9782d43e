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
    private var names: [Substring: Set<String>] = [:]
    /// The first letters of runs of names: `eu` for “European Union”.
    private(set) var initials: Set<String> = []
    /// Names that stand side by side, or with a small word or an initial between them.
    private var pairs: Set<[String]> = []
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

    /// Whether two names stand together in it.
    func holds(name: String, before next: String) -> Bool {
        pairs.contains([name, next])
            || pairs.contains { Evidence.isForm($0[0], of: name) && Evidence.isForm($0[1], of: next) }
    }

    /// Whether one line has both names and tells of a family: a brother's last name is told once.
    func tellsOfFamily(_ name: String, _ next: String) -> Bool {
        lines.contains {
            $0.words.contains(name) && $0.words.contains(next) && !$0.words.isDisjoint(with: Evidence.family)
        }
    }

    private static let family: Set<String> = [
        "brother", "brothers", "sister", "sisters", "son", "sons", "daughter", "daughters", "wife", "husband", "father",
        "mother", "twin", "twins", "couple", "cousin", "siblings", "irmao", "irmaos", "irma", "irmas", "filho", "filha",
        "filhos", "mulher", "marido", "pai", "mae", "hermano", "hermana", "hermanos", "hijo", "hija", "hijos", "esposa",
        "esposo", "padre", "madre", "gemelos", "gemeos", "primo", "prima",
    ]

    private static func isForm(_ left: String, of right: String) -> Bool { left == right || isSameName(left, right) }

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

    /// Whether a name stands in it, in one of the forms that a name has.
    func holds(name: String) -> Bool {
        if words.contains(name) || initials.contains(name) { return true }
        return names[name.prefix(4), default: []].contains { Evidence.isSameName($0, name) }
    }

    /// Whether three or more words that follow one another in it begin with these letters, names or not: “cost of
    /// living” for “CoL”. Two letters would be found anywhere.
    func holds(acronym: String) -> Bool {
        guard acronym.count >= 3 else { return initials.contains { $0.hasSuffix(acronym) } }
        return initials.contains { $0.contains(acronym) } || lines.contains { $0.initials.contains(acronym) }
    }

    /// “Kestria” and “Kestrian”, “Rovers” and “Rover”: what is behind the common front are endings that make people,
    /// adjectives and plurals of names.
    static func isSameName(_ left: String, _ right: String) -> Bool {
        let common = zip(left, right).prefix { $0 == $1 }.count
        let tails = (String(left.dropFirst(common)), String(right.dropFirst(common)))
        // “Uzbek” and “Uzbekistan”, “Levant” and “Levantine”
        if common >= 5, tails.0.isEmpty && places.contains(tails.1) || tails.1.isEmpty && places.contains(tails.0) {
            return true
        }
        // “China” and “Chinese” have little in common but what is before the endings of people.
        let isPeople = peoples.contains(tails.0) || peoples.contains(tails.1)
        guard common >= 4, isPeople || common * 3 >= max(left.count, right.count) * 2 || common >= 6 else {
            return false
        }
        return endings.contains(tails.0) && endings.contains(tails.1)
    }

    private static let places: Set<String> = [
        "istan", "land", "ine", "ite", "ano", "ana", "anos", "anas", "eno", "ena", "enho", "enha", "ense", "enses",
    ]
    private static let peoples: Set<String> = ["ian", "ians", "ese", "ish", "ean", "eans", "an", "ans"]

    private static let endings: Set<String> = [
        "", "s", "es", "n", "ns", "an", "ans", "ian", "ians", "ia", "ish", "ese", "i", "ic", "er", "ers", "a", "o",
        "os", "as",
        "e", "y", "ean", "eans", "ano", "ana", "anos", "anas", "es", "esa", "esas", "eses", "ense", "enses", "al",
    ]
}
