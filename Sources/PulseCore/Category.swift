import PulseText

/// The category of an article, as its source names it.
public struct Category: Sendable, Hashable, Comparable, Codable {
    /// Lower case, without surrounding space; never empty.
    public let name: String

    /// Any spelling. An empty name becomes `general`, and so does a URL, which Google's feeds have as a category.
    public init(_ name: String) {
        let plain = PlainText.line(name).lowercased()
        self.name = plain.isEmpty || plain.contains("://") ? "general" : plain
    }

    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    public static let general = Category("general")

    /// Common categories; their order decides between sections of equal weight.
    public static let known: [Category] = [
        "world", "politics", "business", "technology", "science", "health", "sports", "entertainment",
    ].map { Category($0) }

    /// The name as a heading: its first letter in upper case.
    public var title: String { name.prefix(1).uppercased() + name.dropFirst() }

    /// The heading in a language; an unknown category is the same in every language.
    public func title(in language: Language) -> String { language.categories[name] ?? title }

    /// Known categories first, in their order; then the others by name; `general` last.
    public static func < (left: Category, right: Category) -> Bool {
        (left.rank, left.name) < (right.rank, right.name)
    }

    private var rank: Int {
        if self == .general { return Category.known.count + 1 }
        return Category.known.firstIndex(of: self) ?? Category.known.count
    }
}
