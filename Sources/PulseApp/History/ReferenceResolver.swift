import Foundation
package import PulseCore
import PulseDigest
import PulseRendering
import PulseStore
import PulseText

/// Finds an article by its number, id, URL or link of the Pulse app.
package struct ReferenceResolver {
    private let app: AppEnvironment
    private let reporter: Reporter

    package init(in app: AppEnvironment, reporter: Reporter) { (self.app, self.reporter) = (app, reporter) }

    package func find(_ reference: String) throws -> Reading {
        if let reading = try reading(reference) { return reading }
        throw nothing(named: reference)
    }

    /// Like `find`, but also finds bookmarks that were not read.
    package func findSaved(_ reference: String) throws -> Reading {
        if let reading = try reading(reference) { return reading }
        let bookmarks = try app.history.open().bookmarks()
        if let bookmark = try bookmarks.find(reference) { return Reading(bookmark, at: app.now) }
        throw nothing(named: reference)
    }

    /// Nil where the history has nothing of that name.
    private func reading(_ reference: String) throws -> Reading? {
        if let number = ArticleNumber(reference) { return try numbered(number) }
        let name = try PulseAppLink.id(in: reference) ?? reference
        let store = try app.history.open()
        var match = try store.find(name)
        // Unread entries are named in the same way.
        if match == .none { match = try store.findEntry(name) }
        switch match {
        case .one(let reading): return reading
        case .none: return nil
        case .ambiguous(let readings):
            throw PulseError(
                .noInput,
                "“\(PlainText.line(reference))” matches several articles; give more of the id.\n"
                    + "\(candidates(readings.map(\.article)))")
        }
    }

    private func nothing(named reference: String) -> PulseError {
        if let scheme = URLComponents(string: reference)?.scheme, !["http", "https"].contains(scheme.lowercased()),
            !reference.hasSuffix(":"), !reference.contains(where: \.isWhitespace)
        {
            return PulseError(
                .badData, "“\(PlainText.line(reference))” is no article, and such links are not followed.",
                hint: "Give an address with http or https, or pulse://article?id=….")
        }
        return PulseError(
            .noInput, "There is no article “\(PlainText.line(reference))” in the history or your feeds.",
            hint: hint(for: reference))
    }

    private func hint(for reference: String) -> Message {
        if FileManager.default.fileExists(atPath: reference) {
            return "To summarise a file: pulse-digest summarize - < \(ShellWord.quoted(reference))"
        }
        if reference.utf8.count < Store.shortestPrefix, reference.allSatisfy(\.isHexDigit) {
            return "The beginning of an id needs \(Store.shortestPrefix) characters or more."
        }
        if !reference.allSatisfy(\.isHexDigit), !reference.contains("/") {
            return "To search for it: pulse-digest history search \(ShellWord.quoted(reference))"
        }
        return "To see what there is: pulse-digest history list"
    }

    private func numbered(_ number: ArticleNumber) throws -> Reading {
        let reading =
            switch number {
            case .story(let number): try story(number, isMailed: false)
            case .mailed(let number): try story(number, isMailed: true)
            case .source(let number): try source(number)
            }
        let store = try app.history.open()
        guard try store.isRemoved(reading.article) else { return reading }
        // Only its title is left in the digest. It may have been read again since.
        if case .one(let again) = try store.find(reading.article.id) { return again }
        if let bookmark = try store.bookmarks().first(where: { $0.article.id == reading.article.id }) {
            return Reading(bookmark, at: app.now)
        }
        throw PulseError(.noInput, "“\(PlainText.line(reading.article.title))” was removed from the history.")
    }

    private func source(_ number: Int) throws -> Reading {
        let name = ArticleNumber.source(number).text
        guard let (sources, date) = try app.history.open().latestSources() else {
            throw PulseError(
                .noInput, "\(name) is a source of the last answer, and there is none yet.",
                hint: "To ask: pulse-digest ask \"What did I read about the ferry?\"")
        }
        guard sources.indices.contains(number - 1) else {
            throw PulseError(
                .noInput,
                sources.count == 1
                    ? "The last answer has one source, a1; there is no \(name)."
                    : "The last answer has sources a1 to a\(sources.count); there is no \(name).")
        }
        if !app.calendar.isDate(date, inSameDayAs: app.now) {
            reporter.note("Source \(name) of the last answer, given on \(DateText.compact(date, in: app.timeZone)):")
        }
        return sources[number - 1]
    }

    /// The first article of a story of the last digest. If no digest was printed, numbers are those of the mailed one.
    private func story(_ number: Int, isMailed: Bool) throws -> Reading {
        let store = try app.history.open()
        guard let digest = try isMailed ? store.latestMailed() : store.latestPrinted() ?? store.latestMailed() else {
            throw isMailed
                ? PulseError(
                    .noInput, "m1 is story 1 of the last email, and no email was sent yet.",
                    hint: "To have one sent each night: pulse-digest schedule install --help")
                : PulseError(
                    .noInput, "A number is a story of the last digest, and there is none yet.",
                    hint: "To make one: pulse-digest today")
        }
        let stories = digest.stories
        guard stories.indices.contains(number - 1) else {
            throw PulseError(
                .noInput,
                stories.count == 1
                    ? "The last digest has one story; there is no story \(number)."
                    : "The last digest has stories 1 to \(stories.count); there is no story \(number).")
        }
        if !app.calendar.isDate(digest.date, inSameDayAs: app.now) {
            let made = DateText.compact(digest.date, in: app.timeZone)
            reporter.note("Story \(number) of the last digest, made on \(made):")
        }
        return stories[number - 1].readings[0]
    }
}

/// A number by which an article is named.
package enum ArticleNumber: Hashable {
    /// Of the digest that was printed last: `3`, or as it is printed, `[3]`.
    case story(Int)
    /// Of the digest that was mailed last: `m3`.
    case mailed(Int)
    /// Of the last answer: `a3`, or as it is printed, `[a3]`.
    case source(Int)

    package init?(_ reference: String) {
        let isBracketed = reference.hasPrefix("[") && reference.hasSuffix("]")
        let name = isBracketed ? String(reference.dropFirst().dropLast()) : reference
        // Longer ones may be the beginning of an id.
        guard name.utf8.count < Store.shortestPrefix else { return nil }
        if let number = Int(name) {
            self = .story(number)
        } else if let number = Int(name.dropFirst()), number >= 0 {
            switch name.first {
            case "a", "A": self = .source(number)
            case "m", "M": self = .mailed(number)
            default: return nil
            }
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .story(let number): "\(number)"
        case .mailed(let number): Digest.name(ofMailed: number)
        case .source(let number): Reply.name(ofSource: number)
        }
    }
}

extension [Bookmark] {
    /// The bookmark with this URL or source id, or the only one whose id or source id has this prefix; else nil.
    package func find(_ reference: String) throws -> Bookmark? {
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
                    + "\(candidates(found.map(\.article)))")
        }
    }
}

extension Array {
    /// The only element that fits. The ways are tried in order until one finds something; nil: none does.
    ///
    /// - Parameter ambiguity: The error if several fit; it gets the first of them.
    func onlyOne(by ways: [(Element) -> Bool], or ambiguity: ([Element]) -> PulseError) throws -> Element? {
        guard let found = ways.lazy.map({ filter($0) }).first(where: { !$0.isEmpty }) else { return nil }
        guard found.count == 1 else { throw ambiguity(Array(found.prefix(Store.mostCandidates))) }
        return found[0]
    }
}

private func candidates(_ articles: [Article]) -> String {
    articles.map { "  \($0.key)  \(PlainText.line($0.title))" }.joined(separator: "\n")
}
