import Foundation
import PulseCore
import PulseMarkup

/// A reader's list of feeds.
enum FeedList {
    /// The name of each feed and the folder that it is in, by its address. A list that is no OPML has no feeds: the
    /// articles count, and not what they are filed under.
    static func feeds(opml path: String) throws(PulseError) -> [String: StoreFeed] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw PulseError(reading: path, errno: EACCES)
        }
        var feeds: [String: StoreFeed] = [:]
        for feed in OPML.feeds(in: data) ?? [] {
            feeds[feed.address] = StoreFeed(name: feed.title, category: feed.folders.last)
        }
        return feeds
    }
}
