public import struct Foundation.Date

/// A feed that the reader follows: its address, and the state of its refreshes.
///
/// Entries of a feed are not part of the history until the reader opens them.
public struct Feed: Sendable, Hashable {
    /// The rowid in the store; 0 before the feed is stored.
    public var id: Int64
    /// What is fetched: a URL, or a service and a topic of it, such as `guardian:world`, `pulse:en/science` or
    /// `bluesky:alice.example`.
    public var address: String
    /// One plain line; the address if the feed gives no title.
    public var title: String
    public var site: String?
    /// The folder, as a path with slashes; it is the category of entries that have none. Nil if the feed is in no
    /// folder.
    public var folder: String?
    public var addedAt: Date
    /// Whether the reader typed the address. Such a feed may be on this machine or in a private network; one from a
    /// list that somebody else made may not.
    public var isNamed: Bool
    public var refresh: FetchState

    /// State kept between refreshes.
    public struct FetchState: Sendable, Hashable, Codable {
        /// The last attempt.
        public var triedAt: Date?
        /// The last answer, changed or not.
        public var succeededAt: Date?
        /// No fetch before this time: the server asks for that (`Retry-After`, `max-age`), or fetches have failed.
        public var notBefore: Date?
        /// Consecutive failures.
        public var failures = 0
        /// The last failure as one sentence; nil after a success.
        public var lastError: String?
        /// The server answered 410 Gone; the feed is tried once a month.
        public var isRetired = false
        /// The address before a permanent redirect, until the new address has proved to work.
        public var earlier: Earlier?
        /// For conditional requests (RFC 9110, section 13).
        public var entityTag: String?
        public var lastModified: String?

        public init() {}
    }

    /// An address that redirected permanently to the feed's present one.
    public struct Earlier: Sendable, Hashable, Codable {
        public var address: String
        public var isNamed: Bool
        public var movedAt: Date

        public init(address: String, isNamed: Bool, movedAt: Date) {
            self.address = address
            self.isNamed = isNamed
            self.movedAt = movedAt
        }
    }

    public init(
        id: Int64 = 0, address: String, title: String = "", site: String? = nil, folder: String? = nil,
        addedAt: Date, isNamed: Bool = false, refresh: FetchState = FetchState()
    ) {
        self.id = id
        self.address = address
        self.title = title.isEmpty ? address : title
        self.site = site
        self.folder = folder
        self.addedAt = addedAt
        self.isNamed = isNamed
        self.refresh = refresh
    }
}

/// A feed as it was fetched.
public struct FetchedFeed: Sendable, Hashable {
    /// With its new state, and the new address if it moved.
    public var feed: Feed
    /// Nil if the feed is unchanged, or the refresh failed.
    public var contents: FeedContents?

    public init(feed: Feed, contents: FeedContents? = nil) {
        self.feed = feed
        self.contents = contents
    }
}

/// The contents of a feed document. All texts are plain and of limited length.
public struct FeedContents: Sendable, Hashable {
    /// Nil if the feed gives none.
    public var title: String?
    public var site: String?
    /// In the feed's order. `Article.source` is the feed's title, because an entry's own source cannot be trusted.
    public var entries: [Article]
    /// How many entries had nothing to read, such as podcasts.
    public var skipped: Int
    /// In how many seconds the feed asks to be fetched again; nil if it does not say.
    public var interval: Double?
    /// What was left out because it was too long, as whole sentences.
    public var cuts: [Message]
    /// Whether the document is incomplete because the transfer broke off.
    public var isTruncated: Bool

    public init(
        title: String? = nil, site: String? = nil, entries: [Article] = [], skipped: Int = 0, interval: Double? = nil,
        cuts: [Message] = [], isTruncated: Bool = false
    ) {
        self.title = title
        self.site = site
        self.entries = entries
        self.skipped = skipped
        self.interval = interval
        self.cuts = cuts
        self.isTruncated = isTruncated
    }
}

/// The outcome of fetching a feed.
public struct FeedResponse: Sendable, Hashable {
    /// Nil if nothing has changed since the last fetch.
    public var contents: FeedContents?
    /// The new address after a permanent redirect.
    public var movedTo: String?
    public var entityTag: String?
    public var lastModified: String?
    /// The server asks not to be fetched from before this time.
    public var notBefore: Date?
    /// The server answered 410 Gone.
    public var isGone: Bool
    /// Why there was no new response (429, 5xx, offline), if the fetch did not throw it; else nil.
    public var refusal: PulseError?
    /// Whole sentences for the reader: that the contents are a cached copy and how old it is, or that another service
    /// was used instead.
    public var note: Message?

    public init(
        contents: FeedContents? = nil, movedTo: String? = nil, entityTag: String? = nil, lastModified: String? = nil,
        notBefore: Date? = nil, isGone: Bool = false, refusal: PulseError? = nil, note: Message? = nil
    ) {
        self.contents = contents
        self.isGone = isGone
        self.refusal = refusal
        self.note = note
        self.movedTo = movedTo
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.notBefore = notBefore
    }
}
