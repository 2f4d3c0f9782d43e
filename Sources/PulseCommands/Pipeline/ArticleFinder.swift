import Foundation
import PulseCore
import PulseStore
import PulseText

/// Finds the article a person means, by whatever they call it.
struct ArticleFinder {
    let context: Context

    func find(_ reference: String) throws(Failure) -> Reading {
        if let number = Int(reference), reference.utf8.count < Store.shortestPrefix { return try numbered(number) }
        let name = try PulseLink.id(in: reference) ?? reference
        let match = try context.reading { store throws(StoreError) in try store.find(name) }
        switch match {
        case .one(let reading): return reading
        case .none:
            throw Failure(
                .noInput,
                "There is no article “\(PlainText.line(reference))” in the history. For what there is: pulse-digest history list"
            )
        case .ambiguous(let readings):
            let candidates = readings.map { "  \($0.article.key)  \(PlainText.line($0.article.title))" }
            throw Failure(
                .noInput,
                "“\(PlainText.line(reference))” fits several articles; give more of the id.\n"
                    + candidates.joined(separator: "\n"))
        }
    }
}

extension ArticleFinder {
    /// The article that stands for a story of the last digest.
    private func numbered(_ number: Int) throws(Failure) -> Reading {
        let digest = try context.reading { store throws(StoreError) in try store.latestDigest() }
        guard let digest else {
            throw Failure(
                .noInput, "A number stands for a story of the last digest, and there is none yet: pulse-digest today")
        }
        let stories = digest.stories
        guard stories.indices.contains(number - 1) else {
            throw Failure(
                .noInput,
                "The last digest has \(stories.count == 1 ? "one story" : "stories 1 to \(stories.count)"), no \(number)."
            )
        }
        return stories[number - 1].readings[0]
    }
}

/// The links the Pulse app makes: `pulse://article?id=world/2024/jan/01/slug`.
enum PulseLink {
    /// The article's id; nil where the text is no such link.
    ///
    /// - Throws: For a link without an id, or with one that climbs out of its folder: no source has such ids, and
    ///   whoever makes such a link does not mean an article.
    static func id(in text: String) throws(Failure) -> String? {
        guard text.lowercased().hasPrefix("pulse:") else { return nil }
        let shown = PlainText.line(text)
        guard let link = URLComponents(string: text), link.host?.lowercased() == "article",
            let id = link.queryItems?.first(where: { $0.name == "id" })?.value, !id.isEmpty
        else {
            throw Failure(.badData, "“\(shown)” is not a link to an article; those look like pulse://article?id=…")
        }
        let steps = id.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
        guard !id.hasPrefix("/"), !steps.contains(".."), !steps.contains("."), PlainText.line(id) == id else {
            throw Failure(.badData, "“\(shown)” is refused: its id is a path that leads elsewhere.")
        }
        return id
    }
}
