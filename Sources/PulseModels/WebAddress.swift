import Foundation

/// An http or https address: what the catalogue may name, and what a redirect may lead to.
struct WebAddress: Sendable, Equatable {
    let text: String
    let host: String
    let isEncrypted: Bool

    /// nil for other schemes, for an address without a host, and for one that carries a user name or password,
    /// which would end up in messages and logs.
    init?(_ text: String) {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil
        else { return nil }
        switch parts.scheme?.lowercased() {
        case "https": isEncrypted = true
        case "http": isEncrypted = false
        default: return nil
        }
        self.text = text
        self.host = host
    }

    /// Whether a redirect may be followed: a connection that was encrypted stays so (RFC 9110, section 17.1, is about
    /// who is speaking; the sha256 alone would still tell, but only after 800 MB).
    func mayLead(to next: WebAddress) -> Bool {
        next.isEncrypted || !isEncrypted
    }
}
