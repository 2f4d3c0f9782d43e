/// A language that the program writes, and everything it needs to write and read it, as values.
///
/// A further language is one more file beside this one, its name in `allCases`, and its prompts in `prompts/`.
public struct Language: Sendable {
    /// The BCP 47 tag that options, files and JSON name it by: `pt`, `pt-PT`.
    public package(set) var rawValue: String
    /// The locale whose words for days and months are used, by Unicode's CLDR: `pt_BR`.
    public package(set) var locale: String
    /// How the first day of a month is written where that is more than its number, which CLDR does not know: `1er`.
    package var firstOfMonth: String?
    /// Names of the known categories as headings. One that is not in it is told as its source writes it.
    package var categories: [String: String]
    package var phrases: Phrases
    package var lead: LeadWords
    package var check: CheckWords

    /// The language without its region, as ISO 639 has it. Prompt files are named by it.
    public var code: String { String(rawValue.prefix { $0 != "-" }) }
}

extension Language: RawRepresentable, CaseIterable, Hashable, Codable, CustomStringConvertible {
    public static let allCases: [Language] = [.english, .portuguese, .europeanPortuguese, .spanish, .french]

    /// - Returns: nil for a tag of none of `allCases`.
    public init?(rawValue: String) {
        guard let language = Language.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = language
    }

    public var description: String { rawValue }

    public static func == (left: Language, right: Language) -> Bool { left.rawValue == right.rawValue }

    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
