/// The proxies of the environment. They are read here rather than by libcurl, because whoever checks the address of a
/// connection must know whether it is a proxy's.
struct Proxies: Sendable {
    private let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    /// The proxy for an address; nil if it is to be reached directly, as this machine always is.
    func proxy(for address: WebAddress) -> String? {
        guard !address.isLoopback, !isExcepted(address) else { return nil }
        // HTTP_PROXY in capitals is a request's `Proxy:` header to a CGI program (CVE-2016-5385), so nobody reads it.
        let names = address.isEncrypted ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    /// As libcurl reads it: names cover what is below them, addresses may be ranges, and an asterisk is everything.
    private func isExcepted(_ address: WebAddress) -> Bool {
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        return list.split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
            if entry == "*" { return true }
            if let literal = address.literal {
                return NetworkAddress(entry) == literal || NetworkAddress.Range(entry)?.contains(literal) == true
            }
            let name = entry.lowercased().drop { $0 == "." }
            return !name.isEmpty && (address.host == name || address.host.hasSuffix(".\(name)"))
        }
    }
}
