import PulseCore

/// What the program says in a document or a mail beside what it says everywhere: one value a language, as `Phrases`.
struct DocumentPhrases: Sendable {
    /// A mail's subject, without its lead story: the day, and the words for articles and topics.
    let subject: @Sendable (_ day: String, _ articles: String, _ topics: String) -> String
    /// The heading over the statistics.
    let reading: String
    /// The heading of the topics, and the name of the way to them.
    let topics: String
    let articlesRead: String
    /// The name of a section's list of sources.
    let sources: @Sendable (_ section: String) -> String
    /// The name of the drawing of when was read.
    let times: String
    /// When most was read: the day, the hours where they are told, and the word for how many articles.
    let most: @Sendable (_ day: String, _ hours: String?, _ articles: String) -> String

    init(_ language: Language) {
        switch language {
        case .english: self = .english
        case .portuguese: self = .portuguese
        case .spanish: self = .spanish
        }
    }

    init(
        subject: @escaping @Sendable (String, String, String) -> String, reading: String, topics: String,
        articlesRead: String, sources: @escaping @Sendable (String) -> String, times: String,
        most: @escaping @Sendable (String, String?, String) -> String
    ) {
        self.subject = subject
        self.reading = reading
        self.topics = topics
        self.articlesRead = articlesRead
        self.sources = sources
        self.times = times
        self.most = most
    }

    private static let english = DocumentPhrases(
        subject: { "Your digest, \($0): \($1), \($2)" }, reading: "Your reading", topics: "Topics",
        articlesRead: "Articles read", sources: { "Sources: \($0)" }, times: "When you read",
        most: { day, hours, articles in "Most was read on \(day)\(hours.map { ", " + $0 } ?? ""): \(articles)." })

    private static let portuguese = DocumentPhrases(
        subject: { "Seu resumo, \($0): \($1), \($2)" }, reading: "Sua leitura", topics: "Temas",
        articlesRead: "Artigos lidos", sources: { "Fontes: \($0)" }, times: "Quando você leu",
        most: { day, hours, articles in
            "O período de mais leitura foi \(day)\(hours.map { ", " + $0 } ?? ""): \(articles)."
        })

    private static let spanish = DocumentPhrases(
        subject: { "Tu resumen, \($0): \($1), \($2)" }, reading: "Tu lectura", topics: "Temas",
        articlesRead: "Artículos leídos", sources: { "Fuentes: \($0)" }, times: "Cuándo leíste",
        most: { day, hours, articles in
            "El período de más lectura fue el \(day)\(hours.map { ", " + $0 } ?? ""): \(articles)."
        })
}
