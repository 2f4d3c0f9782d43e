import PulseCore
import PulseDigest
import PulseInference
import PulseModels
import PulseText

/// What `--dry-run` prints: the prompts as the model would see them, and what they cost.
struct PromptListing {
    let context: Context
    let model: LanguageModel
    let prompts: [(name: String, prompt: Prompt)]

    func print() async throws(Failure) {
        var total = 0
        for (name, prompt) in prompts {
            let tokens: Int
            do {
                tokens = try await model.engine.promptTokens(of: prompt.messages)
            } catch {
                throw Failure(error)
            }
            total += tokens
            try context.console.write(
                """
                === \(PlainText.line(name)): \(tokens) tokens
                --- system
                \(PlainText.printable(prompt.system))
                --- user
                \(PlainText.printable(prompt.user))


                """)
        }
        try context.console.write(
            "=== \(prompts.count) \(prompts.count == 1 ? "prompt" : "prompts"), \(total) tokens, by the tokenizer of "
                + "\(model.file.name); its context holds \(model.engine.model.contextLength)\n")
    }
}
