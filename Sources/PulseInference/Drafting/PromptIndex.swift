import CLlama

/// Finds the last few tokens of the answer in the prompt, in order to draft what follows there: prompt lookup decoding
/// (https://github.com/apoorvumang/prompt-lookup-decoding). Answers about a prompt repeat it.
struct PromptIndex {
    private let prompt: [llama_token]
    /// The positions after each pair of tokens, in order.
    private let positions: [Pair: [Int]]
    /// The last tokens of the prompt and the answer, as many as are compared.
    private var tail: [llama_token]
    /// The position in the prompt that the answer is following, of the next token; nil: none.
    private var followed: Int?

    private struct Pair: Hashable {
        var first: llama_token
        var second: llama_token
    }

    /// The shortest match to draft from.
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

    /// The tokens after the longest match in the prompt. Of several, the match that the answer is following, else the
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
