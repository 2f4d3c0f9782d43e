/// Where in a prompt the last few tokens of the answer stand too: what follows there may well follow here. Prompt
/// lookup decoding (https://github.com/apoorvumang/prompt-lookup-decoding): answers that tell of their prompt repeat it.
import CLlama

struct PromptIndex {
    private let prompt: [llama_token]
    /// The places behind each two tokens in a row, in order.
    private let places: [Pair: [Int]]
    /// The end of the prompt, and the answer behind it: as much as is compared.
    private var tail: [llama_token]
    /// Where in the prompt the token after the last would stand, if the last place that was followed still is.
    private var followed: Int?

    private struct Pair: Hashable {
        var first: llama_token
        var second: llama_token
    }

    /// The shortest match that is worth a guess.
    private static let shortest = 2
    /// Matches are compared so far back: a longer one says no more.
    private static let longest = 12

    init(_ prompt: [llama_token]) {
        self.prompt = prompt
        tail = prompt.suffix(Self.longest)
        var places: [Pair: [Int]] = [:]
        for end in prompt.indices.dropFirst() {
            places[Pair(first: prompt[end - 1], second: prompt[end]), default: []].append(end + 1)
        }
        self.places = places
    }

    /// The answer goes on with this token.
    mutating func add(_ token: llama_token) {
        tail.append(token)
        if tail.count > Self.longest { tail.removeFirst() }
        if let place = followed, place < prompt.count, prompt[place] == token {
            followed = place + 1
        } else {
            followed = best?.place
        }
    }

    /// What follows in the prompt behind the longest match; where several are as long, behind the one that is being
    /// followed, else the first.
    func continuation(atMost count: Int) -> [llama_token] {
        guard count > 0, let place = best?.place else { return [] }
        return Array(prompt[place...].prefix(count))
    }

    /// How many tokens at the end of the answer stand before that place too; at most as many as are compared.
    var match: Int { best?.length ?? 0 }

    private var best: (place: Int, length: Int)? {
        guard tail.count >= Self.shortest else { return nil }
        let pair = Pair(first: tail[tail.count - 2], second: tail[tail.count - 1])
        var best: (place: Int, length: Int)?
        for place in places[pair] ?? [] where place < prompt.count {
            let length = matchLength(before: place)
            if length > best?.length ?? 0 || length == best?.length && place == followed { best = (place, length) }
        }
        return best
    }

    private func matchLength(before place: Int) -> Int {
        zip(tail.reversed(), prompt[..<place].reversed()).prefix { $0 == $1 }.count
    }
}
