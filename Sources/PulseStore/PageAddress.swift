/// Where the articles of a page are looked for, among addresses as they are stored: see `WebURL.identity`.
enum PageAddress {
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
