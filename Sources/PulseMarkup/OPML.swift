package import Foundation
import PulseText

/// Reads lists of feeds in OPML (http://opml.org/spec2.opml), in both versions, as feed readers write them.
package enum OPML {
    /// A feed in a list. Its texts are plain lines; its address is not validated.
    package struct Outline: Sendable, Hashable {
        package var address: String
        /// Nil where the list gives none.
        package var title: String?
        package var site: String?
        /// Its folders, the outermost first.
        package var folders: [String] = []
        /// Its type, such as `rss`.
        package var type = ""
        /// Liferea's `filtercmd`: a program that the feed reader runs on the feed; empty for none.
        package var filter = ""
    }

    /// In bytes; no list of feeds is longer.
    private static let longest = 16 << 20
    private static let mostFeeds = 20_000
    private static let longestName = 200

    /// The feeds of a list; of a truncated list, those before its end.
    ///
    /// - Returns: The feeds in their order, duplicates included, and whether these are all; nil where the data is no
    ///   OPML.
    package static func feeds(in list: Data) -> (feeds: [Outline], isWhole: Bool)? {
        let isShort = list.count <= longest
        let list = list.prefix(longest)
        let text = Charset.decode(list, named: [Charset.name(inXML: list)])
        var isOPML = false
        var feeds: [Outline] = []
        // The folder's name for each open element; nil for one that is no folder.
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
        // Outlines of other types link to pages and other lists.
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
