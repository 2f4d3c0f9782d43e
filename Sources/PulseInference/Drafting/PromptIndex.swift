import CLlama

/// Where in a prompt the last few tokens of the answer stand too: what follows there may well follow here. Prompt
/// lookup decoding (https://github.com/apoorvumang/prompt-lookup-decoding): answers about a prompt repeat it.
struct PromptIndex {
    private let prompt: [llama_token]
    /// The positions after each two tokens in a row, in order.
    private let positions: [Pair: [Int]]
    /// The end of the prompt and the answer after it, as much as is compared.
    private var tail: [llama_token]
    /// The position in the prompt that the answer has been following, of the token to come; nil if it follows none.
    private var followed: Int?

    private struct Pair: Hashable {
        var first: llama_token
        var second: llama_token
    }

    /// The shortest match that is worth a draft.
    private static let shortest = 2
    /// Matches are compared so far back: a longer one says no more.
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

    /// The answer goes on with this token.
    mutating func add(_ token: llama_token) {
        tail.append(token)
        if tail.count > Self.longest { tail.removeFirst() }
        if let position = followed, position < prompt.count, prompt[position] == token {
            followed = position + 1
        } else {
            followed = best?.position
        }
    }

    /// What follows the longest match in the prompt; of several as long, the one that has been followed, else the
    /// first.
    func continuation(atMost count: Int) -> [llama_token] {
        guard count > 0, let position = best?.position else { return [] }
        return Array(prompt[position...].prefix(count))
    }

    /// How many tokens at the end of the answer stand before that position too; at most as many as are compared.
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
