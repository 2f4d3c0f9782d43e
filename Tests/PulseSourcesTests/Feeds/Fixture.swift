import Foundation
import PulseCore
import PulseSources
import PulseTestSupport

enum Fixture {
    static let now = Date(timeIntervalSince1970: 1_795_262_400)  // 2026-11-21T12:00:00Z
    static let address = "https://feeds.example/rss"

    static func data(_ name: String) throws -> Data {
        return try Data(contentsOf: Repository.fixtures.appendingPathComponent("feeds/" + name))
    }

    static func feed(_ name: String) throws -> FeedContents {
        try FeedDocument.parse(data(name), address: address, now: now)
    }

    static func feed(xml: String, contentType: String? = nil) throws -> FeedContents {
        try FeedDocument.parse(Data(xml.utf8), contentType: contentType, address: address, now: now)
    }

    static func items(_ items: String) -> String {
        "<rss version='2.0'><channel><title>T</title>\(items)</channel></rss>"
    }
}
