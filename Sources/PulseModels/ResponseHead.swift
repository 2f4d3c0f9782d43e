/// The status line and the few header fields of an HTTP response that decide what its body means.
struct ResponseHead: Equatable {
    private(set) var status = 0
    /// `Content-Length`: bytes of this body; nil where the server does not say.
    private(set) var contentLength: Int64?
    /// `Content-Range`: where this body starts in the file, and the file's whole size where it says so.
    private(set) var rangeStart: Int64?
    private(set) var rangeTotal: Int64?
    /// `Retry-After` in seconds; the form that names a date is not read.
    private(set) var retryAfter: Int?

    /// Takes one line as libcurl hands it over, line end included. A status line begins a new response, because there
    /// may have been interim ones (RFC 9110, section 15.2).
    mutating func read(line: String) {
        if line.hasPrefix("HTTP/") {
            self = ResponseHead()
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].trimmed
        switch line[..<colon].lowercased() {
        case "content-length": contentLength = Self.count(value)
        case "retry-after": retryAfter = Self.count(value).flatMap { Int(exactly: $0) }
        case "content-range": readRange(value)
        default: break
        }
    }

    /// `bytes 100-199/200`, `bytes 100-199/*` or `bytes */200` (RFC 9110, section 14.4).
    private mutating func readRange(_ value: Substring) {
        let words = value.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return }
        let parts = words[1].split(separator: "/")
        guard parts.count == 2 else { return }
        rangeStart = parts[0].split(separator: "-").first.flatMap(Self.count)
        rangeTotal = Self.count(parts[1])
    }

    /// Digits only: `Int64("+1")` and `Int64("-1")` are numbers, but not in HTTP.
    private static func count(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }
}

extension Substring {
    /// Without the white space HTTP allows around a value. CR LF is one Character in Swift, and is white space.
    fileprivate var trimmed: Substring {
        var rest = self
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
