/// Lists of words that `swift build` puts into the program: text files, in which `== NAME` begins a list and `#` a
/// comment.
package enum EmbeddedLists {
    package typealias List = (name: Substring, lines: [Substring])

    package static func read(_ bytes: [UInt8]) -> [List] {
        var lists: [List] = []
        for line in Substring(decoding: bytes, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("== ") {
                lists.append((line.dropFirst(3), []))
            } else {
                lists[lists.count - 1].lines.append(line)
            }
        }
        return lists
    }

    /// The words of each list, by the list's name. Spaces or line breaks separate them.
    package static func words(_ bytes: [UInt8]) -> [Substring: Set<String>] {
        Dictionary(
            uniqueKeysWithValues: read(bytes).map { list in
                (list.name, Set(list.lines.flatMap { $0.split(separator: " ") }.map(String.init)))
            })
    }

    /// The phrases of each list, by the list's name. Bars or line breaks separate them.
    package static func phrases(_ bytes: [UInt8]) -> [Substring: [String]] {
        Dictionary(uniqueKeysWithValues: read(bytes).map { ($0.name, phrases(in: $0)) })
    }

    package static func phrases(in list: List) -> [String] {
        list.lines.flatMap { $0.split(separator: "|").map(String.init) }
    }
}
