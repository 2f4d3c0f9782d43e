/// Tokens on their way into one computation: each with its position and its sequence. Freed when it goes out of use.
import CLlama

struct Batch: ~Copyable {
    private(set) var raw: llama_batch
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        raw = llama_batch_init(Int32(capacity), 0, 1)
    }

    deinit {
        llama_batch_free(raw)
    }

    /// Fills the batch anew; logits are computed for the last token only, and only where they are wanted.
    /// At most `capacity` tokens.
    mutating func fill(_ tokens: ArraySlice<llama_token>, at position: Int, wantsLogits: Bool) {
        precondition(tokens.count <= capacity)
        for (index, token) in tokens.enumerated() {
            raw.token[index] = token
            raw.pos[index] = llama_pos(position + index)
            raw.n_seq_id[index] = 1
            raw.seq_id[index]?[0] = 0
            raw.logits[index] = wantsLogits && index == tokens.count - 1 ? 1 : 0
        }
        raw.n_tokens = Int32(tokens.count)
    }
}
