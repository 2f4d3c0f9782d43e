import CLlama
import PulseCore

/// Chooses a token from logits: greedily, or by libllama's samplers.
struct Sampler: ~Copyable {
    /// A chain of libllama's samplers; nil: greedy.
    private let chain: UnsafeMutablePointer<llama_sampler>?
    private let confinement = ThreadConfinement()
    private let candidates: Candidates

    /// libllama's candidates: 1.5 MB for a large vocabulary, so samplers that are used one after another share it.
    final class Candidates {
        fileprivate var tokens: [llama_token_data] = []
    }

    init(_ sampling: Sampling, candidates: Candidates) throws {
        self.candidates = candidates
        guard sampling.temperature > 0 else {
            chain = nil
            return
        }
        guard let chain = llama_sampler_chain_init(llama_sampler_chain_default_params()) else {
            throw PulseError(.bug, "There is not enough memory to choose tokens.", hint: "Try again.")
        }
        // llama.h, llama_sampler_chain_add: "takes ownership of the sampler object".
        if sampling.topP < 1 { llama_sampler_chain_add(chain, llama_sampler_init_top_p(sampling.topP, 1)) }
        llama_sampler_chain_add(chain, llama_sampler_init_temp(sampling.temperature))
        // llama.h: LLAMA_DEFAULT_SEED means a random one, which is not reproducible.
        let seed = sampling.seed == LLAMA_DEFAULT_SEED ? 0 : sampling.seed
        llama_sampler_chain_add(chain, llama_sampler_init_dist(seed))
        self.chain = chain
    }

    deinit {
        confinement.check()
        if let chain { llama_sampler_free(chain) }
    }

    mutating func choose(from logits: UnsafeBufferPointer<Float>) -> llama_token? {
        guard let chain else { return Self.likeliest(logits) }
        if candidates.tokens.count != logits.count {
            candidates.tokens = Array(repeating: llama_token_data(), count: logits.count)
        }
        guard !logits.isEmpty else { return nil }
        confinement.check()
        return candidates.tokens.withUnsafeMutableBufferPointer { buffer -> llama_token? in
            for token in logits.indices {
                buffer[token] = llama_token_data(id: llama_token(token), logit: logits[token], p: 0)
            }
            // llama.h: the samplers may replace the pointer and shrink the size; `selected` is an index into data.
            var array = llama_token_data_array(
                data: buffer.baseAddress, size: buffer.count, selected: -1, sorted: false)
            llama_sampler_apply(chain, &array)
            guard array.selected >= 0, array.selected < Int64(array.size), let data = array.data else { return nil }
            let token = data[Int(array.selected)].id
            llama_sampler_accept(chain, token)
            return token
        }
    }

    /// The first token with the highest logit; nil: none is a number. libllama's own sampler copies all logits first.
    private static func likeliest(_ logits: UnsafeBufferPointer<Float>) -> llama_token? {
        var (best, token) = (-Float.infinity, -1)
        for index in logits.indices where logits[index] > best { (best, token) = (logits[index], index) }
        return token < 0 ? nil : llama_token(token)
    }
}
