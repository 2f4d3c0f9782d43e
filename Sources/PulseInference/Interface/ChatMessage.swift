/// One turn of a conversation. Its text is data: whatever it contains, it can neither open nor close a turn.
public struct ChatMessage: Sendable, Hashable {
    public enum Role: String, Sendable, Hashable {
        case system, user, assistant
    }

    public var role: Role
    /// White space at its very front and its very end is dropped, as most chat templates do.
    public var text: String

    public init(role: Role, text: String) {
        self.role = role
        self.text = text
    }

    /// The message as the model reads it.
    var content: String {
        guard let first = text.unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = text.unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(text.unicodeScalars[first...last])
    }
}
