/// One turn of a conversation. Its text is data: whatever it contains, it can neither open nor close a turn.
public struct ChatMessage: Sendable, Hashable {
    public enum Role: String, Sendable, Hashable {
        case system, user, assistant
    }

    /// A stretch of a message's text.
    public struct Part: Sendable, Hashable {
        public var text: String
        /// The number of the article whose text this is; nil for the program's own words. Grounded decoding
        /// writes only what stands in parts that have one, and joins only parts with the same.
        public var source: Int?

        public init(text: String, source: Int? = nil) {
            self.text = text
            self.source = source
        }
    }

    public var role: Role
    /// The parts follow one another with nothing between them, and are tokenised together as one text. White space
    /// at the very front and the very end of the message is dropped, as most chat templates do.
    public var parts: [Part]

    public init(role: Role, parts: [Part]) {
        self.role = role
        self.parts = parts
    }

    public init(role: Role, text: String) {
        self.init(role: role, parts: [Part(text: text)])
    }

    /// The message as the model reads it.
    var content: String {
        let text = parts.map(\.text).joined()
        guard let first = text.unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = text.unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(text.unicodeScalars[first...last])
    }
}
