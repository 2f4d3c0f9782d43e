/// The named character references of HTML 5 that libxml2's HTML 4 table lacks.
///
/// Source: https://html.spec.whatwg.org/entities.json, the names that end with a semicolon, less the 253 of HTML 4.
/// `Lists/html-entities.txt` has a line for each, with its code points in hexadecimal, joined by "+" where there are
/// two.
enum HTMLEntities {
    /// One or two characters for each name.
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
