/// The least that can be done with libllama's C API: read a prompt, take the likeliest token, go on; as llama.cpp's own
/// `examples/simple` does. What the engine costs on top of it is what the row "sequence" shows.
import CLlama
import Foundation
import PulseInference

final class BareLoop {
    private let model: OpaquePointer
    private let context: OpaquePointer
    private let vocabulary: OpaquePointer

    init(path: String, length: Int, threads: Int) throws(BenchError) {
        LlamaLibrary.start(logsToStandardError: false)
        guard let model = llama_model_load_from_file(path, llama_model_default_params()) else {
            throw BenchError("libllama cannot load \(path).")
        }
        var parameters = llama_context_default_params()
        parameters.n_ctx = UInt32(length)
        parameters.n_batch = 512
        parameters.n_ubatch = 512
        parameters.n_threads = Int32(threads)
        parameters.n_threads_batch = Int32(threads)
        parameters.no_perf = true
        guard let context = llama_init_from_model(model, parameters), let vocabulary = llama_model_get_vocab(model)
        else {
            llama_model_free(model)
            throw BenchError("libllama has no memory for a context of \(length) tokens.")
        }
        (self.model, self.context, self.vocabulary) = (model, context, vocabulary)
    }

    deinit {
        llama_free(context)
        llama_model_free(model)
    }

    /// The tokens of a prompt of a system and a user message, by the model's own template.
    private func tokens(system: String, user: String) throws(BenchError) -> [llama_token] {
        let strings = ["system", system, "user", user].map { (text: String) in strdup(text) }
        defer { strings.forEach { free($0) } }
        let messages = [
            llama_chat_message(role: strings[0], content: strings[1]),
            llama_chat_message(role: strings[2], content: strings[3]),
        ]
        var buffer = [CChar](repeating: 0, count: 4 * (system.utf8.count + user.utf8.count) + 1024)
        let length = llama_chat_apply_template(
            llama_model_chat_template(model, nil), messages, messages.count, true, &buffer, Int32(buffer.count))
        guard length > 0, length <= buffer.count else { throw BenchError("libllama cannot apply the chat template.") }
        var tokens = [llama_token](repeating: 0, count: Int(length) + 8)
        let count = llama_tokenize(vocabulary, buffer, length, &tokens, Int32(tokens.count), true, true)
        guard count > 0 else { throw BenchError("libllama cannot tokenise the prompt.") }
        return Array(tokens.prefix(Int(count)))
    }

    /// Reads the prompt of a system and a user message and writes so many tokens, into an empty memory.
    func run(system: String, user: String, tokens: Int) throws(BenchError) -> Contest.Outcome {
        llama_memory_clear(llama_get_memory(context), true)
        guard let sampler = llama_sampler_chain_init(llama_sampler_chain_default_params()) else {
            throw BenchError("libllama has no memory for a sampler.")
        }
        defer { llama_sampler_free(sampler) }
        llama_sampler_chain_add(sampler, llama_sampler_init_greedy())
        let start = ContinuousClock.now
        var prompt = try self.tokens(system: system, user: user)
        var offset = 0
        while offset < prompt.count {
            let count = min(512, prompt.count - offset)
            let status = prompt.withUnsafeMutableBufferPointer {
                llama_decode(context, llama_batch_get_one($0.baseAddress.map { $0 + offset }, Int32(count)))
            }
            guard status == 0 else { throw BenchError("llama_decode failed (\(status)).") }
            offset += count
        }
        let read = ContinuousClock.now
        var piece = [CChar](repeating: 0, count: 256)
        for number in 0..<tokens {
            var token = llama_sampler_sample(sampler, context, -1)
            if llama_vocab_is_eog(vocabulary, token) { break }
            _ = llama_token_to_piece(vocabulary, token, &piece, Int32(piece.count), 0, false)
            if number + 1 == tokens { break }
            let status = llama_decode(context, llama_batch_get_one(&token, 1))
            guard status == 0 else { throw BenchError("llama_decode failed (\(status)).") }
        }
        let end = ContinuousClock.now
        return Contest.Outcome(
            seconds: (end - start).seconds,
            figures: [
                "promptTokens": Double(prompt.count), "reading": (read - start).seconds,
                "writing": (end - read).seconds,
            ])
    }
}
