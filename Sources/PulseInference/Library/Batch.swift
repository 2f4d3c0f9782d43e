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

    var count: Int { Int(raw.n_tokens) }

    mutating func clear() {
        raw.n_tokens = 0
    }

    /// At most `capacity` tokens.
    mutating func add(_ token: llama_token, at position: Int, of sequence: Int, wantsLogits: Bool) {
        precondition(count < capacity)
        raw.token[count] = token
        raw.pos[count] = llama_pos(position)
        raw.n_seq_id[count] = 1
        raw.seq_id[count]?[0] = llama_seq_id(sequence)
        raw.logits[count] = wantsLogits ? 1 : 0
        raw.n_tokens += 1
    }
}

/// Tokens that go on one sequence, in one batch.
struct Run {
    var place: Int
    var tokens: [llama_token]
    /// Of so many tokens at the end the successors are asked for.
    var rows: Int
}
