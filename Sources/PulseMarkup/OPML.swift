package import Foundation
import PulseText

/// Lists of feeds in OPML (http://opml.org/spec2.opml), in both versions and as readers write them.
package enum OPML {
    /// A feed in a list. Its texts are plain lines; its address is what stands there.
    package struct Outline: Sendable, Hashable {
        package var address: String
        /// Nil where the list gives none.
        package var title: String?
        package var site: String?
        /// The folders that it is in, the outermost first.
        package var folders: [String] = []
        /// What the list calls its kind, such as `rss`.
        package var type = ""
        /// The program that the reader who wrote the list ran over the feed; empty: none.
        package var filter = ""
    }

    /// In bytes. No list of feeds is as long.
    private static let longest = 16 << 20
    private static let mostFeeds = 20_000
    private static let longestName = 200

    /// Of a list that ends in the middle, what stands before that.
    /// - Returns: in the list's order, also those that are in it twice, and whether these are all; nil where it is no
    ///   OPML.
    package static func feeds(in list: Data) -> (feeds: [Outline], isWhole: Bool)? {
        let isShort = list.count <= longest
        let list = list.prefix(longest)
        let text = Charset.decode(list, named: [Charset.name(inXML: list)])
        var isOPML = false
        var feeds: [Outline] = []
        // A folder's name for each open element that is one, else nil.
        var open: [String?] = []
        let loss = XMLReader.read(text) { event in
            switch event {
            case .start(let tag):
                if open.isEmpty { isOPML = tag.name.lowercased() == "opml" }
                var folder: String?
                if tag.name.lowercased() == "outline" {
                    if var feed = feed(tag) {
                        feed.folders = open.compactMap(\.self)
                        feeds.append(feed)
                    } else {
                        folder = name(tag["text"]) ?? name(tag["title"])
                    }
                }
                open.append(folder)
            case .end: _ = open.popLast()
            case .text: break
            }
            return isOPML && feeds.count < mostFeeds
        }
        return isOPML ? (feeds, isShort && loss == XMLLoss() && feeds.count < mostFeeds) : nil
    }

    private static func feed(_ tag: XMLTag) -> Outline? {
        let type = tag["type"]?.trimmed.lowercased() ?? ""
        // Outlines of other types have addresses of pages and of other lists.
        let address = tag["xmlUrl"] ?? (["rss", "atom", "feed"].contains(type) ? tag["url"] : nil)
        guard let address = address?.trimmed.nonEmpty else { return nil }
        return Outline(
            address: address, title: name(tag["title"]) ?? name(tag["text"]), site: tag["htmlUrl"]?.trimmed.nonEmpty,
            type: type, filter: tag["filtercmd"]?.trimmed ?? "")
    }

    private static func name(_ text: String?) -> String? {
        text.map { PlainText.line($0, limit: longestName, bytes: 4 * longestName) }?.nonEmpty
    }
}
