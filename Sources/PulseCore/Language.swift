/// A language the program writes digests in. Each has its own headings and its own dates; prompts are by `code`.
public enum Language: String, Sendable, Hashable, CaseIterable, Codable {
    case english = "en"
    /// As Brazil writes it.
    case portuguese = "pt"
    case europeanPortuguese = "pt-PT"
    case spanish = "es"

    /// The language without its region, as ISO 639 has it: what articles are told to be written in.
    public var code: String { String(rawValue.prefix(2)) }
}
