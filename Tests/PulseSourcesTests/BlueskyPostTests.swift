import Foundation
import PulseCore
import PulseMarkup
import Testing

@testable import PulseSources

@Suite(.timeLimit(.minutes(20))) struct BlueskyPostTests {
    private static let now = Date(timeIntervalSince1970: 1_795_291_200)
    private static let uri = "at://did:plc:abc/app.bsky.feed.post/3kabc"

    private func made(_ changes: [String: Any] = [:], record: [String: Any] = [:]) -> BlueskyPost? {
        var view: [String: Any] = [
            "uri": Self.uri, "author": ["did": "did:plc:abc", "handle": "alice.example", "displayName": "Alice"],
            "indexedAt": "2026-11-21T19:00:00Z",
        ]
        view["record"] = [
            "text": "The bridge is open again.\nTraffic flows.", "createdAt": "2026-11-21T18:59:59.000Z",
            "langs": ["en"],
        ].merging(record) { $1 }
        return JSONObject(view.merging(changes) { $1 }).flatMap { BlueskyPost(view: $0, now: Self.now) }
    }

    @Test func aPostIsAnArticle() throws {
        let post = try #require(made())
        let article = try post.draft.article()
        #expect(!post.isCard && post.hiding == nil)
        #expect(article.id == Self.uri && article.url == "https://bsky.app/profile/alice.example/post/3kabc")
        #expect(article.title == "The bridge is open again." && article.content.hasSuffix("Traffic flows."))
        #expect(article.author == "Alice" && article.source == "@alice.example" && article.language == "en")
        #expect(article.publishedAt == Date(timeIntervalSince1970: 1_795_287_599))
    }

    @Test func aCardIsTheArticleItLinksTo() throws {
        let card = [
            "uri": "https://www.herald.example/bridge?utm_source=bsky#top", "title": "The bridge",
            "description": "It is open.",
        ]
        let embed: [String: Any] = ["$type": "app.bsky.embed.external#view", "external": card]
        let post = try #require(made(["embed": embed]))
        let article = try post.draft.article()
        #expect(post.isCard && article.id == "https://www.herald.example/bridge" && article.url == article.id)
        #expect(article.title == "The bridge" && article.summary == "It is open." && article.content.isEmpty)
        #expect(article.source == "herald.example" && article.publishedAt == nil)
    }

    @Test func aCardMayStandBesideAQuotationAndNameItsSource() throws {
        let card: [String: Any] = [
            "uri": "https://herald.example/a", "title": "A", "source": ["title": "The Herald"],
            "createdAt": "2026-11-20T10:00:00Z",
        ]
        let article = try #require(made(["embed": ["record": ["x": 1], "media": ["external": card]]])).draft.article()
        #expect(article.source == "The Herald" && article.content.hasPrefix("The bridge is open"))
        #expect(article.publishedAt == Date(timeIntervalSince1970: 1_795_168_800))
    }

    @Test(arguments: ["!hide", "!warn", "porn", "graphic-media"]) func labelsHide(label: String) throws {
        #expect(made(["labels": [["val": label]]])?.hiding == .label)
        #expect(made(record: ["labels": ["values": [["val": label]]]])?.hiding == .label)
        #expect(made(["author": ["handle": "a.example", "labels": [["val": label]]]])?.hiding == .label)
        #expect(made(["labels": [["val": label, "neg": true]]])?.hiding == nil)
        #expect(made(["labels": [["val": "bot"]]])?.hiding == nil)
    }

    @Test func whoWantsALoginIsHeard() {
        let author: [String: Any] = ["handle": "a.example", "labels": [["val": "!no-unauthenticated"]]]
        #expect(made(["author": author])?.hiding == .loginOnly)
    }

    @Test func anAuthorsClockIsNotTrusted() {
        let indexed = Date(timeIntervalSince1970: 1_795_287_600)
        for time in ["2026-11-21T19:30:00Z", "9999-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "soon"] {
            #expect(made(record: ["createdAt": time])?.postedAt == indexed, "\(time)")
        }
        #expect(made(["indexedAt": NSNull()], record: ["createdAt": "soon"])?.postedAt == nil)
    }

    @Test func pictureWordsAndOddHandlesAreRead() throws {
        let post = try #require(
            made(
                [
                    "embed": ["images": [["alt": "A red bridge"], ["alt": ""]]],
                    "author": ["did": "did:plc:abc", "handle": "handle.invalid"],
                ], record: ["text": ""]))
        let article = try post.draft.article()
        #expect(article.content == "A red bridge" && article.source == "Bluesky")
        #expect(article.url == "https://bsky.app/profile/did:plc:abc/post/3kabc")
    }

    @Test func whatIsNoPostIsNone() {
        #expect(made(["uri": "at://did:plc:abc/app.bsky.feed.like/3k"]) == nil)
        #expect(made(["uri": "https://bsky.app"]) == nil && made(["uri": 3]) == nil)
        #expect(made(["record": "text"]) == nil)
    }

    // MARK: Facets

    private func linked(_ text: String, _ links: [(Double, Double, String)]) -> String {
        BlueskyPost.linked(
            text,
            facets: links.compactMap { start, end, uri in
                JSONObject([
                    "index": ["byteStart": start, "byteEnd": end],
                    "features": [["$type": "app.bsky.richtext.facet#link", "uri": uri]],
                ])
            })
    }

    @Test func facetsCountBytes() {
        #expect(
            linked("é herald.example/ab…", [(3, 23, "https://herald.example/abc")]) == "é https://herald.example/abc")
        #expect(linked("Read this, all", [(5, 9, "https://a.example/")]) == "Read this (https://a.example/), all")
        #expect(linked("a.example/b... c", [(0, 14, "https://www.a.example/bc")]) == "https://www.a.example/bc c")
    }

    @Test(
        arguments: [
            (-1, 3), (0, 99), (3, 3), (4, 2), (1, 3), (0, 1), (0.5, 3), (.infinity, 3), (1e300, 1e301),
        ] as [(Double, Double)])
    func badOffsetsAreIgnored(start: Double, end: Double) {
        // The first letter has two bytes.
        #expect(linked("éab", [(start, end, "https://a.example/")]) == "éab")
    }

    @Test func overlapsAndOtherFeaturesAreIgnored() {
        let a = "https://a.example/"
        #expect(linked("one two", [(0, 5, a), (4, 7, a)]) == "one t (\(a))wo")
        #expect(linked("one", [(0, 3, "javascript:alert(1)")]) == "one")
        let others = [
            JSONObject(["index": ["byteStart": 0, "byteEnd": 3], "features": [["tag": "one"]]]), JSONObject([:]),
        ]
        #expect(BlueskyPost.linked("one", facets: others.compactMap(\.self)) == "one")
    }

    // MARK: Names

    @Test func namesAreRead() {
        #expect(BlueskyName.actor("@Alice.Example") == "alice.example")
        #expect(BlueskyName.actor("https://bsky.app/profile/alice.example/") == "alice.example")
        #expect(BlueskyName.actor("did:plc:Abc") == "did:plc:Abc")
        #expect(BlueskyName.actor("did:web:localhost%3A80") == "did:web:localhost%3A80")
        for text in ["", "alice", "a..b", "-a.b", "a b.c", "did:plc:", "did:key:z", "a.b/c", "ü.example"] {
            #expect(BlueskyName.actor(text) == nil, "\(text)")
        }
        #expect(BlueskyURI("at://did:plc:a/app.bsky.feed.post/3k")?.key == "3k")
        let others = ["x", "x/y/z", "x/", "x/y?z"].map { "at://did:plc:a/" + $0 }
        for text in others + ["at://a b/x/y"] { #expect(BlueskyURI(text) == nil, "\(text)") }
    }
}
