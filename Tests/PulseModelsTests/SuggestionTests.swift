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
        #expect(ModelCatalog.suggestions(for: word, among: Self.names) == [name])
    }

    @Test(arguments: ["qwen", "", "x", "mistral-7b-instruct"]) func far(word: String) {
        #expect(ModelCatalog.suggestions(for: word, among: Self.names) == [])
        #expect(ModelCatalog.suggestions(for: word, among: []) == [])
    }

    /// As ollama, Hugging Face and people spell them.
    @Test(arguments: [
        ("Qwen3:1.7b", ["qwen3-1.7b"]), ("qwen3_4b", ["qwen3-4b", "ollama:qwen3:4b"]), ("qwen3:8b", ["qwen3-4b"]),
        ("qwen3", ["qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "ollama:qwen3:4b"]), ("1.7B", ["qwen3-1.7b"]),
    ])
    func otherSpellings(word: String, names: [String]) {
        let all = ["qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "ollama:qwen3:4b"]
        #expect(ModelCatalog.suggestions(for: word, among: all) == names)
    }
}
