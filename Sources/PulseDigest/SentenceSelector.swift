import Foundation
public import PulseCore
import PulseText
import RegexBuilder

/// Selects and shortens sentences of publications: steps 3 to 5 of the rule in docs/digest.md. Used without a model,
/// and in place of refused sentences.
struct SentenceSelector {
    private let weights: Weights
    private let day: DateInterval?
    private let language: Language?
    private let length: StoryLength
    private let shortener = Shortener()

    /// To rank reports: the cost of each word above `comfortable`, and of a sentence without a name or number.
    private static let comfortable = 28
    private static let wordCost = 0.015
    private static let namelessCost = 0.3
    /// How many words of each other report are compared, and the divisor of the shared weight.
    private static let sharedWords = 60
    private static let sharedScale = 30.0
    /// The most reports; more add nothing.
    private static let mostReports = 12
    /// A sentence with less of its title's weight needs the title before it.
    private static let leastOverlap = 0.2
    /// A quotation without its speaker, or a sentence that says little, needs it even with less than this.
    private static let leastOfLittle = 0.6
    /// A sentence without numbers is a scene if the other reports have less of it. Measured: 0 to 0.3 in features, 0.75
    /// and more at the start of reports.
    private static let leastConfirmed = 0.4
    /// The fewest words of a headline that stands for a sentence.
    private static let fewestOfHeadline = 4
    /// The number of sentences of a summary.
    private static let summary = 2

    /// - Parameters:
    ///   - day: “Today” stays in articles of this day; nil: in none.
    ///   - language: The reader's, in which a report is quoted if there is one.
    init(
        _ weights: Weights, day: DateInterval? = nil, language: Language? = nil, length: StoryLength = .normal
    ) {
        (self.weights, self.day, self.language, self.length) = (weights, day, language, length)
    }

    /// The story led by its best report, with that report's sentence; without a sentence where there are only titles.
    func entry(for story: Story) -> Digest.Entry {
        entry(story, by: story.articles) ?? Digest.Entry(story: story, sentences: [])
    }

    /// The same for the news since earlier digests, of the new reports alone; nil if there is none. A new report
    /// without sentences may tell it in its title.
    func entry(for story: Story, after known: PreviousCoverage) -> Digest.Entry? {
        let new = story.readings.filter { !known.articles.contains($0.article.id) }
        let articles = new.map(\.article)
        guard var entry = entry(story, by: articles, where: { known.isNews(in: $0, weights) }) else {
            let titled = articles.first { Lead($0).candidates.isEmpty && known.isNews(title: $0.title, weights) }
            return titled.map { Digest.Entry(story: Story(new).led(by: $0), sentences: [], update: known.last) }
        }
        entry.story = Story(new).led(by: entry.story.lead)
        entry.update = known.last
        entry.isComment = ReportFacts.isColumn(entry.story.lead)
        return entry
    }

    /// - Parameter isWanted: Which sentences of an article may be selected.
    private func entry(
        _ story: Story, by articles: [Article], where isWanted: (Article) -> (String) -> Bool = { _ in { _ in true } }
    ) -> Digest.Entry? {
        let articles = Array(articles.prefix(SentenceSelector.mostReports))
        let reports = articles.map { article in
            let lead = Lead(article)
            return (lead: lead, sentence: lead.sentence(weights, where: isWanted(article)))
        }
        let scored = reports.compactMap { report -> Scored? in
            guard let sentence = report.sentence else { return nil }
            let score = reports.count > 1 ? agreement(of: sentence, by: report.lead.article, in: articles) : 0
            return (report.lead, sentence, score)
        }
        let readable = scored.filter { language != nil && $0.lead.article.writtenLanguage == language?.code }
        // Of equal ones, the most recently read.
        guard let best = latest(readable.isEmpty ? scored : readable).max(by: { $0.score < $1.score })
        else { return nil }
        let isWanted = isWanted(best.lead.article)
        let chosen = telling(best.sentence, best.lead, in: story, where: isWanted)
        let story = story.led(by: best.lead.article)
        let titles = articles.map(\.title).joined(separator: " ")
        let isOfDay = best.lead.article.publishedAt.flatMap { day?.contains($0) } ?? false
        let sentence = shortened(chosen, best.lead, titles: titles, keepsDays: isOfDay, mayNeedTitle: true)
        var sentences = [sentence]
        if length == .long, let next = next(after: chosen, best.lead, keepsDays: isOfDay) { sentences.append(next) }
        let headline = best.lead.article.title
        if length == .short, sentence.text.wordCount > max(length.words, headline.wordCount),
            headline.wordCount >= SentenceSelector.fewestOfHeadline, isWanted(headline)
        {
            sentences = [Sentence(text: headline, sources: sentence.sources, origin: .copied)]
        }
        return Digest.Entry(
            story: story, sentences: sentences, differences: ReportDifferences.between(articles, of: day))
    }

    private typealias Scored = (lead: Lead, sentence: String, score: Double)

    /// Those of the last day that has news: features and columns often follow days later.
    private func latest(_ reports: [Scored]) -> [Scored] {
        guard reports.count > 1 else { return reports }
        func day(_ report: Scored) -> Int? { report.lead.article.dayPublished(from: self.day) }
        let news = reports.filter { weights.isNews($0.lead.article) && !ReportFacts.isColumn($0.lead.article) }
        guard let last = news.compactMap(day).max() else { return reports }
        return reports.filter { day($0) ?? last == last }
    }

    /// The sentence that follows in the article, so that it may begin with “She”.
    private func next(after sentence: String, _ lead: Lead, keepsDays: Bool) -> Sentence? {
        guard let place = lead.sentences.firstIndex(of: sentence), place + 1 < lead.sentences.count else { return nil }
        return shortened(lead.sentences[place + 1], lead, titles: lead.article.title, keepsDays: keepsDays)
    }

    /// A sentence of an article as it is shown.
    private func shortened(
        _ sentence: String, _ lead: Lead, titles: String, keepsDays: Bool = false, mayNeedTitle: Bool = false
    ) -> Sentence {
        let text = shortener.shorten(sentence, titles: titles, by: lead.lexicon, weights, keepsDays: keepsDays)
        return Sentence(
            text: text, title: mayNeedTitle ? title(before: text, lead) : nil, sources: [lead.article.id],
            origin: text == sentence ? .copied : .shortened)
    }

    /// The sentence; or, if the report opens with a scene, as features do, the early sentence that the story's other
    /// reports confirm most.
    private func telling(
        _ sentence: String, _ lead: Lead, in story: Story, where isWanted: (String) -> Bool
    ) -> String {
        let (article, reports) = (lead.article, Array(story.articles.prefix(SentenceSelector.mostReports)))
        let terms = Terms.set(of: sentence)
        guard reports.count > 1, let lexicon = lead.lexicon, !sentence.contains(where: \.isNumber),
            weights.overlap(sentence, article.title) < SentenceSelector.leastOverlap,
            weights.total(terms.intersection(self.terms(of: reports, but: article)))
                < SentenceSelector.leastConfirmed * weights.total(terms)
        else { return sentence }
        let others = lead.sentences.filter {
            ($0.contains(where: \.isNumber) || !$0.names.isEmpty) && !lexicon.pointsBack($0) && isWanted($0)
        }
        func score(_ text: String) -> Double { agreement(of: text, by: article, in: reports) }
        let best = others.map { (text: $0, score: score($0)) }.max { $0.score < $1.score }
        return best.flatMap { $0.score > score(sentence) ? $0.text : nil } ?? sentence
    }

    /// Two of the article's sentences: the lead, and the first other one.
    func summarize(_ article: Article) -> [Sentence] {
        let lead = Lead(article)
        // A very short article is shown as it is.
        let candidates = lead.candidates.isEmpty ? lead.pieces.filter(Sentences.isClosed) : lead.candidates
        guard let first = lead.sentence(weights) ?? candidates.first else { return [] }
        let others = candidates.filter { $0 != first }.prefix(SentenceSelector.summary - 1)
        let chosen = candidates.filter { $0 == first || others.contains($0) }
        return chosen.enumerated().filter { chosen.firstIndex(of: $1) == $0 }
            .map { shortened($1, lead, titles: article.title) }
    }

    /// The title, where the sentence is unclear without it.
    private func title(before text: String, _ lead: Lead) -> String? {
        let title = lead.article.title
        // A title of one word is the name of a file or column.
        guard title.contains(" "), !Terms.set(of: title).isEmpty, !text.hasPrefix(title) else { return nil }
        let overlap = weights.overlap(text, title)
        let hasLittle = overlap < SentenceSelector.leastOfLittle
        guard let lexicon = lead.lexicon else { return hasLittle && text.isSpeech ? title : nil }
        let needsTitle =
            lexicon.pointsBack(text) || overlap < SentenceSelector.leastOverlap || lexicon.relies(text, on: title)
            || hasLittle && (text.isSpeech || text.saysLittle)
        return needsTitle ? title : nil
    }

    /// How much of a sentence the other reports and the titles confirm.
    private func agreement(of sentence: String, by article: Article, in reports: [Article]) -> Double {
        let terms = Terms.set(of: sentence)
        let others = self.terms(of: reports, but: article)
        let titles = reports.reduce(into: Set<String>()) { $0.formUnion(Terms.list(of: $1.title)) }
        return weights.total(terms.intersection(others)) / SentenceSelector.sharedScale
            + weights.total(terms.intersection(titles)) / max(1, weights.total(titles))
            - SentenceSelector.wordCost * Double(max(0, sentence.wordCount - SentenceSelector.comfortable))
            - (sentence.hasNameOrNumber ? 0 : SentenceSelector.namelessCost)
    }

    private func terms(of reports: [Article], but article: Article) -> Set<String> {
        reports.filter { $0.id != article.id }.reduce(into: []) { others, other in
            others.formUnion(Terms.list(of: other.title))
            others.formUnion(Terms.list(of: other.body, words: SentenceSelector.sharedWords))
        }
    }
}

extension Article {
    /// Up to two of the article's sentences; empty if none is suitable.
    public var ownSummary: [Sentence] { SentenceSelector(Weights([self])).summarize(self) }
}

/// Shortens a sentence by leaving parts out. Nothing is joined or reworded, so the rest can be quoted; an omission
/// inside, or of the last clause, is marked by “…”. A part stays if its loss would break the sentence: “said on, that”.
struct Shortener {
    /// In words. A sentence longer than `long` may lose its last clause; at least `shortest` remain.
    private static let long = 34
    private static let shortest = 12
    /// The greatest share of the titles' weight that may be lost.
    private static let loss = 0.01

    // Made once per digest, because regular expressions cannot be shared between threads.
    /// Where and when an agency wrote it. “Ana Lima (CNN): …”, without a date or dash, is the speaker's.
    private let dateline: Regex<Substring> = {
        let place = Regex {
            #/\p{Lu}[\w.’'\/-]{0,40}(?: (?:d[aeo]s? |del? |of )?\p{Lu}[\w.’'\/-]{0,40}){0,3}/#
            #/(?: [(\[][\p{L} ]{2,30}[)\]](?=,))?(?:, \p{Lu}[\w.’' -]{2,20}?){0,2}/#
        }
        let day = Regex {
            #/(?:,? (?:\| )?)?(?:\d{1,2}(?: (?:de )?\p{L}{3,10}\.?)?|\p{Lu}\p{L}{2,9}\.? \d{1,2})/#
            #/(?:,? (?:de )?\d{4})?/#
        }
        let dated = Regex {
            Optionally(place)
            day
            " "
        }
        let agency = ChoiceOf {
            #/AAP|AFP|ANI|ANSA|AP|APP|BSS|Bloomberg|CNN|EFE|IANS|IPS|Kyodo(?: News)?|Lusa|PTI|Reuters|TASS|UNI|UPI/#
            #/Xinhua|Yonhap|dpa|(?i:europa press)|ACCESSWIRE|B(?i:usiness wire)|CNW|EINPresswire\.com/#
            #/G(?i:lobe ?newswire)|Newsfile Corp\.|PR ?Newswire/#
        }
        return Regex {
            ChoiceOf {
                // “Nuuk/Kopenhagen (dpa) - ”, “PARIS (Reuters) -”, “(HealthDay) -- ”
                Regex {
                    Optionally(place)
                    Optionally(day)
                    #/ ?(?:--)?(?:\([\w .\/]+\)|\/[\w .]+\/)(?:\.?(?:--|[–—-])\s|\s(?:--|[–—_-])\s?|--)/#
                }
                // “Paris — ”, “MADRID | ”, “GENEVA | 18 November 2026 — ”
                Regex {
                    place
                    Optionally(day)
                    #/\s?\.?(?:--|[–—|-])\s/#
                }
                // “TOLEDO, 16 (EUROPA PRESS) ”, “(CNN) ”
                Regex {
                    Optionally(dated)
                    #/[(\/]/#
                    agency
                    #/[)\/]\s?[:_]?\s?/#
                }
                // “KARACHI: ”; but “WHO: ” and “LULANA: We ” are speakers.
                #/\p{Lu}[\p{Lu}.’'\/ -]{4,30}: (?!I |We |You )/#
            }
            #/(?=["“«]?\p{Lu})/#
        }
    }()
    /// What begins an item of a list.
    private let item = #/^[-–—*•·▪‣◦] +/#
    /// Footnote numbers: `[12]`.
    private let notes = #/ ?\[\d{1,3}\]/#

    /// - Parameters:
    ///   - titles: The story's titles, whose words the sentence keeps.
    ///   - keepsDays: Whether “today” is still true.
    func shorten(
        _ original: String, titles: String, by lexicon: LeadLexicon?, _ weights: Weights, keepsDays: Bool
    ) -> String {
        let sentence = original.replacing(item, with: "")
        var text = sentence
        if let place = text.prefixMatch(of: dateline)?.range, !isPair(place, in: text, of: titles) {
            text.removeSubrange(place)
        }
        if text.wordCount < Shortener.shortest / 2 { text = sentence }
        text = text.replacing(notes, with: "")
        if let lexicon, !keepsDays { text = withoutDays(text, lexicon) }
        text = Shortener.withoutSpaces(before: lexicon?.setsSemicolonsApart == true ? ",." : ",.;", in: text)
        if let lexicon, text.wordCount > Shortener.long { text = withoutLastClause(text, titles, lexicon, weights) }
        // “iPhones are …” stays as it is.
        return text.first == original.first ? text : text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Whether what looks like a dateline is half of a name in the titles: “Lyon – Marseille”.
    private func isPair(_ place: Range<String.Index>, in text: String, of titles: String) -> Bool {
        let pair = text[..<place.upperBound] + text[place.upperBound...].prefix { $0.isLetter }
        return titles.filter(\.isLetter).contains(pair.filter(\.isLetter))
    }

    /// Removes white space before marks that end something: not before “.net” or “...”.
    private static func withoutSpaces(before marks: String, in text: String) -> String {
        var (out, space) = ("", "")
        var rest = text[...]
        while let character = rest.popFirst() {
            if character.isWhitespace {
                space.append(character)
                continue
            }
            let endsSomething = rest.first.map { !$0.isLetter && !$0.isNumber && $0 != character } ?? true
            if !marks.contains(character) || !endsSomething { out += space }
            space = ""
            out.append(character)
        }
        return out + space
    }

    // MARK: - Days

    /// Removes “today” and “yesterday”, which are wrong on any day but the article's.
    private func withoutDays(_ text: String, _ lexicon: LeadLexicon) -> String {
        var text = text
        for day in lexicon.days {
            var from = text.startIndex
            while let range = text.range(of: day, options: [.caseInsensitive], range: from..<text.endIndex) {
                from = range.upperBound
                guard let gap = gap(around: range, in: text, lexicon) else { continue }
                let offset = text.distance(from: text.startIndex, to: gap.lowerBound)
                let isInside = offset > 0 && text[gap.upperBound...].contains { $0.isLetter || $0.isNumber }
                let mark = isInside ? " …" : ""
                text.replaceSubrange(gap, with: mark)
                from = text.index(text.startIndex, offsetBy: offset + mark.count)
            }
        }
        return text
    }

    /// The range to remove for a day's word, with the space before it or the comma after it; nil if it must stay.
    private func gap(
        around range: Range<String.Index>, in text: String, _ lexicon: LeadLexicon
    ) -> Range<String.Index>? {
        let before = text[..<range.lowerBound]
        let after = text[range.upperBound...]
        guard let next = after.first, before.last.map(\.isWhitespace) ?? true else { return nil }
        let following = Terms.words(of: after.prefix(24)).first ?? ""
        guard !lexicon.daysGoOn.contains(following) else { return nil }
        if before.isEmpty {
            // “Yesterday, the court …” and “Yesterday the court …”, but not “Yesterday was …” or “Today on …”.
            let rest = after.drop { $0 == "," || $0.isWhitespace }
            guard next == "," || rest.first?.isUppercase == true || lexicon.isDefinite(following),
                !lexicon.prepositions.contains(following)
            else { return nil }
            return range.lowerBound..<rest.startIndex
        }
        // A capital inside a sentence means a name.
        guard text[range.lowerBound].isLowercase, " ,.;".contains(next),
            let word = Terms.words(of: before.suffix(24)).last,
            !lexicon.prepositions.contains(word)
        else { return nil }
        let space = text.index(before: range.lowerBound)
        // “, today,” loses one of its commas.
        let isEnclosed = before.dropLast().last == "," && next == ","
        return (isEnclosed ? text.index(before: space) : space)..<range.upperBound
    }

    // MARK: - The last clause

    /// Leaves out the last clause that the sentence can lose. An end that names the speaker stays.
    private func withoutLastClause(_ text: String, _ titles: String, _ lexicon: LeadLexicon, _ weights: Weights)
        -> String
    {
        let overlap = weights.overlap(text, titles)
        var end = text.endIndex
        while let comma = text[..<end].lastIndex(of: ",") {
            end = comma
            let clause = text[text.index(after: comma)...]
            let head = String(text[..<comma])
            let count = head.wordCount
            let words = Terms.words(of: clause)
            guard count >= Shortener.shortest, let word = words.first else { break }
            guard lexicon.clauses.contains(word), clause.first == " " else {
                if words.contains(where: lexicon.speaking.contains) { break }
                continue
            }
            guard count <= Shortener.long, head.filter({ $0 == "\"" }).count.isMultiple(of: 2),
                Terms.words(of: head).contains(where: lexicon.isVerb),
                weights.overlap(head, titles) >= overlap - Shortener.loss
            else { continue }
            return head.cutShort
        }
        return text
    }
}
