import CCurl
public import Foundation
public import PulseCore
import Synchronization

/// A request for one resource.
public struct HTTPRequest: Sendable {
    /// `https`, or `http` to a loopback address or where `allowsPlainHTTP` says so. Without user name and password.
    public var url: String
    public var method: String = "GET"
    /// Sent as they are; never shown, since they may hold secrets.
    public var headers: [(name: String, value: String)] = []
    /// Sent with any method but HEAD. Its type is the caller's `Content-Type`.
    public var body: Data?
    /// Whether the user named this host, by an option or a setting: only then it may be this machine or one of a
    /// private network. False for an address out of a feed, a page, or a list that somebody else has made.
    public var isFromUser = false
    /// Whether the user said that this may be fetched unencrypted.
    public var allowsPlainHTTP = false
    /// Whether of an answer that is too large its beginning is wanted: see `HTTPResponse.isWhole`.
    public var takesBeginning = false

    public init(_ url: String) { self.url = url }

    /// Headers that say what is wanted, and nothing about who wants it.
    private static let harmless: Set = [
        "accept", "accept-language", "cache-control", "content-type", "if-modified-since", "if-none-match",
        "user-agent",
    ]

    /// Whether there is in it what another server must not see: any header that is not known to be harmless, or a body.
    var isConfidential: Bool {
        body != nil || headers.contains { !Self.harmless.contains($0.name.lowercased()) }
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the host: addresses and headers may hold secrets.
    public var description: String { "\(method) \(WebAddress(url)?.host ?? "an unknown host")" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a server answered, whole.
public struct HTTPResponse: Sendable {
    public let status: Int
    /// Names in lower case; of a repeated header the last one, but of `set-cookie` all, a line each.
    public let headers: [String: String]
    /// Decompressed.
    public let body: Data
    /// The address that answered, after redirects.
    public let url: String
    /// Where the resource is from now on: the end of the redirects as long as they were permanent (301, 308); nil where
    /// it is where it was.
    public let movedTo: String?
    /// False where the rest was too large: see `HTTPRequest.takesBeginning`.
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
}

extension HTTPResponse {
    private var cacheDirectives: [Substring] {
        (headers["cache-control"] ?? "").lowercased().filter { !" \t\"".contains($0) }.split(separator: ",")
    }

    /// Whether it may be kept.
    var mayBeStored: Bool { !cacheDirectives.contains("no-store") }

    /// For how long the server says that it will not change, in seconds: `Cache-Control: max-age=…` (RFC 9111,
    /// 5.2.2.1).
    package var maxAge: TimeInterval? {
        cacheDirectives.lazy.compactMap { $0.hasPrefix("max-age=") ? TimeInterval($0.dropFirst(8)) : nil }
            .first { $0 >= 0 && $0.isFinite }
    }

    /// When the server wants to be asked again: seconds, or a date (RFC 9110, 10.2.3).
    package func retryAfter(_ now: Date) -> Date? {
        guard let value = headers["retry-after"] else { return nil }
        if let seconds = TimeInterval(value), seconds.isFinite { return now.addingTimeInterval(seconds) }
        let date = curl_getdate(value, nil)
        return date < 0 ? nil : Date(timeIntervalSince1970: TimeInterval(date))
    }

    /// Whether it is markup, whatever its type says: most often a web page in the place of data.
    package var isMarkup: Bool { body.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "<") }

    /// What is to be said of a server that cannot answer now: its status is 429, or 500 and more.
    package func busy(_ server: Message, hint: Message) -> PulseError {
        let wait = headers["retry-after"].flatMap { Int($0) }
        let trouble: Message =
            status != 429
            ? "\(server) is in trouble (status \(status))."
            : wait.map { "\(server) wants to be left alone for \($0) seconds (status \(status))." }
                ?? "\(server) wants to be left alone (status \(status))."
        return PulseError(.tryAgain, trouble, hint: hint, cause: "\(server): status \(status)")
    }
}

/// The query of an address, or the body of a form.
package enum URLQuery {
    /// All but the unreserved characters of RFC 3986, section 2.3, become %XX.
    package static func text(_ values: [(name: String, value: String)]) -> String {
        values.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// Fetches resources: the one way out of this program to the network.
public protocol HTTPClient: Sendable {
    /// Any answer of the server is returned, whatever its status; what is no answer throws, with the host named.
    func send(_ request: HTTPRequest) async throws(PulseError) -> HTTPResponse
}

/// The time that a server has for several requests, and the bytes that are read of its answers, by the task that makes
/// them. Only what is spent waiting for the server counts, and not what is done with its answers.
package final class HTTPBudget: Sendable {
    @TaskLocal package static var current: HTTPBudget?

    private let rest: Mutex<(time: Duration, bytes: Int)>

    package init(_ time: Duration, bytes: Int = .max) { rest = Mutex((time, bytes)) }

    /// None where all bytes have come.
    package var left: Duration { rest.withLock { $0.bytes > 0 ? $0.time : .zero } }

    package var isSpent: Bool { left <= .zero }

    func spend(_ time: Duration) { rest.withLock { $0.time -= time } }
    func spend(_ bytes: Int) { rest.withLock { $0.bytes -= bytes } }
}

extension PulseError {
    /// Whether less should be asked for: an answer was too large, or not whole in the time that each answer has.
    package var wantsLess: Bool { isTooLarge || isLate && HTTPBudget.current?.isSpent != true }
}

/// By what a server knows whether its answer has changed (RFC 9110, section 13). They are its own words, sent back to
/// it with the next request: none is kept that no header may hold, or that a server may find too long.
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

extension HTTPResponse {
    /// Those that may be kept.
    package var validators: Validators {
        Validators(entityTag: headers["etag"], lastModified: headers["last-modified"])
    }
}

extension HTTPClient {
    /// Asks for what has changed since the answer that came with `validators`; status 304 says that nothing has.
    ///
    /// Where the server takes offence at them, it is asked once more without, so that no validator keeps an answer away
    /// for good. Throws as `send` does, and `.unavailable` where nothing was to be compared and the server says that
    /// nothing has changed.
    package func send(
        _ request: HTTPRequest, unlessAs validators: Validators?
    ) async throws(PulseError) -> HTTPResponse {
        var conditional = request
        conditional.headers += validators?.headers ?? []
        var response = try await send(conditional)
        if conditional.headers.count > request.headers.count, [400, 412, 413, 417, 431].contains(response.status) {
            conditional = request
            response = try await send(request)
        }
        if response.status == 304, conditional.headers.count == request.headers.count {
            throw PulseError(
                .unavailable, "The server says that nothing has changed (304), though it was asked for everything.",
                hint: "Try again later; the fault is the server's.")
        }
        return response
    }
}
