import Foundation
import PulseCore
import PulseText

/// Links of the Pulse app, such as `pulse://article?id=world/2024/jan/01/slug`; others open parts of the app itself.
package enum PulseAppLink: Hashable {
    case article(id: String)
    case search(words: String)
    case category(name: String)
    case feed, bookmarks

    /// - Returns: nil if the text is no such link.
    /// - Throws: For an unknown link, and for one that looks malicious: too long, or with an id that leaves its folder.
    package init?(_ text: String) throws {
        guard text.lowercased().hasPrefix("pulse:") else { return nil }
        let shown = "“\(PlainText.line(text).prefix(100))”"
        let link = URLComponents(string: text)
        func value(_ name: String, upTo longest: Int) throws -> String {
            let value = PlainText.line(link?.queryItems?.first { $0.name == name }?.value ?? "")
            guard !value.isEmpty else {
                throw PulseError(.badData, "\(shown) has no \(name)=….")
            }
            guard value.count <= longest else {
                throw PulseError(
                    .badData, "\(shown) is not accepted: its \(name) is longer than \(longest) characters.")
            }
            return value
        }
        switch link?.host?.lowercased() {
        case "article":
            let id = try value("id", upTo: 512)
            let steps = id.split(separator: "/", omittingEmptySubsequences: false)
            guard !id.hasPrefix("/"), !id.contains(".."), !steps.contains(".") else {
                throw PulseError(.badData, "\(shown) is not accepted: its id is a path that leads elsewhere.")
            }
            guard id.allSatisfy({ $0.isLetter || $0.isNumber || "-_/.,".contains($0) }) else {
                throw PulseError(
                    .badData, "\(shown) is not accepted: an id has only letters, digits and the characters “-_/.,”.")
            }
            self = .article(id: id)
        case "search":
            self = .search(words: try value("q", upTo: 256))
        case "category":
            self = .category(name: try value("name", upTo: 256))
        case "feed": self = .feed
        case "bookmarks": self = .bookmarks
        default:
            throw PulseError(
                .badData, "\(shown) is not a known link.",
                hint: "It knows pulse://article?id=…, pulse://search?q=…, pulse://category?name=…, pulse://feed and "
                    + "pulse://bookmarks.")
        }
    }

    /// The id in a link to an article; nil where the text is no link of the app.
    package static func id(in text: String) throws -> String? {
        guard let link = try PulseAppLink(text) else { return nil }
        guard case .article(let id) = link else {
            throw PulseError(
                .badData,
                "“\(PlainText.line(text))” is not a link to an article; those look like pulse://article?id=….",
                hint: "To follow it: pulse-digest open \(ShellWord.quoted(text))")
        }
        return id
    }
}
