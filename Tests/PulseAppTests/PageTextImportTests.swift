import Foundation
import PulseCore
import PulsePlatform
import PulseSources
import PulseStore
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseApp

/// What becomes of the articles without a text of an import with `--fetch`.
@Suite(.timeLimit(.minutes(20))) struct PageTextImportTests {
    private let home: TemporaryFolder
    private let now = Date(timeIntervalSince1970: 1_795_291_200)

    init() throws { home = try TemporaryFolder() }

    /// Sites that have these pages, and nothing else.
    private final class Sites: HTTPClient {
        private let pages: [String: String]
        private let log = Mutex<[String]>([])

        init(_ pages: [String: String]) { self.pages = pages }

        /// What was asked for, without the sites' rules for programs.
        var asked: [String] { log.withLock { $0 }.filter { !$0.hasSuffix("/robots.txt") }.sorted() }

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            log.withLock { $0.append(request.url) }
            #expect(!request.isFromUser)
            let page = pages[request.url]
            return HTTPResponse(
                status: page == nil ? 404 : 200, headers: ["content-type": "text/html"], body: Data((page ?? "").utf8),
                url: request.url)
        }
    }

    private static let story = (1...4).map { number in
        "<p>Paragraph \(number) of the story has a few words, commas, and an end, as paragraphs have in most papers.</p>"
    }.joined()
    private static let page = "<html><head><title>What the page says</title></head><body>\(story)</body></html>"

    private func reading(_ id: String, url: String?, summary: String = "", content: String = "") -> Reading {
        Reading(
            article: Article(id: id, url: url, title: "Title of \(id)", summary: summary, content: content),
            readAt: now, origin: "test")
    }

    /// Imports the readings, and returns the texts in the history by id, and what became of the pages.
    private func fetch(
        _ readings: [Reading], known: [Reading] = [], from sites: Sites
    ) async throws -> (articles: [String: Article], output: String) {
        let app = AppEnvironment(home: home, now: now)
        let store = try app.history.open(.readWrite)
        _ = try store.record(known + readings)
        var texts = PageTextImport(in: app, reporter: .silent)
        texts.add(readings)
        var limits = PageFetcher.Limits()
        limits.pause = .zero
        let (counts, fault) = await texts.fetch(with: sites, limits: limits)
        #expect(fault == nil)
        let all = try store.list(limit: 5000).map { ($0.article.id, $0.article) }
        return (Dictionary(uniqueKeysWithValues: all), counts.text.map { "\($0)" } ?? "")
    }

    @Test func onlyWhatHasNoTextIsFetched() async throws {
        let urls = ["bare", "told", "whole", "elsewhere"].map { "https://\($0).example/a" }
        let sites = Sites(Dictionary(uniqueKeysWithValues: urls.map { ($0, Self.page) }))
        let (articles, output) = try await fetch(
            [
                reading("bare", url: urls[0]), reading("told", url: urls[1], summary: "A sentence about it."),
                reading("whole", url: urls[2], content: "The whole text."), reading("elsewhere", url: urls[3]),
                reading("without a link", url: nil),
            ], known: [reading("elsewhere", url: urls[3], content: "Another source had it.")], from: sites)
        #expect(sites.asked == [urls[0], urls[1]])
        #expect(output == "2 texts fetched.")
        #expect(articles["bare"]?.title == "What the page says")
        #expect(articles["bare"]?.content.hasPrefix("Paragraph 1 of the story") == true)
        #expect(articles["told"]?.summary == "A sentence about it.")
        #expect(articles["told"]?.content.hasPrefix("Paragraph 1 of the story") == true)
        #expect(articles["whole"]?.content == "The whole text.")
        #expect(articles["elsewhere"]?.content == "Another source had it.")
    }

    @Test func whatStayedATitleIsSaid() async throws {
        let sites = Sites(["https://a.example/1": Self.page, "https://b.example/1": "<p>Nothing.</p>"])
        let (articles, output) = try await fetch(
            ["https://a.example/1", "https://b.example/1", "https://c.example/1"].map { reading($0, url: $0) },
            from: sites)
        #expect(output == "1 text fetched; 2 articles have only a title: 1 not found, 1 without an article.")
        #expect(articles["https://c.example/1"]?.title == "Title of https://c.example/1")
    }

    @Test func twoArticlesOfOnePageAskOnce() async throws {
        let url = "https://a.example/1"
        let sites = Sites([url: Self.page])
        var second = reading("second", url: url)
        second.article.title = "Another title"
        let (articles, output) = try await fetch([reading("first", url: url), second], from: sites)
        #expect(sites.asked == [url])
        #expect(output == "2 texts fetched.")
        #expect(articles.values.allSatisfy { !$0.content.isEmpty })
    }

    @Test func ofALongHistoryTheLatestAreFetched() async throws {
        let sites = Sites([:])
        let all = (0..<4100).map { number in
            Reading(
                article: Article(id: "\(number)", url: "https://a.example/\(number)", title: "T"),
                readAt: now.addingTimeInterval(Double(-number)), origin: "test")
        }
        let (_, output) = try await fetch(all.reversed(), from: sites)
        #expect(sites.asked.count == 2000)
        #expect(!sites.asked.contains("https://a.example/2000") && sites.asked.contains("https://a.example/1999"))
        #expect(output == "No text fetched; 2,000 articles have only a title: 2,000 not found.")
    }
}
