import PulseMarkup
import PulseText

/// Parses all versions of RSS and Atom from one stream of events. The meaning of an element follows from its namespace,
/// its name and its parent; the version that a feed claims is ignored.
struct FeedXML {
    /// - Returns: false if the root element is not a feed's.
    static func read(_ xml: String, into builder: inout FeedBuilder) -> Bool {
        var document = FeedXML(builder: builder)
        let loss = XMLReader.read(xml, unnested: ["item", "entry", "rss:item", "atom:entry"]) { event in
            switch event {
            case .start(let tag): document.start(tag)
            case .end: document.end()
            case .text(let bytes): document.text(bytes)
            }
            return document.builder.goesOn()
        }
        builder = document.builder
        builder.isCut = loss.isCut && !builder.isEnded
        builder.isTruncated = loss.isTruncated && !builder.isEnded
        if builder.isTruncated {
            let end = xml.utf8.lastIndex { $0 == UInt8(ascii: ">") }.map { xml.utf8.index(after: $0) }
            builder.removeLast(withAddress: String(xml[(end ?? xml.startIndex)...]).trimmed)
        }
        return document.isFeed
    }

    private var builder: FeedBuilder
    private var entry: FeedEntry?
    private var frames: [Frame] = []
    private var capture: Capture?
    private var isFeed = false
    private var isAtom = false
    private var namespaces = FeedNamespaces()
    /// The ranks of the current values, of the entry and of the feed.
    private var ranks: [Field: Int] = [:]
    private var feedRanks: [Field: Int] = [:]

    private init(builder: FeedBuilder) { self.builder = builder }

    /// An open element outside of a field.
    private struct Frame {
        enum Role { case feed, entry, person, origin, media, ignored }
        var role: Role
        /// `xml:base` and `xml:lang`, which children inherit.
        var base: String?
        var language: String?
        /// The element's own `xml:base`, resolved only when needed.
        var ownBase: String?
        /// The text of a person or an origin without child elements.
        var text: [UInt8] = []
    }

    /// A field whose whole content is being collected.
    private struct Capture {
        let field: Field
        let rank: Int
        var form = TextConstruct.Form.html
        /// Whether the text contains elements, and is HTML.
        var isMarkup = false
        var text: [UInt8] = []
        /// Has the base of relative URLs.
        var frame: Frame?
    }

    private enum Field: Hashable {
        case title, link, guid, summary, content, date, author, category, language, personName, originTitle
        case permalink
        case ttl, period, frequency
    }

    // MARK: Events

    private mutating func start(_ tag: XMLTag) {
        if capture != nil { return startInside(tag) }
        let parent = frames.last
        var frame = Frame(role: .ignored, base: parent?.base, language: parent?.language)
        frame.ownBase = tag["xml", "base"]
        if let language = tag["xml", "lang"]?.nonEmpty { frame.language = language }
        let vocabulary = namespaces.vocabulary(of: tag)
        let name = tag.name.lowercased()
        switch parent?.role {
        case nil:
            namespaces.root = tag.namespace
            isFeed = ["rss", "feed", "rdf", "channel"].contains(name)
            isAtom = name == "feed"
            frame.role = isFeed ? .feed : .ignored
            if name == "feed" || name == "channel" { builder.language = frame.language }
        case .feed: startInFeed(name, vocabulary, tag, &frame)
        case .entry, .media: startInEntry(name, vocabulary, tag, &frame)
        case .person where name == "name": capture = Capture(field: .personName, rank: 0)
        case .origin where name == "title": capture = captureText(.originTitle, 0, tag, .loose)
        default: break
        }
        if frames.count < 2, builder.language == nil { builder.language = frame.language }
        guard capture == nil else { return }
        if frame.ownBase != nil, frame.role == .feed || frame.role == .entry {
            (frame.base, frame.ownBase) = (base(frame), nil)
        }
        frames.append(frame)
    }

    private mutating func startInFeed(_ name: String, _ vocabulary: FeedVocabulary, _ tag: XMLTag, _ frame: inout Frame)
    {
        switch (vocabulary, name) {
        case (.core, "channel"): frame.role = .feed
        case (.core, "item"), (.core, "entry"), (.atom, "entry"):
            frame.role = .entry
            entry = FeedEntry(language: frame.language)
            ranks = [:]
            // RSS 1.0 identifies items by rdf:about; `link` is the better URL.
            if let about = tag["rdf", "about"] {
                entry?.guid = about.trimmed.nonEmpty
                take(link: about, frame, rank: 8)
            }
        // As in an entry.
        case (.core, "title"), (.atom, "title"), (.dublinCore, "title"), (.core, "link"), (.atom, "link"),
            (.core, "language"), (.dublinCore, "language"), (.core, "author"), (.atom, "author"):
            startInEntry(name, vocabulary, tag, &frame)
        // `skipHours` and `skipDays` are ignored: a feed that is refreshed at the same hour each night might never be
        // fetched.
        case (.core, "ttl"): capture = Capture(field: .ttl, rank: 0)
        case (.syndication, "updateperiod"): capture = Capture(field: .period, rank: 0)
        case (.syndication, "updatefrequency"): capture = Capture(field: .frequency, rank: 0)
        default: break
        }
    }

    private mutating func startInEntry(
        _ name: String, _ vocabulary: FeedVocabulary, _ tag: XMLTag, _ frame: inout Frame
    ) {
        switch (vocabulary, name) {
        case (.core, "title"): capture = captureText(.title, 0, tag, isAtom ? .plain : .loose)
        case (.atom, "title"): capture = captureText(.title, 1, tag, .plain)
        case (.dublinCore, "title"), (.itunes, "title"): capture = captureText(.title, 2, tag, .loose)
        case (.media, "title"): capture = captureText(.title, 3, tag, .loose)
        case (.core, "link"), (.atom, "link"): link(tag, vocabulary, &frame)
        case (.feedburner, "origlink"): capture = Capture(field: .link, rank: 0, frame: frame)
        case (.core, "guid"):
            let isLink = tag["isPermaLink"]?.trimmed.lowercased() != "false"
            capture = Capture(field: isLink ? .permalink : .guid, rank: 0, frame: frame)
        case (.core, "id"), (.atom, "id"): capture = Capture(field: .permalink, rank: 0, frame: frame)
        case (.core, "description"): capture = captureText(.summary, 0, tag, .html)
        case (.core, "summary"), (.atom, "summary"): capture = captureText(.summary, 0, tag, .loose)
        case (.dublinCore, "description"), (.dublinCore, "abstract"): capture = captureText(.summary, 1, tag, .html)
        case (.itunes, "summary"), (.itunes, "description"): capture = captureText(.summary, 2, tag, .html)
        case (.media, "description"): capture = captureText(.summary, 3, tag, .loose)
        case (.content, "encoded"): capture = captureText(.content, 0, tag, .html)
        case (.core, "content"), (.atom, "content"):
            guard tag["src"] == nil, tag["mode"] != "base64" else { return }
            capture = captureText(.content, 1, tag, vocabulary == .atom || isAtom ? .loose : .html)
        case (.xhtml, "body"), (.xhtml, "div"), (.core, "fulltext"), (.core, "fullitem"):
            capture = captureText(.content, 2, tag, .html)
            capture?.isMarkup = vocabulary == .xhtml
        case (.core, "pubdate"), (.core, "published"), (.atom, "published"): capture = Capture(field: .date, rank: 0)
        case (.dublinCore, "issued"), (.core, "issued"), (.core, "date"): capture = Capture(field: .date, rank: 1)
        case (.dublinCore, "date"), (.dublinCore, "created"), (.core, "created"):
            capture = Capture(field: .date, rank: 2)
        case (.core, "updated"), (.atom, "updated"), (.core, "modified"), (.dublinCore, "modified"):
            capture = Capture(field: .date, rank: 3)
        case (.dublinCore, "creator"): capture = Capture(field: .author, rank: 0)
        case (.core, "author"), (.atom, "author"): frame.role = .person
        case (.itunes, "author"): capture = Capture(field: .author, rank: 2)
        case (.core, "category"), (.atom, "category"):
            if let term = tag["label"]?.nonEmpty ?? tag["term"]?.nonEmpty { entry?.add(category: term) }
            capture = Capture(field: .category, rank: 0)
        case (.dublinCore, "subject"): capture = Capture(field: .category, rank: 0)
        case (.dublinCore, "language"), (.core, "language"): capture = Capture(field: .language, rank: 0)
        case (.core, "source"), (.atom, "source"): frame.role = .origin
        case (.core, "enclosure"): noteMedia(tag["type"] ?? tag["url"] ?? "")
        case (.media, "group"): frame.role = .media
        case (.media, "content"):
            noteMedia(tag["medium"] ?? tag["type"] ?? tag["url"] ?? "")
            frame.role = .media
        default: break
        }
    }

    /// Atom's link is an attribute, RSS's a text. Some feeds mix the two.
    private mutating func link(_ tag: XMLTag, _ vocabulary: FeedVocabulary, _ frame: inout Frame) {
        guard let address = tag["href"] else {
            if vocabulary == .core { capture = Capture(field: .link, rank: 1, frame: frame) }
            return
        }
        let type = tag["type"]?.lowercased() ?? ""
        var relation = tag["rel"]?.trimmed.lowercased() ?? "alternate"
        let registry = "http://www.iana.org/assignments/relation/"
        if relation.hasPrefix(registry) { relation = String(relation.dropFirst(registry.count)) }
        switch relation {
        case "alternate", "":
            let isPage = type.isEmpty || type.contains("html")
            // An Atom link in RSS ranks lower than RSS's own, because it may lead anywhere.
            let rank = (isPage ? 1 : 4) + (vocabulary == .core ? 0 : 1)
            take(link: address, frame, rank: rank)
        case "enclosure": noteMedia(type.nonEmpty ?? address)
        case "via" where entry != nil: take(link: address, frame, rank: 9)
        default: break
        }
    }

    private mutating func noteMedia(_ type: String) {
        let type = type.lowercased()
        let isMedia =
            type.hasPrefix("audio") || type.hasPrefix("video")
            || [".mp3", ".m4a", ".mp4", ".ogg", ".m4v"].contains(where: type.hasSuffix)
        if isMedia { entry?.hasMedia = true }
    }

    private mutating func end() {
        if let name = names.popLast() {
            if !name.isEmpty { append("</\(name)>".utf8) }
            return
        }
        if let ended = capture {
            capture = nil
            take(ended)
            return
        }
        guard let frame = frames.popLast() else { return }
        let text = String(decoding: frame.text, as: UTF8.self)
        switch frame.role {
        case .entry:
            if let entry { builder.add(entry) }
            entry = nil
        case .person where frames.last?.role == .entry || frames.last?.role == .feed:
            if !text.trimmed.isEmpty { take(author: text, rank: 1) }
        case .origin:
            if entry?.source == nil, !text.trimmed.isEmpty { entry?.source = TextConstruct(text: text) }
        default: break
        }
    }

    private mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if capture?.isMarkup == true {
            append(PlainText.escaped(String(decoding: bytes, as: UTF8.self)).utf8)
        } else if capture != nil {
            append(bytes)
        } else if let role = frames.last?.role, role == .person || role == .origin {
            let room = 1000 - frames[frames.count - 1].text.count
            frames[frames.count - 1].text.append(contentsOf: bytes.prefix(max(0, room)))
        }
    }

    // MARK: Inside of a field

    /// The open elements inside the field.
    private var names: [String] = []

    /// An element inside a text is HTML that the feed did not escape. So the whole text becomes HTML, and what was read
    /// of it as plain text is escaped.
    private mutating func startInside(_ tag: XMLTag) {
        if let text = capture?.text, capture?.isMarkup == false {
            capture?.text = []
            capture?.isMarkup = true
            append(PlainText.escaped(String(decoding: text, as: UTF8.self)).utf8)
        }
        names.append(append("<\(tag.name)>".utf8) ? tag.name : "")
    }

    /// Appends to the field, up to the longest text.
    /// - Returns: whether there was room.
    @discardableResult private mutating func append(_ bytes: some Collection<UInt8>) -> Bool {
        let room = max(0, FeedDocument.longestText - (capture?.text.count ?? 0))
        capture?.text.append(contentsOf: bytes.prefix(room))
        if bytes.count > room { entry?.isCut = true }
        return bytes.count <= room
    }

    /// - Parameter untyped: the form of a text whose type the feed does not state.
    private func captureText(_ field: Field, _ rank: Int, _ tag: XMLTag, _ untyped: TextConstruct.Form) -> Capture {
        // Atom 0.3 has media types here, and `mode` says whether the text is escaped.
        let form: TextConstruct.Form =
            switch tag["type"]?.trimmed.lowercased() {
            case nil: untyped == .plain && tag["mode"] == "escaped" ? .loose : untyped
            case "text", "plain": .plain
            case "text/plain": tag["mode"] == "escaped" ? .loose : .plain
            default: .html
            }
        return Capture(field: field, rank: rank, form: form)
    }

    private mutating func take(_ capture: Capture) {
        let string = String(decoding: capture.text, as: UTF8.self)
        let text = TextConstruct(text: string, form: capture.isMarkup ? .html : capture.form)
        guard !string.trimmed.isEmpty else { return }
        switch capture.field {
        case .title where entry == nil: if isBetter(.title, capture.rank) { builder.title = text }
        case .title: if isBetter(.title, capture.rank) { entry?.title = text }
        case .summary: if isBetter(.summary, capture.rank) { entry?.summary = text }
        case .content: if isBetter(.content, capture.rank) { entry?.content = text }
        case .link: take(link: string, capture.frame, rank: capture.rank)
        case .guid, .permalink:
            if isBetter(.guid, capture.rank) { entry?.guid = string.trimmed }
            let link = string.trimmed
            if capture.field == .permalink, ArticleURL.isAbsolute(link) { take(link: link, nil, rank: 7) }
        case .date:
            if entry?.date.isEmpty == true { entry?.date = string }
            guard capture.rank < best(.date), mayParse(),
                let date = SourceTime.parse(string, now: builder.now, isFeed: true), isBetter(.date, capture.rank)
            else { return }
            entry?.publishedAt = date
        case .author: take(author: string, rank: capture.rank)
        case .personName: take(author: string, rank: 1)
        case .originTitle: entry?.source = text
        case .ttl: builder.minutes = Double(string.trimmed)
        case .period: builder.period = string.trimmed
        case .frequency: builder.frequency = Double(string.trimmed)
        case .category: entry?.add(category: string)
        case .language:
            if entry == nil { builder.language = string } else { entry?.language = string }
        }
    }

    private mutating func take(link text: String, _ frame: Frame?, rank: Int) {
        guard rank < best(.link), mayParse() else { return }
        let origin: String? = if let frame { base(frame) } else { nil }
        guard let link = ArticleURL.resolve(text, base: origin), isBetter(.link, rank) else { return }
        if entry == nil { builder.site = link } else { entry?.link = link }
    }

    /// Keeps all authors of the best rank.
    private mutating func take(author: String, rank: Int) {
        guard entry != nil else {
            if builder.authors.count < FeedEntry.mostAuthors { builder.authors.append(author) }
            return
        }
        let best = ranks[.author] ?? .max
        if rank < best {
            entry?.authors = [author]
            ranks[.author] = rank
        } else if rank == best, (entry?.authors.count ?? 0) < FeedEntry.mostAuthors {
            entry?.authors.append(author)
        }
    }

    /// Whether a value of this rank replaces the current one. The lowest rank is the best; the first of several wins.
    private mutating func isBetter(_ field: Field, _ rank: Int) -> Bool {
        guard rank < best(field) else { return false }
        if entry == nil { feedRanks[field] = rank } else { ranks[field] = rank }
        return true
    }

    private func best(_ field: Field) -> Int { (entry == nil ? feedRanks[field] : ranks[field]) ?? .max }

    /// The number of dates, links and bases parsed. Each takes as long as a hundred elements.
    private var parsed = 0
    /// A feed has a few in each entry; the rest are ignored.
    private static let mostParsed = 20 * FeedDocument.mostEntries

    private mutating func mayParse() -> Bool {
        parsed += 1
        return parsed <= Self.mostParsed
    }

    /// The base of relative URLs.
    private mutating func base(_ frame: Frame) -> String {
        let base = frame.base ?? builder.site ?? builder.address
        guard let own = frame.ownBase, own.utf8.count <= Self.longestBase, mayParse() else { return base }
        let resolved = ArticleURL.resolve(own, base: frame.base ?? builder.address)
        return resolved.flatMap { $0.utf8.count <= Self.longestBase ? $0 : nil } ?? base
    }

    /// In bytes: a base is read again for each link.
    private static let longestBase = 1000
}
