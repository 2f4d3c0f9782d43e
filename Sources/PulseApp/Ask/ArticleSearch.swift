package import PulseCore
import PulseDigest
import PulseInference
import PulseStore

/// Finds articles by their words, and by what they mean as far as they have vectors.
package struct ArticleSearch: Sendable {
    private let app: AppEnvironment
    private let reporter: Reporter

    package init(in app: AppEnvironment, reporter: Reporter) {
        self.app = app
        self.reporter = reporter
    }

    package struct Hit {
        package let reading: Reading
        /// The cosine of the words and the article's nearest passage, at most 1. Nil: the words stand in it.
        package let nearness: Double?
    }

    /// Cosines of what is near: of words that stand in no article, of words that stand in some, and of two articles.
    private static let (leastOfWords, leastBesideWords, leastOfArticles): (Float, Float, Float) = (0.32, 0.4, 0.55)
    /// So much further off than the nearest is too far.
    private static let span = 0.15
    /// More would be in the way of who looks for words.
    private static let mostNear = 10

    /// First the articles that have all of the words, the best match first; then those that mean the same, the nearest
    /// first. Words in quotation marks stand in an article as they are, or it is not found.
    package func find(_ words: String, limit: Int) async throws(PulseError) -> [Hit] {
        let exact = try app.history.open(.readOnly).search(words, limit: limit)
        let hits = exact.map { Hit(reading: $0, nearness: nil) }
        let stored = StoredVectors(open: app.history.open)
        guard hits.count < limit, AskedQuestion.quoted(in: words).isEmpty, AskedQuestion.saysAnything(words),
            try !stored.isEmpty(), let encoder = await encoder
        else { return hits }
        let vector = PassageVectors.Vector(try await encoder.vector(of: words))
        let known = Set(exact.map(\.article.id))
        let near = try stored.nearest(
            most: exact.count + Self.mostNear, atLeast: exact.isEmpty ? Self.leastOfWords : Self.leastBesideWords,
            by: vector.cosines)
        let least = (near.first?.best ?? 0) - Self.span
        return hits
            + near.filter { $0.best >= least && !known.contains($0.reading.article.id) }
            .prefix(min(Self.mostNear, limit - hits.count)).map { Hit(reading: $0.reading, nearness: $0.best) }
    }

    /// Articles that mean about the same as another, the nearest first, without itself. The beginning of its text, and
    /// its title, say what it is about. In other languages than English, on which the encoder was trained, everything
    /// is near.
    package func near(_ article: Article, in period: Period, limit: Int) async throws(PulseError) -> [Hit] {
        let stored = StoredVectors(open: app.history.open)
        guard article.writtenLanguage == Language.english.code, try !stored.isEmpty() else { return [] }
        let own: [UInt8]
        if let known = try app.history.open(.readOnly).vectors(of: article, form: PassageVectors.form) {
            own = known
        } else if let encoder = await encoder {
            own = PassageVectors.pack(try await encoder.vectors(of: article))
        } else {
            return []
        }
        guard let vector = PassageVectors.first(in: own) else { return [] }
        return try stored.nearest(
            in: SearchScope(period: period), most: limit + 1, atLeast: Self.leastOfArticles, by: vector.cosines
        ).filter { $0.reading.article.id != article.id }.map { Hit(reading: $0.reading, nearness: $0.best) }
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
