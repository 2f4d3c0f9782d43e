/// How many drafted tokens go into a batch. A wrong one costs time, and each further one of a request counts only if
/// all before it are accepted: so as many as make the most tokens in the least time.
enum DraftBudget {
    /// What one request has to offer.
    struct Offer {
        /// The chance that one token is accepted.
        var chance: Double
        /// Tokens in the draft.
        var count: Int
        /// One token is tried whatever it costs, to see whether drafts are accepted again.
        var isRetryDue = false
    }

    /// What a batch of so many tokens costs, compared with a batch of one: between what was measured with a model of
    /// 1B, Q4_K_M, on two cores of two processors. On a Xeon of 2023 eight tokens cost 2.5 times as much as one and
    /// sixteen 2.7 times, on an EPYC of 2024, which reads memory faster, 3.8 and 4.6 times. (docs/performance.md has
    /// what was measured with AMX.) The library multiplies four rows at a time, so that the fourth token costs nothing
    /// once there are three. Fixed figures and no clock, so that the same request is computed in the same batches every
    /// time.
    static func cost(ofBatch tokens: Int) -> Double {
        let known: [(tokens: Double, cost: Double)] = [
            (1, 1), (2, 1.5), (3, 2.05), (4, 2.1), (5, 2.5), (7, 3), (8, 3.05), (9, 3.2), (11, 3.4), (12, 3.4),
            (13, 3.5), (15, 3.6), (16, 3.6), (64, 9),
        ]
        let count = Double(max(1, tokens))
        let upper = known.firstIndex { $0.tokens >= count } ?? known.count - 1
        guard upper > 0 else { return 1 }
        let (low, high) = (known[upper - 1], known[upper])
        return low.cost + (count - low.tokens) * (high.cost - low.cost) / (high.tokens - low.tokens)
    }

    /// For each offer, how many of its tokens to put into the batch.
    ///
    /// - Parameters:
    ///   - certain: Tokens in the batch without any draft.
    ///   - limit: The most drafted tokens, all offers together.
    static func counts(for offers: [Offer], certain: Int, limit: Int) -> [Int] {
        var counts = offers.map { _ in 0 }
        var best = counts
        var gain = 0.0
        var bestRate = Double(certain) / cost(ofBatch: certain)
        for drafted in 1...max(1, limit) where limit > 0 {
            // The next token of each request, the likeliest first.
            let next = offers.indices.filter { counts[$0] < offers[$0].count }
                .max { value(offers[$0], counts[$0]) < value(offers[$1], counts[$1]) }
            guard let next else { break }
            gain += value(offers[next], counts[next])
            counts[next] += 1
            let rate = (Double(certain) + gain) / cost(ofBatch: certain + drafted)
            if rate > bestRate { (best, bestRate) = (counts, rate) }
        }
        var left = limit - best.reduce(0, +)
        for index in offers.indices where best[index] == 0 && offers[index].isRetryDue && left > 0 {
            best[index] = min(1, offers[index].count)
            left -= best[index]
        }
        return best
    }

    /// The chance that an offer's next token is accepted, after so many before it.
    private static func value(_ offer: Offer, _ before: Int) -> Double {
        var chance = offer.chance
        for _ in 0..<before { chance *= offer.chance }
        return chance
    }
}
