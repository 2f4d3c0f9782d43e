/// What was chosen in one answer, and how much better the model would have liked its favourite. Only the tests hand one
/// in: whoever replays an answer's choices in another batch sees whether the model agrees.
import CLlama
import Synchronization

final class ChoiceLog: Sendable, Hashable {
    struct Choice: Sendable, Hashable {
        /// Tokens written before.
        var position: Int
        var token: llama_token
        /// The favourite's logit less that of the token: 0 where it is the favourite.
        var gap: Float
    }

    private let log = Mutex<[Choice]>([])

    var all: [Choice] { log.withLock { $0 } }
    /// For `GenerationRequest.replayedChoices`.
    var tokens: [Int: llama_token] { Dictionary(uniqueKeysWithValues: all.map { ($0.position, $0.token) }) }

    func note(_ token: llama_token, at position: Int, logits: UnsafeBufferPointer<Float>) {
        let gap = (logits.max() ?? 0) - logits[Int(token)]
        log.withLock { $0.append(Choice(position: position, token: token, gap: gap)) }
    }

    static func == (one: ChoiceLog, other: ChoiceLog) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
