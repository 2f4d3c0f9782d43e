package import PulseCore
package import PulseStore
import PulseText

/// Finds the feed that a person means: its number in the list, its address as `feeds add` takes it, its page, or a part
/// of its title that no other has.
package struct FeedFinder {
    private let feeds: [FollowedFeed]

    package init(_ feeds: [FollowedFeed]) { self.feeds = feeds }

    package func find(_ reference: String) throws(PulseError) -> Feed {
        let page = WebURL.identity(FeedAddition.address(reference))
        let ways: [(Feed) -> Bool] = [
            { $0.id == Int64(reference) },
            {
                $0.address.lowercased() == reference.lowercased()
                    || page != nil && WebURL.identity($0.address) == page
            },
            { page != nil && $0.site.flatMap(WebURL.identity) == page },
            { $0.title.lowercased() == reference.lowercased() },
            { $0.title.lowercased().contains(reference.lowercased()) },
        ]
        for isMeant in ways {
            let found = feeds.map(\.feed).filter(isMeant)
            if found.count == 1 { return found[0] }
            if found.count > 1 {
                let candidates = found.prefix(Store.mostCandidates).map { "  \($0.id)  \(PlainText.line($0.title))" }
                throw PulseError(
                    .noInput,
                    "“\(PlainText.line(reference))” fits several feeds; give the number of one.\n"
                        + "\(candidates.joined(separator: "\n"))")
            }
        }
        throw PulseError(
            .noInput, "You follow no feed “\(PlainText.line(reference))”.",
            hint: "To see those you follow: pulse-digest feeds list")
    }
}
