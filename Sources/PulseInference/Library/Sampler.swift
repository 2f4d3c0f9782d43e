import CLlama
import PulseCore

/// Chooses a token from logits: the likeliest one, or one by libllama's samplers. Freed when it goes out of use.
struct Sampler: ~Copyable {
    /// libllama's samplers, one after another; nil: always the likeliest token.
    private let chain: UnsafeMutablePointer<llama_sampler>?
    private let confinement = ThreadConfinement()
    private let candidates: Candidates

    /// The tokens that libllama's samplers choose from. Those of a large vocabulary take a megabyte and a half, so
    /// samplers that choose one after another share them.
    final class Candidates {
        fileprivate var tokens: [llama_token_data] = []
    }

    init(_ sampling: Sampling, candidates: Candidates) throws(PulseError) {
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
        // llama.h: LLAMA_DEFAULT_SEED means a random one, which nobody could ask for again.
        let seed = sampling.seed == LLAMA_DEFAULT_SEED ? 0 : sampling.seed
        llama_sampler_chain_add(chain, llama_sampler_init_dist(seed))
        self.chain = chain
    }

    deinit {
        confinement.check()
        if let chain { llama_sampler_free(chain) }
    }

    /// Chooses one of all tokens; nil if none can be chosen.
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

    /// The first of the likeliest, as libllama has it; nil where no logit is a number. The library would have all
    /// logits copied into candidates first, which takes a large vocabulary longer than looking at them.
    private static func likeliest(_ logits: UnsafeBufferPointer<Float>) -> llama_token? {
        var (best, token) = (-Float.infinity, -1)
        for index in logits.indices where logits[index] > best { (best, token) = (logits[index], index) }
        return token < 0 ? nil : llama_token(token)
    }
}
