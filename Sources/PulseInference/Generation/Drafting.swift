import CLlama

/// Decides how many drafted tokens go into a batch. A rejected token costs time, and a token only counts if all before
/// it are accepted. So the number maximises the expected tokens per time.
enum DraftBudget {
    struct Offer {
        var chance: Double
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

    /// The number of tokens of each offer, at most `limit` in all, to put into a batch with `certain` tokens.
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

    /// The probability that an offer's token is accepted, which requires that the `before` tokens before it are.
    private static func value(_ offer: Offer, _ before: Int) -> Double {
        var chance = offer.chance
        for _ in 0..<before { chance *= offer.chance }
        return chance
    }
}

/// The success rate of a request's drafts after matches of one class. It predicts whether the next one is accepted.
struct DraftRecord: Hashable {
    /// The length of the match between the answer's end and the prompt. After a long one, drafts are nearly always
    /// right.
    enum MatchClass: Hashable {
        /// Two or three tokens, four to seven, and more.
        case short, medium, long

        /// - Parameter length: tokens at the end of the answer that are in the prompt too.
        init(length: Int) {
            switch length {
            case ..<4: self = .short
            case 4..<8: self = .medium
            default: self = .long
            }
        }
    }

    /// The estimated probability that a drafted token is accepted, 0...1.
    private(set) var chance: Double
    private var tokensSinceDraft = 0
    /// After this many tokens without a draft, one is tried regardless of the probability.
    private var retryInterval = Self.shortestInterval

    private static let weight = 0.2
    private static let shortestInterval = 16
    private static let longestInterval = 128

    init(for match: MatchClass) {
        // High enough for a first try.
        chance =
            switch match {
            case .short: 0.5
            case .medium: 0.6
            case .long: 0.8
            }
    }

    /// Whether to try a draft although drafts have been failing.
    var isRetryDue: Bool { tokensSinceDraft >= retryInterval }

    /// Records how many tokens were drafted (0: none), and accepted, and by how many the answer grew.
    mutating func note(drafted: Int, accepted: Int, written: Int) {
        guard drafted > 0 else {
            tokensSinceDraft += written
            return
        }
        for _ in 0..<accepted { chance += Self.weight * (1 - chance) }
        if accepted < drafted { chance -= Self.weight * chance }
        if accepted > 0 {
            retryInterval = Self.shortestInterval
        } else if isRetryDue {
            retryInterval = min(Self.longestInterval, 2 * retryInterval)
        }
        tokensSinceDraft = 0
    }
}

/// Finds the last few tokens of the answer in the prompt, in order to draft what follows there: prompt lookup decoding
/// (https://github.com/apoorvumang/prompt-lookup-decoding). Answers about a prompt repeat it.
struct PromptIndex {
    private let prompt: [llama_token]
    /// The positions after each pair of tokens, in order.
    private let positions: [Pair: [Int]]
    /// The last tokens of the prompt and the answer, as many as are compared.
    private var tail: [llama_token]
    /// While the answer follows the prompt, the position of the next token there; else nil.
    private var followed: Int?

    private struct Pair: Hashable {
        var first: llama_token
        var second: llama_token
    }

    private static let shortest = 2
    /// The longest match that is compared. A longer one has no more value.
    private static let longest = 12

    init(_ prompt: [llama_token]) {
        self.prompt = prompt
        tail = prompt.suffix(Self.longest)
        var positions: [Pair: [Int]] = [:]
        for end in prompt.indices.dropFirst() {
            positions[Pair(first: prompt[end - 1], second: prompt[end]), default: []].append(end + 1)
        }
        self.positions = positions
    }

    /// Appends a token to the answer.
    mutating func add(_ token: llama_token) {
        tail.append(token)
        if tail.count > Self.longest { tail.removeFirst() }
        if let position = followed, position < prompt.count, prompt[position] == token {
            followed = position + 1
        } else {
            followed = best?.position
        }
    }

    /// The tokens after the longest match in the prompt; of several, after the one that is being followed, or the
    /// first.
    func continuation(atMost count: Int) -> [llama_token] {
        guard count > 0, let position = best?.position else { return [] }
        return Array(prompt[position...].prefix(count))
    }

    /// The length of that match, in tokens.
    var matchLength: Int { best?.length ?? 0 }

    private var best: (position: Int, length: Int)? {
        guard tail.count >= Self.shortest else { return nil }
        let pair = Pair(first: tail[tail.count - 2], second: tail[tail.count - 1])
        var best: (position: Int, length: Int)?
        for position in positions[pair] ?? [] where position < prompt.count {
            let length = zip(tail.reversed(), prompt[..<position].reversed()).prefix { $0 == $1 }.count
            if length > best?.length ?? 0 || length == best?.length && position == followed {
                best = (position, length)
            }
        }
        return best
    }
}
