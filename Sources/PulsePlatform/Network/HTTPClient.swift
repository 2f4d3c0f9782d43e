import CCurl
public import Foundation
package import PulseCore
import Synchronization

/// An HTTP request.
public struct HTTPRequest: Sendable {
    /// An https URL; http only for a loopback address or with `allowsPlainHTTP`. Without user name and password.
    public var url: String
    public var method: String = "GET"
    /// Sent unchanged; never shown, since they may hold secrets.
    public var headers: [(name: String, value: String)] = []
    /// Sent with any method but HEAD. The caller sets `Content-Type`.
    public var body: Data?
    /// Whether the user named this host, by an option or a setting. Only then may it be on this machine or in a private
    /// network. False for a URL from a feed, a page, or a list that somebody else has made.
    public var isFromUser = false
    /// Whether the user allowed plain HTTP.
    public var allowsPlainHTTP = false
    /// Whether a response that is too large is cut instead of refused: see `HTTPResponse.isWhole`.
    public var takesBeginning = false

    public init(_ url: String) { self.url = url }

    /// Headers that say nothing about the user.
    private static let harmless: Set = [
        "accept", "accept-language", "cache-control", "content-type", "if-modified-since", "if-none-match",
        "user-agent",
    ]

    /// Whether another server must not see the request: it has a body, or a header that is not known to be harmless.
    var isConfidential: Bool { body != nil || headers.contains { !Self.harmless.contains($0.name.lowercased()) } }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the host: addresses and headers may hold secrets.
    public var description: String { "\(method) \(WebAddress(url)?.host ?? "an unknown host")" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A server's response.
public struct HTTPResponse: Sendable {
    public let status: Int
    /// Names in lower case. Of a repeated header the last one counts; `set-cookie` has all values, a line each.
    public let headers: [String: String]
    /// Decompressed.
    public let body: Data
    /// The URL after redirects.
    public let url: String
    /// The new URL, as far as redirects were permanent (301, 308); nil if the resource has not moved.
    public let movedTo: String?
    /// False if the body was cut: see `HTTPRequest.takesBeginning`.
    public let isWhole: Bool

    public init(
        status: Int, headers: [String: String], body: Data, url: String, movedTo: String? = nil, isWhole: Bool = true
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
        self.movedTo = movedTo
        self.isWhole = isWhole
    }

    private var cacheDirectives: [Substring] {
        (headers["cache-control"] ?? "").lowercased().filter { !" \t\"".contains($0) }.split(separator: ",")
    }

    var mayBeStored: Bool { !cacheDirectives.contains("no-store") }

    /// Freshness in seconds: `Cache-Control: max-age=…` (RFC 9111, 5.2.2.1).
    package var maxAge: TimeInterval? {
        cacheDirectives.lazy.compactMap { $0.hasPrefix("max-age=") ? TimeInterval($0.dropFirst(8)) : nil }
            .first { $0 >= 0 && $0.isFinite }
    }

    /// `Retry-After` as a time: the header holds seconds or a date (RFC 9110, 10.2.3).
    package func retryAfter(_ now: Date) -> Date? {
        guard let value = headers["retry-after"] else { return nil }
        if let seconds = TimeInterval(value), seconds.isFinite { return now.addingTimeInterval(seconds) }
        let date = curl_getdate(value, nil)
        return date < 0 ? nil : Date(timeIntervalSince1970: TimeInterval(date))
    }

    package var validators: Validators {
        Validators(entityTag: headers["etag"], lastModified: headers["last-modified"])
    }

    /// Whether the body is markup, whatever its content type says; most often a web page in place of data.
    package var isMarkup: Bool { body.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "<") }

    /// The error for a status of 429, or 500 and more.
    package func busy(_ server: Message, hint: Message) -> PulseError {
        let wait = headers["retry-after"].flatMap { Int($0) }
        let trouble: Message =
            status != 429
            ? "\(server) has a problem (status \(status))."
            : wait.map { "\(server) asks for a pause of \($0) seconds (status \(status))." }
                ?? "\(server) asks for a pause (status \(status))."
        return PulseError(.tryAgain, trouble, hint: hint, cause: "\(server): status \(status)")
    }
}

/// The query of a URL, or the body of a form.
package enum URLQuery {
    /// All but the unreserved characters of RFC 3986, section 2.3, become %XX.
    package static func text(_ values: [(name: String, value: String)]) -> String {
        func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "" }
        return values.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// An HTTP client. The program's only access to the network.
public protocol HTTPClient: Sendable {
    /// Returns any response, whatever its status. Throws if there is none; the message names the host.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// The time and bytes that a task's requests to one server may take in all. Of the time, only waiting for the server,
/// receiving and parsing count.
package final class HTTPBudget: Sendable {
    @TaskLocal package static var current: HTTPBudget?

    private let rest: Mutex<(time: Duration, bytes: Int)>

    package init(_ time: Duration, bytes: Int = .max) { rest = Mutex((time, bytes)) }

    /// The time left; zero if the bytes are used up.
    package var left: Duration { rest.withLock { $0.bytes > 0 ? $0.time : .zero } }

    /// libcurl counts whole milliseconds, so a request that ran out of time may leave a little of it.
    package var isSpent: Bool { left < .milliseconds(5) }

    package func spend(_ time: Duration) { rest.withLock { $0.time -= time } }
    func spend(_ bytes: Int) { rest.withLock { $0.bytes -= bytes } }
}

/// The validators of a response (RFC 9110, section 13): the server's own values, sent back with the next request. A
/// value that no header may contain, or that is too long, is dropped.
package struct Validators: Sendable, Hashable {
    package var entityTag: String?
    package var lastModified: String?

    /// In bytes. Tags are hashes, and servers refuse requests of more than eight thousand (RFC 9110, section 4.1).
    private static let longest = 1000

    package init(entityTag: String?, lastModified: String?) {
        self.entityTag = entityTag.flatMap(Self.sendable)
        self.lastModified = lastModified.flatMap(Self.sendable)
    }

    private static func sendable(_ text: String) -> String? {
        let isPlain = text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
        return isPlain && !text.isEmpty && text.utf8.count <= longest ? text : nil
    }

    fileprivate var headers: [(name: String, value: String)] {
        [("If-None-Match", entityTag), ("If-Modified-Since", lastModified)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }
}

extension HTTPClient {
    /// Sends a conditional request; status 304 means unchanged.
    ///
    /// If the server rejects the validators, the request is repeated without them, so that none blocks a response for
    /// good. Throws as `send` does, and `.unavailable` if a request without validators is answered with 304.
    package func send(_ request: HTTPRequest, unlessAs validators: Validators?) async throws -> HTTPResponse {
        var conditional = request
        conditional.headers += validators?.headers ?? []
        var response = try await send(conditional)
        if conditional.headers.count > request.headers.count, [400, 412, 413, 417, 431].contains(response.status) {
            conditional = request
            response = try await send(request)
        }
        if response.status == 304, conditional.headers.count == request.headers.count {
            throw PulseError(
                .unavailable, "The server answered “not modified” (304) to an unconditional request.",
                hint: "Try again later; the fault is the server's.")
        }
        return response
    }
}
