import PulseText

/// The page that an address is of, by which addresses are compared: http and https, a fragment, parameters that follow
/// readers, the usual port and a slash at the end make no other page.
public enum PageAddress {
    /// Without a scheme. Nil where the text is no http or https address.
    public static func page(_ address: String) -> String? {
        guard let identity = WebURL.identity(address) else { return nil }
        var path = identity.prefix { $0 != "?" }
        let query = identity[path.endIndex...]
        while path.last == "/" { path.removeLast() }
        return String(path) + query
    }

    /// How addresses of a page may begin, but for odd spellings of the host.
    static func beginnings(of page: String) -> [String] {
        let place = page.prefix { $0 != "?" }
        let host = place.prefix { $0 != "/" }
        let path = place[host.endIndex...]
        return [("https", "443"), ("http", "80")].flatMap { scheme, port in
            ["\(scheme)://\(host)\(path)", "\(scheme)://\(host):\(port)\(path)"]
        }
    }
}
