/// A language the program writes digests in. Each has its own prompts.
public enum Language: String, Sendable, Hashable, CaseIterable, Codable {
    case english = "en"
}
