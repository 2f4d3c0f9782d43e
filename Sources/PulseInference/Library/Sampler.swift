import CLlama
import PulseCore

/// Chooses a token from logits, by libllama's own samplers. Freed when it goes out of use.
struct Sampler: ~Copyable {
    private let pointer: UnsafeMutablePointer<llama_sampler>
    private let confinement = ThreadConfinement()
    private let candidates: Candidates

    /// The tokens to choose from. Those of a large vocabulary take a megabyte and a half, so samplers that choose one
    /// after another share them.
    final class Candidates {
        fileprivate var tokens: [llama_token_data] = []
    }

    init(_ sampling: Sampling, candidates: Candidates) throws(PulseError) {
        self.candidates = candidates
        guard let chain = llama_sampler_chain_init(llama_sampler_chain_default_params()) else {
            throw PulseError(.bug, "There is not enough memory to choose tokens.", hint: "Try again.")
        }
        // llama.h, llama_sampler_chain_add: "takes ownership of the sampler object".
        if sampling.temperature > 0 {
            if sampling.topP < 1 { llama_sampler_chain_add(chain, llama_sampler_init_top_p(sampling.topP, 1)) }
            llama_sampler_chain_add(chain, llama_sampler_init_temp(sampling.temperature))
            // llama.h: LLAMA_DEFAULT_SEED means a random one, which nobody could ask for again.
            let seed = sampling.seed == LLAMA_DEFAULT_SEED ? 0 : sampling.seed
            llama_sampler_chain_add(chain, llama_sampler_init_dist(seed))
        } else {
            llama_sampler_chain_add(chain, llama_sampler_init_greedy())
        }
        pointer = chain
    }

    deinit {
        confinement.check()
        llama_sampler_free(pointer)
    }

    /// Chooses one of all tokens; nil if the samplers choose none.
    mutating func choose(from logits: UnsafeBufferPointer<Float>) -> llama_token? {
        candidates.tokens.removeAll(keepingCapacity: true)
        candidates.tokens.reserveCapacity(logits.count)
        for (token, logit) in logits.enumerated() {
            candidates.tokens.append(llama_token_data(id: llama_token(token), logit: logit, p: 0))
        }
        guard !candidates.tokens.isEmpty else { return nil }
        confinement.check()
        let chain = pointer
        return candidates.tokens.withUnsafeMutableBufferPointer { buffer -> llama_token? in
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
}
