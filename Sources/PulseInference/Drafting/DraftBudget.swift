/// Decides how many drafted tokens go into a batch. A rejected token costs time, and a token only counts if all before
/// it are accepted. So the number maximises the expected tokens per time.
enum DraftBudget {
    /// The draft of one request.
    struct Offer {
        /// The probability that a token is accepted.
        var chance: Double
        /// The number of tokens in the draft.
        var count: Int
        /// Whether to try one token regardless of the cost, to find out whether drafts are accepted again.
        var isRetryDue = false
    }

    /// The cost of a batch relative to a batch of one token. The values are between those measured with a model of 1B,
    /// Q4_K_M, on two cores of two processors: on a Xeon of 2023 eight tokens cost 2.5 times as much as one and sixteen
    /// 2.7 times; on an EPYC of 2024, which reads memory faster, 3.8 and 4.6 times. (For AMX see docs/performance.md.)
    /// The library multiplies four rows at a time, so the fourth token is free after the third. Constants and no clock,
    /// so that the same request is always computed in the same batches.
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

    /// The number of tokens of each offer to put into the batch.
    ///
    /// - Parameters:
    ///   - certain: tokens in the batch without drafts.
    ///   - limit: the most drafted tokens of all offers together.
    static func counts(for offers: [Offer], certain: Int, limit: Int) -> [Int] {
        var counts = offers.map { _ in 0 }
        var best = counts
        var gain = 0.0
        var bestRate = Double(certain) / cost(ofBatch: certain)
        for drafted in 1...max(1, limit) where limit > 0 {
            // The most probable next token of all requests.
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

    /// The probability that an offer's token is accepted, after so many before it.
    private static func value(_ offer: Offer, _ before: Int) -> Double {
        var chance = offer.chance
        for _ in 0..<before { chance *= offer.chance }
        return chance
    }
}
