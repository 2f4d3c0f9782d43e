import Foundation
import PulseMarkup
import PulseText

/// The rules of a site's robots.txt for this program (RFC 9309).
struct RobotsRules: Sendable {
    /// The product token of this program.
    static let agent = "pulse-digest"

    /// For a site without the file.
    static let allowed = RobotsRules()
    /// For a site whose file is unreachable now: "the crawler MUST assume complete disallow" (2.3.1.4).
    static let refused = RobotsRules(rules: [(pattern: [UInt8(ascii: "/")], allows: false)], isTemporary: true)

    /// Patterns are normalised; `*` and a final `$` are special.
    private var rules: [(pattern: [UInt8], allows: Bool)] = []
    /// Crawl-delay in seconds. Not in RFC 9309, but common.
    private(set) var delay: Double?
    /// Whether they stand for an unreachable file, and so must not be cached.
    private(set) var isTemporary = false

    /// In bytes: "at least 500 kibibytes" (2.5).
    static let longest = 500 << 10
    private static let mostRules = 5000
    private static let longestPath = 2000
}

extension RobotsRules {
    init(_ file: Data) {
        // The rules for this program and those for all (`*`), and whether the current lines belong to each. A
        // user-agent line after a rule begins a new group.
        var groups = [(group: RobotsRules(), isCurrent: false), (group: RobotsRules(), isCurrent: false)]
        var isNamed = false
        var hasRules = false
        for line in file.prefix(RobotsRules.longest).split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
            guard let (key, value) = RobotsRules.field(line) else { continue }
            switch key {
            case "user-agent":
                if hasRules { (groups[0].isCurrent, groups[1].isCurrent, hasRules) = (false, false, false) }
                // The product token counts, not the version.
                let name = value.lowercased().prefix { $0.isASCII && $0.isLetter || $0 == "-" || $0 == "_" }
                if name == RobotsRules.agent { (groups[0].isCurrent, isNamed) = (true, true) }
                if value.hasPrefix("*") { groups[1].isCurrent = true }
            case "allow", "disallow":
                hasRules = true
                guard !value.isEmpty, value.utf8.count <= RobotsRules.longestPath else { continue }
                let pattern = RobotsRules.normalised(value)
                for index in groups.indices
                where groups[index].isCurrent && groups[index].group.rules.count < RobotsRules.mostRules {
                    groups[index].group.rules.append((pattern: pattern, allows: key == "allow"))
                }
            case "crawl-delay":
                hasRules = true
                let delay = Double(value).flatMap { $0 > 0 ? $0 : nil }
                for index in groups.indices where groups[index].isCurrent { groups[index].group.delay = delay }
            default: break
            }
        }
        self = groups[isNamed ? 0 : 1].group
    }

    /// The field's name in lower case, and its value without a comment.
    private static func field(_ line: Data) -> (key: String, value: String)? {
        let text = String(decoding: line, as: UTF8.self).prefix { $0 != "#" }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let key = String(text[..<colon]).trimmed.lowercased()
        // Without a byte order mark.
        return (
            key.hasPrefix("\u{feff}") ? String(key.dropFirst()) : key, String(text[text.index(after: colon)...]).trimmed
        )
    }

    /// - Parameter path: the path and query of a URL.
    func allows(_ path: String) -> Bool {
        guard path != "/robots.txt" else { return true }
        let path = Array(RobotsRules.normalised(path).prefix(RobotsRules.longestPath))
        let text = path.map { CChar(bitPattern: $0) } + [0]
        // "The most specific match found MUST be used", and of equal ones the one that allows (2.2.2).
        var longest = -1
        var allows = true
        for rule in rules where rule.pattern.count >= longest && RobotsRules.matches(rule.pattern, path, text) {
            allows = rule.pattern.count == longest ? allows || rule.allows : rule.allows
            longest = rule.pattern.count
        }
        return allows
    }

    /// Whether the path begins with the pattern. The pieces between asterisks are matched one after another at the
    /// earliest index, which is always the best.
    ///
    /// - Parameter text: The path for strstr(3), whose time is linear; neither it nor a pattern has zeros in it.
    private static func matches(_ pattern: [UInt8], _ path: [UInt8], _ text: [CChar]) -> Bool {
        let isAnchored = pattern.last == UInt8(ascii: "$")
        let pieces = (isAnchored ? pattern.dropLast() : pattern[...])
            .split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
        guard let first = pieces.first, path.starts(with: first) else { return false }
        guard let last = pieces.dropFirst().last else { return !isAnchored || path.count == first.count }
        var end = first.count
        for piece in pieces.dropFirst().dropLast(isAnchored ? 1 : 0) where !piece.isEmpty {
            let piece = piece.map { CChar(bitPattern: $0) } + [0]
            let found = text.withUnsafeBufferPointer { text in
                text.baseAddress.flatMap { start in strstr(start + end, piece).map { UnsafePointer($0) - start } }
            }
            guard let found else { return false }
            end = found + piece.count - 1
        }
        return !isAnchored || path.count - end >= last.count && path.suffix(last.count) == last
    }

    /// A normal form of a path: everything but visible ASCII is percent-encoded.
    private static func normalised(_ path: String) -> [UInt8] {
        let bytes = Array(path.utf8)
        var normalised: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "%"), index + 1 < bytes.count,
                let code = UInt8(String(decoding: bytes[index...index + 1], as: UTF8.self), radix: 16)
            else {
                normalised += 0x21...0x7e ~= byte ? [byte] : encoded(byte)
                continue
            }
            index += 2
            // RFC 3986, section 2.3: the unreserved characters.
            normalised += code.isASCIIAlphanumeric || "-._~".utf8.contains(code) ? [code] : encoded(code)
        }
        return normalised
    }

    private static func encoded(_ byte: UInt8) -> [UInt8] {
        Array("%\(Hexadecimal.text(of: [byte], uppercase: true))".utf8)
    }
}
