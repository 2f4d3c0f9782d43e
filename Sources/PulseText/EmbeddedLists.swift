/// Word lists that `swift build` embeds in the program: text files in which `== NAME` begins a list and `#` a comment.
package enum EmbeddedLists {
    package typealias List = (name: Substring, lines: [Substring])

    package static func read(_ bytes: [UInt8]) -> [List] {
        var lists: [List] = []
        for bytes in bytes.split(separator: UInt8(ascii: "\n")) where bytes.first != UInt8(ascii: "#") {
            let line = Substring(decoding: bytes, as: UTF8.self)
            if line.utf8.starts(with: "== ".utf8) {
                lists.append((line.dropFirst(3), []))
            } else {
                lists[lists.count - 1].lines.append(line)
            }
        }
        return lists
    }

    /// The words of a line. By bytes for speed, because most runs read hundreds of words.
    package static func words(in line: Substring) -> [String] {
        line.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
    }

    /// The words of each list, by the list's name. Spaces or line breaks separate them.
    package static func words(_ bytes: [UInt8]) -> [Substring: Set<String>] {
        Dictionary(uniqueKeysWithValues: read(bytes).map { ($0.name, Set($0.lines.flatMap(words))) })
    }

    /// The phrases of each list, by the list's name. Bars or line breaks separate them.
    package static func phrases(_ bytes: [UInt8]) -> [Substring: [String]] {
        Dictionary(uniqueKeysWithValues: read(bytes).map { ($0.name, phrases(in: $0)) })
    }

    package static func phrases(in list: List) -> [String] {
        list.lines.flatMap { $0.split(separator: "|").map(String.init) }
    }
}
