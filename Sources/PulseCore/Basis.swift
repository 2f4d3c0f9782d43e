/// What a digest is of.
public enum Basis: String, Sendable, CaseIterable, Codable {
    /// What the reader read.
    case read
    /// What their feeds brought and they have not read.
    case unread
    /// What they keep for later, read or not.
    case bookmarks
    /// The first two, and each story of the second kind says so.
    case readAndUnread = "read,unread"
}
