import PulseCore
import PulseRendering

/// What is mailed.
enum DigestMessage {
    static func write(_ digest: Digest, to recipient: MailAddress) -> String {
        "To: \(recipient.address)\nSubject: Your digest\n\n" + DigestJSON.render(digest)
    }
}
