import PulseText

/// Finds which articles stand behind a sentence, and what in it they do not hold.
///
/// Which articles: by the content words they share with it. What they hold: every number, date and name by itself, in
/// any form it may be written in; a number also only beside words that stand beside it in the article.
public struct Attribution: Sendable {
    /// The least share of a sentence's content words that an article must hold to support it, whatever it states.
    ///
    /// Others demand 0.34. Here it only decides which articles are cited and held against a sentence, and what it
    /// states is checked fact by fact; whether 0.34 would do better has not been measured by itself.
    public static let leastOverlap = 0.3
    /// The same for a sentence that states no fact an article could be known by, and for one whose facts it all holds.
    static let leastWithoutFacts = 0.25
    static func leastWithFacts(_ count: Int) -> Double { count > 1 ? 0.1 : 0.15 }
    /// Of what one article leaves over, another must hold so much, and so many words, to stand behind the sentence too.
    static let leastRest = 3
    /// How many content words to either side of a number are near it.
    static let reach = 4

    let ids: [String]
    let evidence: [Evidence]

    public init(_ articles: [Article]) {
        ids = articles.map(\.id)
        evidence = articles.map(Evidence.init)
    }

    /// What was found out about a sentence.
    public struct Verdict: Sendable, Hashable {
        /// The ids of the articles that support it, the best first; empty where none does.
        public let sources: [String]
        /// The numbers, dates and names that its articles do not hold, as they are written.
        public let doubts: [String]
        /// Whether it stands in an article to the letter.
        public let isQuoted: Bool
        /// Whether there is anything in it to be supported.
        public let isEmpty: Bool

        /// Whether it may be shown as it is.
        public var isGrounded: Bool { isEmpty || !sources.isEmpty && doubts.isEmpty }
    }

    /// The sentences of a text, each with its sources.
    public func sentences(of text: String) -> [Sentence] {
        text.split(separator: "\n\n").flatMap { Sentences.split(String($0)) }.map { sentence in
            let verdict = verdict(on: sentence)
            return Sentence(
                text: sentence, sources: verdict.sources, isGrounded: verdict.isGrounded,
                origin: verdict.isQuoted ? .copied : .model)
        }
    }

    public func verdict(on sentence: String) -> Verdict {
        let quoted = evidence.indices.filter { evidence[$0].holds(sentence: sentence) }
        if !quoted.isEmpty {
            return Verdict(sources: quoted.map { ids[$0] }, doubts: [], isQuoted: true, isEmpty: false)
        }
        let read = read(sentence)
        let claims = read.facts.filter { isClaim($0, of: read) }
        guard !read.stems.isEmpty || !claims.isEmpty else {
            return Verdict(sources: [], doubts: [], isQuoted: false, isEmpty: true)
        }
        var support = supporters(of: read)
        if support.isEmpty, let own = backer(of: read, claims) { support = [own] }
        func doubts() -> [Fact] {
            read.facts.filter { fact in
                claims.contains(fact) && !isHeld(fact, of: read, by: support)
                    || isTornApart(fact, of: read, by: support)
            }
        }
        var open = doubts()
        // What the best article does not hold another that supports the sentence may: of one story told by several,
        // each has details of its own.
        if !open.isEmpty {
            let all = candidates(for: read)
            for other in all
            where !support.contains(other.index) && other.score >= (all.first?.score ?? 0) * 0.7
                && open.contains(where: { !$0.isName && isHeld($0, of: read, by: [other.index]) })
            {
                support.append(other.index)
                open = doubts()
            }
        }
        return Verdict(
            sources: support.map { ids[$0] }, doubts: open.map { Attribution.text(of: $0, in: read) },
            isQuoted: false, isEmpty: false)
    }

    /// A sentence whose small words do not tell its language is in that of the article it is nearest to.
    func read(_ sentence: String) -> ReadSentence {
        if let language = FactLanguage(of: sentence) { return ReadSentence(sentence, language: language) }
        let read = ReadSentence(sentence, language: .english)
        let languages = Set(evidence.map(\.language))
        let language = supporters(of: read).first.map { evidence[$0].language } ?? languages.first
        guard let language, language != .english, languages.count == 1 || !supporters(of: read).isEmpty else {
            return read
        }
        return ReadSentence(sentence, language: language)
    }

    static func text(of fact: Fact, in read: ReadSentence) -> String {
        read.tokens[fact.place].map(\.text).joined(separator: " ")
    }
}
