import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform

/// Sends requests to one service, and turns unexpected responses into errors. No message contains a key or the
/// service's own words, which may repeat the key.
struct ServiceConnection: Sendable {
    /// The name in messages, such as `The Guardian`.
    let name: Message
    /// The base URL without a trailing slash.
    let address: String
    var headers: [(name: String, value: String)] = []
    /// A key that is a part of each URL: `&api-key=…`. It is neither shown nor cached.
    var secret = ""
    /// The hint if the service refuses a request, a sentence.
    let refusalHint: Message
    let client: any HTTPClient
    let cache: HTTPCache

    /// The JSON is a value of JSONSerialization.
    typealias Reply = (json: Any, answer: HTTPCache.Answer)

    /// Requests JSON.
    ///
    /// - Parameters:
    ///   - path: follows the address and includes the query.
    ///   - minimumAge: see `HTTPCache`.
    ///   - isAnswer: whether the JSON is as expected; otherwise it is not cached.
    ///   - refusal: the error for a status of 400 or more, for services that have their own.
    func json(
        _ path: String, minimumAge: TimeInterval, isAnswer: (Any) -> Bool,
        refusal: (Int, JSONObject?) -> PulseError? = { _, _ in nil }
    ) async throws -> Reply {
        var request = HTTPRequest(address + path + secret)
        request.headers = [("Accept", "application/json")] + headers
        // The address is the user's setting or this program's constant.
        request.isFromUser = true
        let answer = try await cache.answer(
            to: request, name: address + path, minimumAge: minimumAge, from: client
        ) { response in
            try check(response, isAnswer, refusal)
        }
        guard let json = JSONObject.value(of: answer.body) else { throw notWhole }
        return (json: json, answer: answer)
    }

    private func check(
        _ response: HTTPResponse, _ isAnswer: (Any) -> Bool, _ refusal: (Int, JSONObject?) -> PulseError?
    ) throws {
        let status = response.status
        let cause = "\(name): status \(status)"
        if status >= 400, let error = refusal(status, JSONObject(response.body)) { throw error }
        switch status {
        case 200..<300:
            if let json = JSONObject.value(of: response.body) {
                guard !isAnswer(json) else { return }
                throw PulseError(
                    .badData, "\(name) sent an unexpected response.", hint: refusalHint, cause: "\(name): other JSON")
            }
            guard response.isMarkup else { throw notWhole }
            throw PulseError(
                .badData, "\(name) sent a web page instead of data.",
                hint: "The network may ask for a login first: look at a page with a browser.", cause: "\(name): HTML")
        case 401, 403:
            throw PulseError(.configuration, "\(name) refused (status \(status)).", hint: refusalHint, cause: cause)
        case 404, 410:
            throw PulseError(.noInput, "\(name) has nothing there (status \(status)).", hint: refusalHint, cause: cause)
        case 429, 500..<600:
            var busy = response.busy(name, hint: "Try again later.")
            busy.notBefore = response.retryAfter(cache.now)
            throw busy
        default:
            throw PulseError(.badData, "\(name) answered with status \(status).", hint: refusalHint, cause: cause)
        }
    }

    private var notWhole: PulseError {
        PulseError(
            .badData, "\(name) sent an incomplete response.", hint: "Try again later.", cause: "\(name): no JSON")
    }
}

/// How long a cached response is used without a new request, in seconds.
enum MinimumAge {
    static func page(isFirst: Bool, isBreaking: Bool = false) -> TimeInterval {
        60 * (isBreaking ? 5 : isFirst ? 10 : 30)
    }

    static let article: TimeInterval = 60 * 60
}

/// A page of a service's articles, the newest first.
struct ServicePage {
    var articles: [Article] = []
    /// The earliest time of publication on the page, whether or not that item is an article.
    var oldest: Date?
    /// The cursor of the next page; nil: there is none.
    var next: String?
    let answer: HTTPCache.Answer
}

/// Reads the pages that are new since the last refresh.
struct ServiceReader {
    let name: Message
    let now: Date
    /// 1 for feeds that are not ordered by time.
    var mostPages = 5

    /// How long after its stated time of publication an article may appear.
    private static let delay: TimeInterval = 3 * 3600

    /// - Parameters:
    ///   - feed: its `entityTag` holds the time of the last refresh, as this type wrote it.
    ///   - page: fetches a page. Its argument is `next` of the previous page, nil for the first.
    /// - Returns: an answer with a refusal if the first page is a cached copy.
    func newest(of feed: Feed, page: (String?) async throws -> ServicePage) async throws -> FeedResponse {
        let last = feed.refresh.entityTag.flatMap { Timestamp.parse($0, now: now) }
        let first = try await page(nil)
        var entries = first.articles
        var seen = Set(entries.map(\.id))
        var current = first
        var count = 1
        var failure: PulseError?
        while let next = current.next, count < mostPages, let last, let oldest = current.oldest,
            oldest > last.addingTimeInterval(-Self.delay)
        {
            do {
                current = try await page(next)
            } catch let error as PulseError where error.code != .interrupted {
                failure = error
                break
            }
            count += 1
            entries += current.articles.filter { seen.insert($0.id).inserted }
        }
        let refusal: PulseError? = if case .stale(let error) = first.answer.state { error } else { nil }
        var answer = FeedResponse(contents: FeedContents(entries: entries))
        // After a failure the next refresh starts from the same time.
        answer.entityTag =
            refusal != nil || failure != nil
            ? feed.refresh.entityTag : first.answer.confirmedAt.formatted(.iso8601)
        answer.notBefore = refusal.map(\.notBefore) ?? first.answer.freshUntil
        answer.refusal = refusal
        if let refusal {
            answer.note = "\(refusal.message) This is what \(name) had \(Self.age(first.answer.confirmedAt, now)) ago."
        } else if let failure {
            answer.note = "Older articles of \(name) are missing: \(failure.message)"
        }
        return answer
    }

    private static func age(_ date: Date, _ now: Date) -> Message {
        let minutes = max(1, Int(now.timeIntervalSince(date)) / 60)
        return switch minutes {
        case ..<120: Counted.text(minutes, "minute", "minutes")
        case ..<(48 * 60): Counted.text(minutes / 60, "hour", "hours")
        default: Counted.text(minutes / 1440, "day", "days")
        }
    }
}
