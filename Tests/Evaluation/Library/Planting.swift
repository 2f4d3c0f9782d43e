import PulseCore
import PulseTestSupport
import PulseText

/// A sentence with one thing in it made wrong on purpose.
public struct Planted: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case otherNumber = "number of another article"
        case digit = "a digit changed"
        case magnitude = "magnitude or unit changed"
        case numberWord = "number word changed"
        case date = "day or month changed"
        case otherName = "name of another article"
        case inventedName = "invented name"
        case sameNumber = "number of the same article"
        case sameName = "name of the same article"
        case negation = "negation"
    }

    public let kind: Kind
    public let articles: [String]
    public let split: Material.Split
    public let text: String
    /// Whether the sentence is one of the article's own but for the error.
    public let isInOwnSentence: Bool
    /// What stood there, and what stands there now.
    public let right, wrong: String
}

/// Plants errors in true sentences: the same ones every time.
public struct Planting {
    private let material: Material
    private var random: SplitMix
    private let names: [String: [String]]
    private let numbers: [String: [String]]
    /// The number words that say a number of the article, in words or in digits.
    private let words: [String: [String]]

    public init(_ material: Material, seed: UInt64 = 20261121) {
        self.material = material
        random = SplitMix(seed: seed)
        names = Dictionary(uniqueKeysWithValues: material.articles.map { ($0.id, Planting.names(in: $0)) })
        numbers = Dictionary(
            uniqueKeysWithValues: material.articles.map { article in
                (article.id, Planting.found(Planting.number, in: article.text).map(\.text))
            })
        words = Dictionary(
            uniqueKeysWithValues: material.articles.map { article in
                let text = (article.title + " " + article.text).lowercased()
                let held = Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
                return (
                    article.id,
                    Planting.words.filter { held.contains($0.text) || held.contains("\($0.value)") }.map(\.text)
                )
            })
    }

    /// One error of each kind that a sentence has room for, in every paraphrase and in three sentences of each article.
    public mutating func all() -> [Planted] {
        var planted: [Planted] = []
        for paraphrase in material.paraphrases {
            planted += plant(paraphrase.text, articles: paraphrase.articles, split: paraphrase.split, isOwn: false)
        }
        for article in material.articles {
            let sentences = article.content.split(separator: "\n\n").flatMap { Sentences.split(String($0)) }
                .filter { (40...240).contains($0.count) }
            for sentence in sentences.shuffled(using: &random).prefix(3) {
                planted += plant(sentence, articles: [article.id], split: material.split, isOwn: true)
            }
        }
        return planted
    }

    private mutating func plant(_ text: String, articles: [String], split: Material.Split, isOwn: Bool) -> [Planted] {
        Planted.Kind.allCases.compactMap { kind in
            guard let (wrong, place) = change(text, kind, articles: articles) else { return nil }
            let right = String(text[place])
            guard wrong != right else { return nil }
            var changed = text
            changed.replaceSubrange(place, with: wrong)
            return Planted(
                kind: kind, articles: articles, split: split, text: changed, isInOwnSentence: isOwn, right: right,
                wrong: wrong)
        }
    }

    private mutating func change(
        _ text: String, _ kind: Planted.Kind, articles: [String]
    ) -> (String, Range<String.Index>)? {
        switch kind {
        case .otherNumber:
            guard let place = any(Planting.number, in: text) else { return nil }
            let own = Set(articles.flatMap { numbers[$0, default: []] })
            let others = material.articles.filter { !articles.contains($0.id) }.flatMap { numbers[$0.id, default: []] }
            return others.filter { !own.contains($0) }.randomElement(using: &random).map { ($0, place) }
        case .sameNumber:
            guard let place = any(Planting.number, in: text) else { return nil }
            return articles.flatMap { numbers[$0, default: []] }.filter { !text.contains($0) }
                .randomElement(using: &random).map { ($0, place) }
        case .digit:
            guard let place = any(Planting.number, in: text) else { return nil }
            // What the article holds of something else is `sameNumber`.
            let own = Set(articles.flatMap { numbers[$0, default: []] })
            for _ in 0..<20 {
                let changed = changingDigit(of: String(text[place]))
                if !own.contains(changed) { return (changed, place) }
            }
            return nil
        case .magnitude:
            guard let found = any(Planting.measure, in: text) else { return nil }
            // Behind the digit and the space.
            let place = text.index(found.lowerBound, offsetBy: 2)..<found.upperBound
            return Planting.measures[text[place].lowercased()].map { ($0, place) }
        case .numberWord:
            guard let place = any(Planting.numberWord, in: text) else { return nil }
            let own = Set(articles.flatMap { words[$0, default: []] })
            guard let word = Planting.words.map(\.text).filter({ !own.contains($0) }).randomElement(using: &random)
            else { return nil }
            return (
                text[place].first?.isUppercase == true ? word.prefix(1).uppercased() + word.dropFirst() : word, place
            )
        case .date:
            guard let place = any(Planting.day, in: text) else { return nil }
            let list = Planting.weekdays.contains(String(text[place])) ? Planting.weekdays : Planting.months
            let own = articles.compactMap(material.article).map { $0.title + " " + $0.text }
            return list.filter { name in !own.contains { $0.contains(name) } }.randomElement(using: &random)
                .map { ($0, place) }
        case .otherName, .sameName, .inventedName:
            guard let place = name(in: text, articles: articles) else { return nil }
            return newName(for: text[place], in: text, kind, articles: articles).map { ($0, place) }
        case .negation:
            guard let place = any(Planting.verb, in: text) else { return nil }
            return (text[place] + " not", place)
        }
    }

    // MARK: - Names

    private mutating func name(in text: String, articles: [String]) -> Range<String.Index>? {
        let known = Set(articles.flatMap { names[$0, default: []] })
        return Planting.found(Planting.capitalised, in: text)
            .filter { $0.range.lowerBound > text.startIndex && known.contains($0.text) }
            .randomElement(using: &random)?.range
    }

    private mutating func newName(
        for name: Substring, in text: String, _ kind: Planted.Kind, articles: [String]
    ) -> String? {
        let own = Set(articles.flatMap { names[$0, default: []] })
        let pool: [String] =
            switch kind {
            case .sameName: own.sorted().filter { !text.contains($0) }
            case .otherName:
                material.articles.filter { !articles.contains($0.id) }.flatMap { names[$0.id, default: []] }
                    .filter { !own.contains($0) }
            default: Planting.invented
            }
        // “Kestrian” for “Kestria” is no error.
        return pool.filter { $0.prefix(4) != name.prefix(4) }.randomElement(using: &random)
    }

    /// The words that an article writes with a capital inside a sentence, and never without.
    private static func names(in article: Article) -> [String] {
        let text = article.title + ".\n\n" + article.text
        let small = Set(found(#/\b\p{Ll}[\p{L}]+/#, in: text).map { $0.text.lowercased() })
        var names: Set<String> = []
        for sentence in Sentences.split(article.text) {
            for (name, range) in found(capitalised, in: sentence) where range.lowerBound > sentence.startIndex {
                // Behind a quotation mark a sentence begins.
                let before = sentence[sentence.index(before: range.lowerBound)]
                if before == " " || before == "-" { names.insert(name) }
            }
        }
        return names.filter { !small.contains($0.lowercased()) && !weekdays.contains($0) && !months.contains($0) }
            .filter { $0.count > 3 && !titles.contains($0) }.sorted()
    }

    /// Nobody takes “Ben Professor” for a name.
    private static let titles: Set<String> = [
        "Prof", "Professor", "President", "Presidente", "Minister", "Ministro", "Ministra", "Doctor", "Captain",
        "Chief", "Governor", "Mayor", "Director", "Chairman", "Chairwoman", "Secretary", "Secretaria", "Commissioner",
        "Inspector", "Judge", "Justice", "Senator", "General", "Sergeant", "Queen", "King", "Bishop",
    ]

    private static let invented = [
        "Orlen", "Verdania", "Belmar", "Quist-Hale", "Zantos", "Ferrowby", "Ulverdale", "Prenko", "Dastrin", "Halvorix",
        "Morvane", "Tessoly", "Brandurin", "Ostermoor", "Calvinden",
    ]

    // MARK: - Numbers

    private mutating func changingDigit(of number: String) -> String {
        let places = number.indices.filter { number[$0].isNumber }
        guard let place = places.randomElement(using: &random), let digit = number[place].wholeNumberValue else {
            return number
        }
        // A leading zero would make no other number, or none.
        let digits = (place == number.startIndex ? 1...9 : 0...9).filter { $0 != digit }
        var changed = number
        changed.replaceSubrange(place...place, with: "\(digits.randomElement(using: &random) ?? 1)")
        return changed
    }

    private static let measures = [
        "million": "billion", "millones": "mil", "milhões": "mil", "billion": "million",
        "metres": "kilometres", "kilometres": "metres", "centimetres": "metres", "millimetres": "centimetres",
        "crowns": "euros", "euros": "dollars", "dollars": "crowns", "grams": "kilograms", "kilograms": "tonnes",
        "tonnes": "kilograms", "minutes": "hours", "hours": "minutes", "weeks": "months", "months": "years",
        "years": "months", "days": "weeks", "seconds": "minutes", "toneladas": "kilos", "quilómetros": "metros",
    ]
    private static let words: [(text: String, value: Int)] = [
        ("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6), ("seven", 7), ("eight", 8), ("nine", 9),
        ("ten", 10), ("eleven", 11), ("twelve", 12), ("fourteen", 14), ("sixteen", 16), ("twenty", 20), ("thirty", 30),
        ("sixty", 60), ("ninety", 90),
    ]
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "January", "February", "April", "June", "July", "August", "September", "October", "November", "December",
    ]

    // MARK: - Where

    private static var number: Regex<Substring> { #/\d[\d.,:]*\d|\d/# }
    private static var capitalised: Regex<Substring> { #/\p{Lu}\p{L}+/# }
    private static var measure: Regex<Substring> {
        #/\d (?:million|millones|milhões|billion|metres|kilometres|centimetres|millimetres|crowns|euros|dollars|grams|kilograms|tonnes|minutes|hours|weeks|months|years|days|seconds|toneladas|quilómetros)\b/#
    }
    private static var numberWord: Regex<Substring> {
        #/(?i)\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|sixteen|twenty|thirty|sixty|ninety)\b/#
    }
    private static var day: Regex<Substring> {
        #/\b(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|April|June|July|August|September|October|November|December)\b/#
    }
    private static var verb: Regex<Substring> { #/\b(?:is|are|was|were|has|have|had|will)\b/# }

    private static func found(
        _ pattern: Regex<Substring>, in text: String
    ) -> [(text: String, range: Range<String.Index>)] {
        text.matches(of: pattern).map { (String(text[$0.range]), $0.range) }
    }

    private mutating func any(_ pattern: Regex<Substring>, in text: String) -> Range<String.Index>? {
        Planting.found(pattern, in: text).randomElement(using: &random)?.range
    }
}
