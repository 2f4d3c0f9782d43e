/// A language the program writes digests in. Each has its own prompts, its own headings, and its own dates.
public enum Language: String, Sendable, Hashable, CaseIterable, Codable {
    case english = "en"
    case portuguese = "pt"
    case spanish = "es"
}
