package import PulseCore
import PulseDigest
import PulseInference
import PulseStore

/// Finds articles by their words, and behind these what comes near, as far as anything has vectors.
package struct ArticleSearch: Sendable {
    private let app: AppEnvironment
    private let reporter: Reporter

    package init(in app: AppEnvironment, reporter: Reporter) {
        self.app = app
        self.reporter = reporter
    }

    package struct Hit {
        package let reading: Reading
        /// At most 1. Nil: all of the words stand in it.
        package let nearness: Double?
    }

    /// Scores of what is near: where no article has all of the words, and where some have. The cosine of two articles.
    private static let (leastOfWords, leastBesideWords, leastOfArticles): (Double, Double, Float) = (0.32, 0.4, 0.55)
    /// So much further off than the nearest is too far.
    private static let span = 0.2
    /// More would be in the way of who looks for words.
    private static let mostNear = 10

    /// First the articles that have all of the words, the best match first; then those that come near, as for a
    /// question, the nearest first. Words in quotation marks stand in an article as they are, or it is not found.
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

    /// Articles that mean about the same as another, the nearest first, without itself. The beginning of its text, and
    /// its title, say what it is about. In other languages than English, on which the encoder was trained, everything
    /// is near.
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

    /// Nil where it cannot be used.
    private var encoder: Encoder? {
        get async {
            do throws(PulseError) {
                return try await Checker.openEncoder(in: app.locations)
            } catch {
                reporter.detail("nothing is found by its meaning: \(error)")
                return nil
            }
        }
    }
}
