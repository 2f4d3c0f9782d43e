import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform

/// Sends requests to one server, and turns unexpected responses into errors for the user.
struct ServerConnection: Sendable {
    /// The server's software, such as `Miniflux`.
    let program: String
    /// The command that sets the account up again.
    let command: String
    /// The server's base URL, without a trailing slash.
    var address: String
    var allowsPlainHTTP = false
    /// Whether the user named the server, so that it may be in a private network.
    var isFromUser = true
    /// An example of an address, for the hint of an error.
    let example: String
    /// A sentence that says where to find the key.
    let keyHint: Message
    let client: any HTTPClient
    /// Sent with every request.
    var headers: [(name: String, value: String)] = []

    var host: String { URLComponents(string: address)?.host ?? address }

    func moved(to address: String) -> ServerConnection {
        var connection = self
        connection.address = address
        connection.headers = []
        return connection
    }

    /// Requests JSON.
    /// - Parameters:
    ///   - path: follows the address and includes the query.
    ///   - body: sent by POST; nil: the method is GET.
    func json(_ path: String, body: (type: String, data: Data)? = nil) async throws -> Any {
        let response = try await send(path, body: body)
        try check(response)
        return try json(in: response)
    }

    func send(_ path: String, body: (type: String, data: Data)? = nil) async throws -> HTTPResponse {
        var request = HTTPRequest(address + path)
        request.headers = headers
        if let body {
            request.method = "POST"
            request.headers.append((name: "Content-Type", value: body.type))
            request.body = body.data
        }
        request.isFromUser = isFromUser
        request.allowsPlainHTTP = allowsPlainHTTP
        return try await client.send(request)
    }

    static func form(_ values: [(name: String, value: String)]) -> (type: String, data: Data) {
        (type: "application/x-www-form-urlencoded", data: Data(URLQuery.text(values).utf8))
    }

    func json(in response: HTTPResponse) throws -> Any {
        if let value = JSONObject.value(of: response.body) { return value }
        if response.isMarkup || response.headers["content-type"]?.hasPrefix("text/html") == true {
            throw PulseError(
                .badData,
                "\(host) sent a web page instead of data: \(address) is not the address of a \(program) server.",
                hint: "The address should look like \(example)", cause: "\(host): HTML")
        }
        throw PulseError(
            .badData, "\(host) sent an incomplete response.",
            hint: "What came before is kept; import again to go on from there.", cause: "\(host): no JSON")
    }

    /// Throws if the response is not a success.
    func check(_ response: HTTPResponse) throws {
        let status = response.status
        let cause = "\(host): status \(status)"
        switch status {
        case 200..<300: return
        case 401, 403: throw refusedKey
        case 404, 405, 410:
            throw PulseError(
                .unavailable, "\(host) has no \(program) at \(address).",
                hint: "The address should look like \(example)", cause: cause)
        case 429, 500..<600:
            throw response.busy("\(host)", hint: "What came before is kept; import again later to go on from there.")
        default:
            throw PulseError(
                .unavailable, "\(host) answered with status \(status).", hint: "Is \(address) the right address?",
                cause: cause)
        }
    }

    /// The error for a name or key that the server did not accept.
    var refusedKey: PulseError {
        PulseError(
            .permission, "\(host) did not accept the key.",
            hint: "\(keyHint) Then set the account up again: pulse-digest import \(command) \(address)",
            cause: "\(host): key refused")
    }

    /// The error for a response that `program` would not send.
    var strange: PulseError {
        PulseError(
            .badData, "\(host) does not answer like a \(program) server.",
            hint: "The address should look like \(example)")
    }

    /// The error for a server whose API is disabled.
    func disabled(_ hint: Message) -> PulseError {
        PulseError(.unavailable, "API access is switched off at \(host).", hint: hint, cause: disabledCause)
    }

    var disabledCause: String { "\(host): API off" }
}

extension JSONObject {
    /// The objects of an array; none of another value. Other elements are skipped.
    static func all(in value: Any?) -> [JSONObject] { (value as? [Any] ?? []).compactMap { JSONObject($0) } }

    /// The text under `name` of each object, by that under `key`; the first of several.
    static func texts(_ name: String, by key: String, in objects: [JSONObject]) -> [String: String] {
        objects.reduce(into: [:]) { texts, object in
            if let id = object.text(key), texts[id] == nil { texts[id] = object.text(name) }
        }
    }
}
