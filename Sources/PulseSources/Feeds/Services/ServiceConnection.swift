import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform

/// What is asked of one service, and what is told where it does not answer as it should. Neither a key nor what a
/// service says of a failure, which may repeat the key, is in any message.
struct ServiceConnection: Sendable {
    /// What people call it, such as `The Guardian`.
    let name: Message
    /// Without a slash at its end.
    let address: String
    var headers: [(name: String, value: String)] = []
    /// A key that belongs into each address: `&api-key=…`. It is neither shown nor kept.
    var secret = ""
    /// What to do where the service refuses, in a sentence.
    let refusalHint: Message
    let client: any HTTPClient
    let cache: HTTPCache

    struct Reply {
        /// Of JSONSerialization.
        let json: Any
        let answer: HTTPCache.Answer
    }

    /// Asks for JSON.
    ///
    /// - Parameters:
    ///   - path: what follows the address, with its query.
    ///   - minimumAge: see `HTTPCache`.
    ///   - isAnswer: whether JSON is what was asked for; else it is not kept.
    ///   - refusal: what an answer with a status of 400 or more means, where the service says it in a way of its own.
    func json(
        _ path: String, minimumAge: TimeInterval, isAnswer: (Any) -> Bool,
        refusal: (Int, JSONObject?) -> PulseError? = { _, _ in nil }
    ) async throws(PulseError) -> Reply {
        var request = HTTPRequest(address + path + secret)
        request.headers = [("Accept", "application/json")] + headers
        // The reader's own setting, or this program's: no address that came from outside.
        request.isFromUser = true
        let answer = try await cache.answer(
            to: request, name: address + path, minimumAge: minimumAge, from: client
        ) { response throws(PulseError) in
            try check(response, isAnswer, refusal)
        }
        guard let json = JSONObject.value(of: answer.body) else { throw notWhole }
        return Reply(json: json, answer: answer)
    }

    private func check(
        _ response: HTTPResponse, _ isAnswer: (Any) -> Bool, _ refusal: (Int, JSONObject?) -> PulseError?
    ) throws(PulseError) {
        let status = response.status
        let cause = "\(name): status \(status)"
        if status >= 400, let error = refusal(status, JSONObject(response.body)) { throw error }
        switch status {
        case 200..<300:
            if let json = JSONObject.value(of: response.body) {
                guard !isAnswer(json) else { return }
                throw PulseError(
                    .badData, "\(name) does not answer as it should.", hint: refusalHint,
                    cause: "\(name): other JSON")
            }
            guard response.isMarkup else { throw notWhole }
            throw PulseError(
                .badData, "\(name) sent a web page instead of data.",
                hint: "The network may ask for a login first: look at a page with a browser.", cause: "\(name): HTML")
        case 401, 403:
            throw PulseError(.configuration, "\(name) refused (status \(status)).", hint: refusalHint, cause: cause)
        case 404, 410:
            throw PulseError(.noInput, "\(name) has nothing there (status \(status)).", hint: refusalHint, cause: cause)
        case 429, 500..<600: throw response.busy(name, hint: "Try again later.")
        default:
            throw PulseError(.badData, "\(name) answered with status \(status).", hint: refusalHint, cause: cause)
        }
    }

    private var notWhole: PulseError {
        PulseError(
            .badData, "\(name) sent an answer that is not whole.", hint: "Try again later.", cause: "\(name): no JSON")
    }
}

/// How old an answer may be before it is asked for again, in seconds.
enum MinimumAge {
    static let breaking: TimeInterval = 5 * 60
    static let firstPage: TimeInterval = 10 * 60
    static let laterPages: TimeInterval = 30 * 60
    static let article: TimeInterval = 60 * 60
}

/// A part of what a service has, the newest first.
struct ServicePage {
    var articles: [Article] = []
    /// When the last of them was published, whether or not it is among the articles.
    var oldest: Date?
    /// What `ServiceReader.next` begins with to get the next part; nil: there is none.
    var next: String?
    let answer: HTTPCache.Answer
}

/// Reads as many pages as hold what is new since the last time.
struct ServiceReader {
    /// What the service is called in notes.
    let name: Message
    let now: Date
    /// For feeds whose order is not that of time: one page.
    var mostPages = 5

    /// What is published now may have been written a while ago.
    private static let delay: TimeInterval = 3 * 3600

    /// - Parameters:
    ///   - feed: its `entityTag` says how far the last refresh came, which is this type's own word for it.
    ///   - page: gets a page; its argument is the `next` of the page before, nil for the first.
    func newest(
        of feed: Feed, page: (String?) async throws(PulseError) -> ServicePage
    ) async throws(PulseError) -> (answer: FeedAnswer, isStale: Bool) {
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
            do throws(PulseError) {
                current = try await page(next)
            } catch {
                if error.code == .interrupted { throw error }
                failure = error
                break
            }
            count += 1
            entries += current.articles.filter { seen.insert($0.id).inserted }
        }
        let isStale = if case .stale = first.answer.state { true } else { false }
        var answer = FeedAnswer(contents: FeedContents(entries: entries))
        // What did not come now is asked for again the next time.
        answer.entityTag =
            isStale || failure != nil ? feed.refresh.entityTag : Self.text(first.answer.confirmedAt)
        answer.notBefore = isStale ? nil : first.answer.freshUntil
        if case .stale(let error) = first.answer.state {
            answer.refusal = error
            answer.note = "\(error.message) This is what \(name) had \(Self.age(first.answer.confirmedAt, now)) ago."
        } else if let failure {
            answer.note = "Older articles of \(name) are missing: \(failure.message)"
        }
        return (answer, isStale)
    }

    private static func text(_ date: Date) -> String { date.formatted(.iso8601) }

    private static func age(_ date: Date, _ now: Date) -> Message {
        let minutes = max(1, Int(now.timeIntervalSince(date)) / 60)
        return switch minutes {
        case ..<120: Counted.text(minutes, "minute", "minutes")
        case ..<(48 * 60): Counted.text(minutes / 60, "hour", "hours")
        default: Counted.text(minutes / 1440, "day", "days")
        }
    }
}
