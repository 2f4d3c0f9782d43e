package import PulseCore
import PulsePlatform
import PulseSources
import PulseStore

/// Fetches article texts where the source, such as a browser's history, had only a title, or a title and a sentence.
package struct PageTextImport: Sendable {
    private let app: AppEnvironment
    var reporter: Reporter
    /// The imported articles that have a link and no text.
    private var readings: [Reading] = []
    /// Whether texts may be fetched; nil: not decided yet.
    package internal(set) var isAgreed: Bool?

    /// The most pages to fetch.
    package var count: Int { min(readings.count, Self.most) }

    /// Only the latest ones are fetched: digests have no old articles.
    private static let most = 2000
    /// The number of texts stored at a time. After an interruption, fetched texts are stored, or in the cache.
    private static let batch = 20

    init(in app: AppEnvironment, reporter: Reporter) { (self.app, self.reporter) = (app, reporter) }

    /// Collects articles that need a text, and drops the oldest, so that a history of any length fits.
    mutating func add(_ imported: [Reading]) {
        readings += imported.filter { $0.article.content.isEmpty && $0.article.url != nil }
        if readings.count > 2 * Self.most { keepLatest() }
    }

    private mutating func keepLatest() {
        readings.sort { ($0.readAt, $1.article.id) > ($1.readAt, $0.article.id) }
        readings.removeLast(max(0, readings.count - Self.most))
    }

    /// Fetches the texts, and stores them with the readings that were imported.
    ///
    /// - Returns: The counts of the pages, also if the work ended early, and its error.
    package func fetch() async -> (PageCounts, PulseError?) { await fetch(with: CurlClient(PageFetcher.policy)) }

    func fetch(
        with client: any HTTPClient, limits: PageFetcher.Limits = PageFetcher.Limits()
    ) async -> (PageCounts, PulseError?) {
        var counts = PageCounts()
        do {
            let store = try app.history.open(.readWrite)
            var latest = self
            latest.keepLatest()
            let fetcher = PageFetcher(
                client: client, cacheFolder: app.locations.cache + "/pages", now: app.now, limits: limits)
            try await fetchTexts(for: latest.missing(in: store), fetcher: fetcher, into: store, &counts)
            return (counts, nil)
        } catch {
            return (counts, error.asPulseError)
        }
    }

    /// The readings that have not got their text in another way, such as from an earlier import.
    private func missing(in store: borrowing Store) throws -> [Reading] {
        var missing: [Reading] = []
        for reading in readings {
            if case .one(let known) = try store.find(reading.article.id), !known.article.content.isEmpty { continue }
            missing.append(reading)
        }
        return missing
    }

    private func fetchTexts(
        for readings: [Reading], fetcher: PageFetcher, into store: borrowing Store, _ counts: inout PageCounts
    ) async throws {
        // Two articles may have one address.
        var byURL: [String: [Reading]] = [:]
        var urls: [String] = []
        for reading in readings {
            guard let url = reading.article.url else { continue }
            if byURL[url] == nil { urls.append(url) }
            byURL[url, default: []].append(reading)
        }
        defer { reporter.clear() }
        var found: [Reading] = []
        var answers = 0
        for await (url, outcome) in fetcher.pages(of: urls) {
            answers += 1
            reporter.show("\(answers) of \(Counted.text(urls.count, "page", "pages"))")
            for reading in byURL[url] ?? [] {
                switch outcome {
                case .text(let page):
                    found.append(reading.with(page.article))
                    counts.add(page)
                case .problem(let problem):
                    reporter.detail("\(url): \(problem.words)")
                    counts.add(problem)
                }
            }
            guard found.count >= Self.batch else { continue }
            _ = try store.record(found)
            found = []
        }
        _ = try store.record(found)
        if Task.isCancelled { throw PulseError.interrupted }
    }
}

/// Counts the results, for the sentence at the end.
package struct PageCounts {
    private var texts = 0
    private var beginnings = 0
    private var problems: [PageError: Int] = [:]

    mutating func add(_ page: PageText) {
        texts += 1
        if page.isBeginning { beginnings += 1 }
    }

    mutating func add(_ problem: PageError) { problems[problem, default: 0] += 1 }

    /// `23 texts fetched; 4 articles have only a title: 3 not found, 1 without an article.` Nil: there were no pages.
    package var text: Message? {
        let titles = problems.values.reduce(0, +)
        guard texts + titles > 0 else { return nil }
        let fetched = texts == 0 ? "No text fetched" : Counted.text(texts, "text fetched", "texts fetched")
        let cut: Message =
            beginnings == 0
            ? ""
            : beginnings == texts
                ? ", only the beginning before a paywall"
                : ", \(beginnings) of them only the beginning before a paywall"
        guard titles > 0 else { return "\(fetched)\(cut)." }
        let reasons = PageError.allCases.compactMap { problem -> Message? in
            problems[problem].map { "\(Counted.text($0)) \(problem.words)" }
        }
        let stayed = Counted.text(titles, "article has only a title", "articles have only a title")
        return "\(fetched)\(cut); \(stayed): \(reasons.joined(separator: ", "))."
    }
}

extension Reading {
    /// The reading with the text of its page. The source's other fields stay if they are not empty, except for the
    /// title, which in a browser's history is that of a window.
    fileprivate func with(_ page: Article) -> Reading {
        var article = article
        article.content = page.content
        if !page.title.isEmpty { article.title = page.title }
        if article.source.isEmpty { article.source = page.source }
        article.author = article.author ?? page.author
        article.language = article.language ?? page.language
        article.publishedAt = article.publishedAt ?? page.publishedAt
        return Reading(article: article, readAt: readAt, origin: origin, isExact: isExact)
    }
}
