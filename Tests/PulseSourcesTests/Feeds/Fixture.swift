import Foundation
import PulseCore
import PulseSources
import PulseTestSupport

enum Fixture {
    static let now = Date(timeIntervalSince1970: 1_795_262_400)  // 2026-11-21T12:00:00Z
    static let address = "https://feeds.example/rss"

    static func data(_ name: String) throws -> Data {
        try Data(contentsOf: Repository.fixtures.appendingPathComponent("feeds/" + name))
    }

    static func feed(_ name: String) throws -> FeedContents { try feed(data(name)) }

    static func feed(xml: String) throws -> FeedContents { try feed(Data(xml.utf8)) }

    static func feed(_ data: Data, contentType: String? = nil) throws -> FeedContents {
        try FeedDocument.parse(data, contentType: contentType, address: address, now: now)
    }

    /// The titles of an RSS feed of these items.
    static func titles(_ items: String) throws -> [String] { try feed(xml: Fixture.items(items)).entries.map(\.title) }

    static func items(_ items: String) -> String {
        "<rss version='2.0'><channel><title>T</title>\(items)</channel></rss>"
    }
}
