import Testing

@testable import PulseModels

/// Did you mean.
@Suite(.timeLimit(.minutes(20))) struct SuggestionTests {
    static let names = ["pulse-nano", "llama-3.2-1b", "gemma-3-1b"]

    @Test(arguments: [
        ("llama", "llama-3.2-1b"), ("Gemma", "gemma-3-1b"), ("plse-nano", "pulse-nano"), ("llama-3-1b", "llama-3.2-1b"),
        ("gema-3-1b", "gemma-3-1b"), ("pulse nano", "pulse-nano"),
    ])
    func near(word: String, name: String) {
        #expect(Catalog.suggestion(for: word, among: Self.names) == name)
    }

    @Test(arguments: ["qwen", "", "x", "mistral-7b-instruct"])
    func far(word: String) {
        #expect(Catalog.suggestion(for: word, among: Self.names) == nil)
        #expect(Catalog.suggestion(for: word, among: []) == nil)
    }
}
