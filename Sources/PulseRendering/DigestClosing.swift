import PulseCore
import PulseText

/// What is said below a digest, a sentence each.
struct DigestClosing: Sendable, Hashable {
    /// Who wrote, and from how much.
    let writing: [String]
    /// What `[?]` means; nil where it does not occur.
    let doubts: String?
    /// How to read an article again by its short name; nil where none is shown.
    let readAgain: String?

    var sentences: [String] { writing + [doubts, readAgain].compactMap(\.self) }

    /// - Parameter showsNames: Whether short names of articles stand in what is above.
    init(_ digest: Digest, showsNames: Bool) {
        let phrases = Phrases(digest.language)
        let shortened = digest.sections.reduce(0) { $0 + $1.shortened }
        writing =
            [phrases.writtenBy(PlainText.line(digest.model.name))]
            + (shortened > 0 ? [phrases.shortened(shortened)] : [])
            + (digest.corrections.all > 0 ? [phrases.corrected(digest.corrections.all)] : [])
            + (digest.sections.contains { $0.foreignLanguage != nil } ? [phrases.notTranslated] : [])
        doubts = digest.hasDoubts ? phrases.doubts : nil
        readAgain = showsNames ? phrases.readAgain : nil
    }
}
