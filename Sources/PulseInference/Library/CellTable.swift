import CLlama

/// A copy of the KV cache's bookkeeping, which the library does not expose. Sequences share the cells of a prefix.
struct CellTable {
    private struct Entry {
        var token: llama_token
        var cell: Int
    }

    let capacity: Int
    private var sequences: [[Entry]]
    /// The number of sequences that use a cell, by the cell's number. Numbers are never reused.
    private var users: [Int: Int] = [:]
    private var nextCell = 0
    /// The most tokens that each active sequence may come to hold.
    private var promised: [Int?]

    init(cells: Int, sequences: Int) {
        capacity = cells
        self.sequences = Array(repeating: [], count: sequences)
        promised = Array(repeating: nil, count: sequences)
    }

    var used: Int { users.count }

    func count(of sequence: Int) -> Int { sequences[sequence].count }

    /// The length of the prefix that a sequence and a prompt share, in tokens.
    func sharedPrefix(of prompt: [llama_token], with sequence: Int) -> Int {
        zip(sequences[sequence], prompt).prefix { $0.token == $1 }.count
    }

    mutating func append(_ tokens: [llama_token], to sequence: Int) {
        for token in tokens {
            sequences[sequence].append(Entry(token: token, cell: nextCell))
            users[nextCell] = 1
            nextCell += 1
        }
    }

    mutating func truncate(_ sequence: Int, to count: Int) {
        guard count < sequences[sequence].count else { return }
        for entry in sequences[sequence][count...] {
            users[entry.cell] = users[entry.cell].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        sequences[sequence].removeSubrange(count...)
    }

    /// Copies the prefix of another sequence to an empty one.
    mutating func share(_ count: Int, of source: Int, with sequence: Int) {
        precondition(sequences[sequence].isEmpty)
        sequences[sequence] = Array(sequences[source].prefix(count))
        for entry in sequences[sequence] { users[entry.cell, default: 0] += 1 }
    }

    mutating func occupy(_ sequence: Int, total: Int) { promised[sequence] = total }

    /// Frees the sequence. Its tokens stay in the cache until the cells are needed.
    mutating func release(_ sequence: Int) { promised[sequence] = nil }

    /// Assigns a request the sequence that `placement(for:total:maxRewindableLength:)` chose.
    mutating func apply(_ placement: Placement, total: Int) {
        for sequence in placement.evicted { truncate(sequence, to: 0) }
        move(to: placement)
        occupy(placement.sequence, total: total)
    }

    private mutating func move(to placement: Placement) {
        let isOwn = placement.source == placement.sequence
        truncate(placement.sequence, to: isOwn ? placement.shared : 0)
        if !isOwn { share(placement.shared, of: placement.source, with: placement.sequence) }
    }

    /// The sequence for a request, and the changes to make first.
    struct Placement: Hashable {
        var sequence: Int
        /// The sequence whose prefix is copied; itself, if it has the prefix already.
        var source: Int
        /// The tokens of that prefix. The rest of the sequence is removed.
        var shared: Int
        /// Free sequences whose tokens are removed.
        var evicted: [Int]
    }

    /// Chooses a sequence for a prompt that will hold at most `total` tokens with its answer; nil: it must wait for
    /// others. Every admitted request can finish, because the cells that active sequences may still need are reserved.
    ///
    /// The last token of a prompt is always computed again, for its logits.
    ///
    /// - Parameter maxRewindableLength: longer sequences share nothing.
    func placement(for prompt: [llama_token], total: Int, maxRewindableLength: Int) -> Placement? {
        let free = sequences.indices.filter { promised[$0] == nil }
        guard !free.isEmpty else { return nil }
        let prefixes = sequences.indices.map { sequence in
            max(total, count(of: sequence)) <= maxRewindableLength
                ? min(sharedPrefix(of: prompt, with: sequence), prompt.count - 1) : 0
        }
        let shared = max(0, prefixes.max() ?? 0)
        // A free sequence that has the prefix already; else an empty one; else the one with the fewest tokens to lose.
        let longest = free.min { (-prefixes[$0], count(of: $0)) < (-prefixes[$1], count(of: $1)) } ?? free[0]
        let isOwn = prefixes[longest] == shared
        let emptiest = free.min { count(of: $0) < count(of: $1) } ?? free[0]
        var placement = Placement(
            sequence: isOwn ? longest : emptiest,
            source: isOwn ? longest : prefixes.firstIndex(of: shared) ?? longest, shared: shared, evicted: [])
        var trial = self
        trial.move(to: placement)
        var others = free.filter { $0 != placement.sequence && count(of: $0) > 0 }[...]
        while !trial.hasRoom(for: total - shared) {
            guard let other = others.popFirst() else { return nil }
            trial.truncate(other, to: 0)
            placement.evicted.append(other)
        }
        return placement
    }

    private func hasRoom(for count: Int) -> Bool {
        let growth = sequences.indices.reduce(0) { $0 + max(0, (promised[$1] ?? 0) - sequences[$1].count) }
        return used + growth + count <= capacity
    }
}
