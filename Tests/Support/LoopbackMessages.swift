/// What the loopback server is asked and what it answers, bad manners included.
import Foundation

public struct LoopbackRequest: Sendable, Equatable {
    public let method: String
    /// Path and query, as they were asked for.
    public let target: String
    /// Names in lower case.
    public let headers: [String: String]
    public internal(set) var body: [UInt8] = []

    /// nil when the head is not HTTP.
    init?(head: String) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
        guard !lines.isEmpty else { return nil }
        let words = lines.removeFirst().split(separator: " ")
        guard words.count == 3 else { return nil }
        method = String(words[0])
        target = String(words[1])
        var headers: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        self.headers = headers
    }

    /// The first byte of `Range: bytes=N-`; nil when the whole was asked for.
    public var rangeStart: Int? {
        headers["range"].flatMap { $0.hasPrefix("bytes=") ? Int($0.dropFirst(6).prefix { $0 != "-" }) : nil }
    }
}

public struct LoopbackResponse: Sendable {
    /// What `Content-Length` says.
    public enum Length: Sendable {
        case real
        /// No such header: the body ends with the connection.
        case none
        case pretended(Int)
    }

    public var status: Int
    public var headers: [String: String]
    public var body: [UInt8]
    public var length = Length.real
    /// Hangs up after so many bytes of the body.
    public var breaksOffAfter: Int?
    /// Says nothing more after so many bytes of the body, and does not hang up either.
    public var stallsAfter: Int?
    /// Holds the body back after so many bytes, until it may go on.
    public var hold: (after: Int, until: @Sendable () -> Bool)?
    /// Ends the connection, after `breaksOffAfter`, with a reset rather than politely.
    public var resets = false
    /// Takes the request and never answers.
    public var isSilent = false
    /// Sends the body in pieces of `chunk` bytes, with pauses between them.
    public var pause: Duration?
    public var chunk = 1024

    public init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public init(status: Int = 200, headers: [String: String] = [:], text: String) {
        self.init(status: status, headers: headers, body: Array(text.utf8))
    }

    public static func json(_ value: Any, status: Int = 200, headers: [String: String] = [:]) -> LoopbackResponse {
        let body = (try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)) ?? Data()
        return LoopbackResponse(
            status: status, headers: ["Content-Type": "application/json"].merging(headers) { $1 }, body: Array(body))
    }

    /// A server that knows ranges: the rest of `bytes` with 206, the whole with 200, or 416 behind the end.
    public static func file(_ bytes: [UInt8], for request: LoopbackRequest) -> LoopbackResponse {
        guard let start = request.rangeStart else { return LoopbackResponse(body: bytes) }
        guard start < bytes.count else {
            return LoopbackResponse(status: 416, headers: ["Content-Range": "bytes */\(bytes.count)"])
        }
        return LoopbackResponse(
            status: 206, headers: ["Content-Range": "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"],
            body: Array(bytes[start...]))
    }

    public static func redirect(to url: String, status: Int = 302) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: ["Location": url], text: "It has moved.")
    }

    /// A copy with changes, so that a misbehaviour can be written where it is used.
    public func with(_ change: (inout LoopbackResponse) -> Void) -> LoopbackResponse {
        var copy = self
        change(&copy)
        return copy
    }

    var head: String {
        var lines = ["HTTP/1.1 \(status) Scripted", "Connection: close"]
        switch length {
        case .real: lines.append("Content-Length: \(body.count)")
        case .pretended(let count): lines.append("Content-Length: \(count)")
        case .none: break
        }
        lines += headers.map { "\($0.key): \($0.value)" }.sorted()
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }
}
