package import PulseCore
import PulseStore
import PulseText

/// Finds the bookmark that a person means.
package struct BookmarkFinder {
    private let bookmarks: [Bookmark]

    package init(_ bookmarks: [Bookmark]) { self.bookmarks = bookmarks }

    /// The bookmark of an id, an address, a code, or an unambiguous beginning of an id or a code; nil where there is
    /// none.
    package func find(_ reference: String) throws(PulseError) -> Bookmark? {
        let name = try PulseLink.id(in: reference) ?? reference
        let page = WebURL.identity(name)
        let ways: [(Article) -> Bool] = [
            { $0.id == name }, { page != nil && $0.url.flatMap(WebURL.identity) == page },
            {
                name.utf8.count >= Store.shortestPrefix
                    && ($0.key.hasPrefix(name.lowercased()) || $0.id.hasPrefix(name))
            },
        ]
        for isMeant in ways {
            let found = bookmarks.filter { isMeant($0.article) }
            if found.count == 1 { return found[0] }
            if found.count > 1 {
                let candidates = found.prefix(Store.mostCandidates).map {
                    "  \($0.article.key)  \(PlainText.line($0.article.title))"
                }
                throw PulseError(
                    .noInput,
                    "“\(PlainText.line(reference))” matches several bookmarks; give more of the id.\n"
                        + "\(candidates.joined(separator: "\n"))")
            }
        }
        return nil
    }
}
