import Foundation
package import PulseCore
import PulseDigest
import PulseRendering
import PulseStore
import PulseText

/// Finds the article a person means, by whatever they call it.
package struct ReferenceResolver {
    private let app: AppEnvironment
    private let reporter: Reporter

    package init(in app: AppEnvironment, reporter: Reporter) {
        self.app = app
        self.reporter = reporter
    }

    package func find(_ reference: String) throws(PulseError) -> Reading {
        if let reading = try reading(reference) { return reading }
        throw nothing(named: reference)
    }

    /// The article that `findSaved` finds.
    package func article(_ reference: String) throws(PulseError) -> Article { try findSaved(reference).article }

    /// Like `find`, but also finds bookmarks that were not read.
    package func findSaved(_ reference: String) throws(PulseError) -> Reading {
        if let reading = try reading(reference) { return reading }
        let bookmarks = try app.history.reading { store throws(PulseError) in try store.bookmarks() }
        if let bookmark = try bookmarks.find(reference) {
            return Reading(
                article: bookmark.article, readAt: app.now, origin: "bookmarks", isExact: false, basis: .bookmarks)
        }
        throw nothing(named: reference)
    }

    /// Nil where the history has nothing of that name.
    private func reading(_ reference: String) throws(PulseError) -> Reading? {
        if let number = Self.number(reference) { return try numbered(number) }
        let name = try PulseAppLink.id(in: reference) ?? reference
        let match = try app.history.reading { store throws(PulseError) in
            let match = try store.find(name)
            // What waits in the feeds is named in the same way.
            return match == .none ? try store.findEntry(name) : match
        }
        switch match {
        case .one(let reading): return reading
        case .none: return nil
        case .ambiguous(let readings):
            let candidates = readings.map { candidate($0.article) }
            throw PulseError(
                .noInput,
                "“\(PlainText.line(reference))” matches several articles; give more of the id.\n"
                    + "\(candidates.joined(separator: "\n"))")
        }
    }
}

extension ReferenceResolver {
    private func nothing(named reference: String) -> PulseError {
        PulseError(
            .noInput, "There is no article “\(PlainText.line(reference))” in the history or your feeds.",
            hint: hint(for: reference))
    }

    /// The number of a story, as it is typed, or as the digest prints it: `3`, `[3]`.
    package static func number(_ reference: String) -> Int? {
        let isBracketed = reference.hasPrefix("[") && reference.hasSuffix("]")
        let digits = isBracketed ? String(reference.dropFirst().dropLast()) : reference
        return digits.utf8.count < Store.shortestPrefix ? Int(digits) : nil
    }

    /// What the user may have meant by something that names no article.
    private func hint(for reference: String) -> Message {
        if FileManager.default.fileExists(atPath: reference) {
            return "To summarise a file: pulse-digest summarize - < \(ShellWord.quoted(reference))"
        }
        if reference.utf8.count < Store.shortestPrefix, reference.allSatisfy(\.isHexDigit) {
            return "The beginning of an id needs \(Store.shortestPrefix) characters or more."
        }
        return "To see what there is: pulse-digest history list"
    }

    /// The first article of a story of the last digest, or a source of the last answer.
    private func numbered(_ number: Int) throws(PulseError) -> Reading {
        let latest = try app.history.reading { store throws(PulseError) in try store.latestDigest() }
        guard let (digest, isAnswer) = latest else {
            throw PulseError(
                .noInput, "A number is a story of the last digest, and there is none yet.",
                hint: "Make one: pulse-digest today")
        }
        let stories = digest.stories
        guard stories.indices.contains(number - 1) else {
            if isAnswer {
                throw PulseError(
                    .noInput,
                    stories.count == 1
                        ? "The last answer has one source; there is no source \(number)."
                        : "The last answer has sources 1 to \(stories.count); there is no source \(number).",
                    hint: "Numbers stand for the sources of your last question. For the digest's: pulse-digest today")
            }
            throw PulseError(
                .noInput,
                stories.count == 1
                    ? "The last digest has one story; there is no story \(number)."
                    : "The last digest has stories 1 to \(stories.count); there is no story \(number).")
        }
        if !app.calendar.isDate(digest.date, inSameDayAs: app.now) {
            let made = DateText.compact(digest.date, in: app.timeZone)
            reporter.note(
                isAnswer
                    ? "Source \(number) of the last answer, given on \(made):"
                    : "Story \(number) of the last digest, made on \(made):")
        }
        return stories[number - 1].readings[0]
    }
}

extension [Bookmark] {
    /// The bookmark with this URL or source id, or the only one whose id or source id begins so; nil: there is none.
    package func find(_ reference: String) throws(PulseError) -> Bookmark? {
        let name = try PulseAppLink.id(in: reference) ?? reference
        let page = WebURL.identity(name)
        let ways: [(Article) -> Bool] = [
            { $0.id == name }, { page != nil && $0.url.flatMap(WebURL.identity) == page },
            {
                name.utf8.count >= Store.shortestPrefix
                    && ($0.key.hasPrefix(name.lowercased()) || $0.id.hasPrefix(name))
            },
        ]
        return try onlyOne(by: ways.map { isMeant in { isMeant($0.article) } }) { found in
            PulseError(
                .noInput,
                "“\(PlainText.line(reference))” matches several bookmarks; give more of the id.\n"
                    + "\(found.map { candidate($0.article) }.joined(separator: "\n"))")
        }
    }
}

extension Array {
    /// The element that fits the first of `ways` that any fits; nil: none fits.
    ///
    /// - Parameter ambiguity: The error if several fit; it gets the first of them.
    func onlyOne(
        by ways: [(Element) -> Bool], or ambiguity: ([Element]) -> PulseError
    ) throws(PulseError) -> Element? {
        guard let found = ways.lazy.map({ filter($0) }).first(where: { !$0.isEmpty }) else { return nil }
        guard found.count == 1 else { throw ambiguity(Array(found.prefix(Store.mostCandidates))) }
        return found[0]
    }
}

/// A line of the list of those that may be meant.
private func candidate(_ article: Article) -> String { "  \(article.key)  \(PlainText.line(article.title))" }
