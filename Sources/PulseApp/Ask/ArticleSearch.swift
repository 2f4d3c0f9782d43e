package import PulseCore
import PulseDigest
import PulseInference
import PulseStore

/// Searches the history: first articles with all words of the search, then articles of similar meaning, as far as
/// articles have vectors.
package struct ArticleSearch: Sendable {
    private let app: AppEnvironment
    private let reporter: Reporter

    package init(in app: AppEnvironment, reporter: Reporter) {
        self.app = app
        self.reporter = reporter
    }

    package struct Hit {
        package let reading: Reading
        /// The similarity, at most 1. Nil: the article has all words of the search.
        package let nearness: Double?
    }

    /// The least scores of similar articles, if no article has all words and if some have; and the least cosine of two
    /// related articles.
    private static let (leastOfWords, leastBesideWords, leastOfArticles): (Double, Double, Float) = (0.32, 0.4, 0.55)
    /// The most by which a score may be below the best one.
    private static let span = 0.2
    /// More would hide the articles that have the words.
    private static let mostNear = 10

    /// First the articles with all words, the best match first; then similar ones, the most similar first. Phrases in
    /// quotation marks must be in an article literally; then no similar ones are added.
    package func find(_ words: String, limit: Int) async throws(PulseError) -> [Hit] {
        guard AskedQuestion.saysAnything(words) else {
            throw PulseError(
                .usage, "There is nothing to search for.", hint: "Such as: pulse-digest history search ferry strike")
        }
        let exact = try app.history.open(.readOnly).search(words, limit: limit)
        let hits = exact.map { Hit(reading: $0, nearness: nil) }
        let nearest = NearestArticles(open: app.history.open)
        guard hits.count < limit, AskedQuestion.quoted(in: words).isEmpty, try !nearest.isEmpty(),
            let encoder = await encoder
        else { return hits }
        let near = try await nearest.find(
            words, PassageVectors.Vector(try await encoder.vector(of: words)), most: exact.count + Self.mostNear)
        let least = max(
            exact.isEmpty ? Self.leastOfWords : Self.leastBesideWords, (near.first?.score ?? 0) - Self.span)
        let known = Set(exact.map(\.article.id))
        return hits
            + near.filter { $0.score >= least && !known.contains($0.reading.article.id) }
            .prefix(min(Self.mostNear, limit - hits.count))
            .map { Hit(reading: $0.reading, nearness: $0.score / (1 + NearestArticles.weight)) }
    }

    /// Articles similar to another one, the most similar first, compared with its title and its first passage. Only for
    /// English, on which the encoder was trained: it finds all texts in another language similar.
    package func near(_ article: Article, in period: Period, limit: Int) async throws(PulseError) -> [Hit] {
        let nearest = NearestArticles(open: app.history.open)
        guard article.writtenLanguage == Language.english.code, try !nearest.isEmpty() else { return [] }
        let own: [UInt8]
        if let known = try app.history.open(.readOnly).vectors(of: article, form: PassageVectors.form) {
            own = known
        } else if let encoder = await encoder {
            own = PassageVectors.pack(try await encoder.vectors(of: article))
        } else {
            return []
        }
        guard let vector = PassageVectors.first(in: own) else { return [] }
        return try nearest.find(
            vector, in: SearchScope(period: period), most: limit + 1, atLeast: Self.leastOfArticles
        ).filter { $0.reading.article.id != article.id }.map { Hit(reading: $0.reading, nearness: $0.score) }
    }

    /// Nil if it cannot be opened.
    private var encoder: Encoder? {
        get async {
            do throws(PulseError) {
                return try OutputChecker.openEncoder(in: app.locations)
            } catch {
                reporter.detail("nothing is found by its meaning: \(error)")
                return nil
            }
        }
    }
}
