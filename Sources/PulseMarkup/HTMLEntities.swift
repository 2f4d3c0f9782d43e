/// The character references that HTML 5 knows and libxml2's table of HTML 4 does not, by name.
///
/// Source: https://html.spec.whatwg.org/entities.json, the names that end with a semicolon, less the 253 of HTML 4. In
/// `Lists/html-entities.txt` each has a line, with its code points in hexadecimal, joined by "+" where there are two.
enum HTMLEntities {
    /// What each stands for: one or two characters.
    static let byName: [Substring: String] = {
        var byName: [Substring: String] = [:]
        let words = Substring(decoding: PackageResources.html_entities_txt, as: UTF8.self).split(
            whereSeparator: \.isWhitespace)
        byName.reserveCapacity(words.count / 2)
        for pair in 0..<words.count / 2 {
            let scalars = words[2 * pair + 1].split(separator: "+")
                .compactMap { UInt32($0, radix: 16) }.compactMap(Unicode.Scalar.init)
            byName[words[2 * pair]] = String(String.UnicodeScalarView(scalars))
        }
        return byName
    }()
}
