/// Which articles a digest covers.
public enum DigestScope: String, Sendable, CaseIterable, Codable {
    /// Articles that the reader read.
    case read
    /// Unread entries of the reader's feeds.
    case unread
    /// Bookmarked articles, read or not.
    case bookmarks
    /// `read` and `unread`; unread stories are marked as such.
    case readAndUnread = "read,unread"
}
