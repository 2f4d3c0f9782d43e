/// A language that the program writes, with all words needed to write and read it.
///
/// A new language is one more file in this folder, an element of `allCases`, and prompts in `prompts/`.
public struct Language: Sendable {
    /// The BCP 47 tag used in options, files and JSON: `pt`, `pt-PT`.
    public package(set) var rawValue: String
    /// The CLDR locale for dates and numbers: `pt_BR`.
    public package(set) var locale: String
    /// The first day of a month where it is not written as a plain number, which CLDR does not know: `1er`.
    package var firstOfMonth: String?
    /// Headings of the known categories; a category without one is written as its source does.
    package var categories: [String: String]
    package var phrases: Phrases
    package var lead: LeadWords
    package var check: CheckWords

    /// The ISO 639 code, without the region. Prompt files are named by it.
    public var code: String { String(rawValue.prefix { $0 != "-" }) }
}

extension Language: RawRepresentable, CaseIterable, Hashable, Codable, CustomStringConvertible {
    public static let allCases: [Language] = [.english, .portuguese, .europeanPortuguese, .spanish, .french]

    /// - Returns: nil where no language of `allCases` has the tag.
    public init?(rawValue: String) {
        guard let language = Language.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = language
    }

    public var description: String { rawValue }

    public static func == (left: Language, right: Language) -> Bool { left.rawValue == right.rawValue }

    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
