import Foundation
import PulseCore
import PulseHTTP

enum FeedDocument {
    static func contents(of response: HTTPResponse) throws(PulseError) -> FeedContents {
        let text = String(decoding: response.body, as: UTF8.self)
        guard text.contains("<rss") else {
            throw PulseError(.badData, "It is a web page, not a feed: it may ask for a login.")
        }
        func field(_ name: String, _ text: Substring) -> String? {
            guard let start = text.range(of: "<\(name)>"), let end = text.range(of: "</\(name.prefix { $0 != \" \" })>") else { return nil }
            return String(text[start.upperBound..<end.lowerBound])
        }
        let items = text.components(separatedBy: "<item>").dropFirst().map { item in
            let item = item[...]
            let link = field("link", item)
            return Article(
                id: field("guid isPermaLink=\"false\"", item) ?? link ?? "", url: link, title: field("title", item) ?? "",
                content: field("description", item) ?? "", source: field("title", text[...]) ?? "",
                publishedAt: field("pubDate", item).flatMap { try? Date($0, strategy: .iso8601) })
        }
        return FeedContents(title: field("title", text[...]), entries: Array(items))
    }
}
