/// The proxies in the environment. They are read here and not by libcurl, because the check of a connection's address
/// must know whether it is a proxy's.
struct Proxies: Sendable {
    private let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    /// The proxy for a URL; nil for a direct connection, as for this machine.
    func proxy(for address: WebAddress) -> String? {
        guard !address.isLoopback, !isExcepted(address) else { return nil }
        // HTTP_PROXY in capitals is also a request's `Proxy:` header in a CGI program (CVE-2016-5385), so it is
        // ignored.
        let names = address.isEncrypted ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    /// `no_proxy` as libcurl reads it: a name includes its subdomains, addresses may be ranges, and an asterisk is
    /// everything.
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
