public import struct Foundation.Date

/// A feed that the reader follows: where it is, and what is remembered of asking it.
///
/// What a feed brings is *waiting* until the reader opens it: it is no reading, and not in the history.
public struct Feed: Sendable, Hashable {
    /// Its row in the store; 0 before it has one.
    public var id: Int64
    /// What is asked: a URL, or a service and what of it, such as `guardian:world`, `pulse:en/science` or
    /// `bluesky:alice.example`.
    public var address: String
    /// One plain line; the address where the feed gives no title.
    public var title: String
    /// The page that the feed is of.
    public var site: String?
    /// The folder it is in, as a path with slashes, which becomes the category of entries that bring none; nil: none.
    public var folder: String?
    public var addedAt: Date
    /// The reader typed its address, so that it may be on this machine or in a private network; one out of a list that
    /// somebody else made may not.
    public var isNamed: Bool
    public var refresh: Refresh

    /// What is remembered between two refreshes.
    public struct Refresh: Sendable, Hashable, Codable {
        /// When it was last asked.
        public var triedAt: Date?
        /// When it last answered, with news or without.
        public var succeededAt: Date?
        /// It is not asked before this moment: by its own word (`Retry-After`, `max-age`), or after failures.
        public var notBefore: Date?
        /// How often in a row it failed.
        public var failures = 0
        /// Why it failed the last time, as one sentence; nil where it did not.
        public var lastError: String?
        /// It said that it is gone for good (410), and is asked once a month.
        public var isRetired = false
        /// Where it was before it moved, until the new address has proved itself.
        public var earlier: Earlier?
        /// For conditional requests (RFC 9110, section 13).
        public var entityTag: String?
        public var lastModified: String?

        public init() {}
    }

    /// The address that a feed moved away from.
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
        addedAt: Date, isNamed: Bool = false, refresh: Refresh = Refresh()
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

/// What a feed held at one time, every text of it plain and bounded.
public struct FeedContents: Sendable, Hashable {
    /// Nil where the feed gives none.
    public var title: String?
    public var site: String?
    /// A BCP 47 tag of the whole feed, which entries without one of their own have too.
    public var language: String?
    /// In the feed's own order. `Article.source` is the feed's title: what an entry says of its source is no more than
    /// its author's word.
    public var entries: [Article]
    /// How many more entries there were with nothing to read, such as a sound or a film alone.
    public var skipped: Int
    /// Seconds after which the feed wants to be asked again; nil where it does not say.
    public var interval: Double?
    /// What of it was not read since it is too long, in whole sentences.
    public var cuts: [Message]
    /// It has no end: the server, or what it read from, died while it was sent.
    public var isBrokenOff: Bool

    public init(
        title: String? = nil, site: String? = nil, language: String? = nil, entries: [Article] = [], skipped: Int = 0,
        interval: Double? = nil, cuts: [Message] = [], isBrokenOff: Bool = false
    ) {
        self.title = title
        self.site = site
        self.language = language
        self.entries = entries
        self.skipped = skipped
        self.interval = interval
        self.cuts = cuts
        self.isBrokenOff = isBrokenOff
    }
}

/// What a feed answered.
public struct FeedAnswer: Sendable, Hashable {
    /// Nil: nothing has changed since the last time.
    public var contents: FeedContents?
    /// Where it is from now on, when it moved for good.
    public var movedTo: String?
    public var entityTag: String?
    public var lastModified: String?
    /// It asks not to be asked again before this moment.
    public var notBefore: Date?
    /// It is gone for good (410).
    public var isGone: Bool
    /// Why the server would not serve it now (429, 5xx), where it has not said so by throwing; nil: it served.
    public var refusal: PulseError?
    /// What the reader should know of this answer, in whole sentences: that it is an older one, and of when, or that
    /// another service stands in.
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
