import PulseText

/// Finds content around an article by its words and its shape, because many pages have meaningless class names:
/// comments, lists of other articles, sign-up boxes.
struct PageSurroundings {
    /// The outermost nodes of such content.
    private(set) var roots: [Int] = []

    private let tree: PageTree
    private let measures: [PageMeasure]
    private let isDropped: [Bool]
    /// The first text node of each element; nil: it has none.
    private let firstText: [Int?]

    init(_ tree: PageTree, _ measures: [PageMeasure], _ isDropped: [Bool]) {
        self.tree = tree
        self.measures = measures
        self.isDropped = isDropped
        var firstText: [Int?] = Array(repeating: nil, count: tree.nodes.count)
        for index in tree.nodes.indices.reversed() where !isDropped[index] && measures[index].characters > 0 {
            if tree.nodes[index].isText { firstText[index] = index }
            if tree.nodes[index].parent >= 0 { firstText[tree.nodes[index].parent] = firstText[index] }
        }
        self.firstText = firstText
        findHeadings()
        findComments()
        findCards()
    }

    // MARK: By a heading

    /// Finds sections that begin with a heading such as “Comments” or “More on this story”.
    private mutating func findHeadings() {
        // The nodes before this index are comments already.
        var covered = 0
        // Nested elements with the same texts are checked once.
        var last: (texts: ArraySlice<Int>.Indices, kind: PageWords.Heading?) = (0..<0, nil)
        for (index, node) in tree.nodes.enumerated()
        where index >= covered && !node.isText && !isDropped[index] && measures[index].characters < 80
            && firstText[index] != nil
        {
            let isHeading = PageElements.headings.contains(node.name)
            guard isHeading || PageElements.mayBeParagraph.contains(node.name) || node.name == "p" else { continue }
            let texts = tree.texts(in: index).indices
            if texts != last.texts { last = (texts, PageWords.heading(words(in: index))) }
            guard let kind = last.kind else { continue }
            // The section that begins with this heading.
            var root = index
            while tree.nodes[root].parent >= 0, firstText[tree.nodes[root].parent] == firstText[index] {
                root = tree.nodes[root].parent
            }
            guard !["body", "html", "main"].contains(tree.nodes[root].name),
                kind == .comments || measures[root].characters * 2 < measures[0].characters
            else { continue }
            roots.append(root)
            if measures[root].characters > measures[index].characters + 20 { continue }
            // There is no section element: take the elements after the heading.
            var next = tree.nodes[root].end
            let end = tree.nodes[root].parent >= 0 ? tree.nodes[tree.nodes[root].parent].end : tree.nodes.count
            var count = 0
            while next < end, kind == .comments || count == 0 {
                if !tree.nodes[next].isText, !isDropped[next] {
                    if PageElements.headings.contains(tree.nodes[next].name) { break }
                    if kind == .others, measures[next].linkDensity < 0.3, measures[next].inputs == 0 { break }
                    roots.append(next)
                    count += 1
                }
                next = tree.nodes[next].end
            }
            if kind == .comments { covered = next }
        }
    }

    private func words(in index: Int) -> String {
        let texts = tree.texts(in: index).prefix(8).map { tree.text[tree.nodes[$0].text].prefix(100) }
        return PlainText.line(texts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "), limit: 80)
    }

    // MARK: By a button

    /// Finds comments by their reply buttons: the innermost element around all of these holds the comments.
    private mutating func findComments() {
        let buttons = tree.nodes.indices.filter { index in
            let node = tree.nodes[index]
            guard node.name == "a" || node.name == "button", tree.nodes[index].end - index <= 4 else { return false }
            return PageWords.isReply(words(in: index))
        }
        guard let first = buttons.first, let last = buttons.last, first != last,
            let common = tree.ancestors(of: first).first(where: { last < tree.nodes[$0].end })
        else { return }
        var child = common + 1
        var next = buttons[...]
        while child < tree.nodes[common].end {
            let end = tree.nodes[child].end
            let inside = next.prefix { $0 < end }
            if !inside.isEmpty { roots.append(child) }
            next = next.dropFirst(inside.count)
            child = end
        }
    }

    // MARK: By their shape

    /// Finds teasers: three siblings of the same name that each begin with a linked headline.
    private mutating func findCards() {
        var cards: [Int: [Int]] = [:]
        for (index, node) in tree.nodes.enumerated() where node.parent >= 0 && !isDropped[index] && isCard(index) {
            cards[node.parent, default: []].append(index)
        }
        for cards in cards.values.filter({ $0.count >= 3 }) { roots += cards }
    }

    private func isCard(_ index: Int) -> Bool {
        let node = tree.nodes[index]
        guard ["div", "li", "article", "section", "tr", "dd", "dt"].contains(node.name),
            (12..<600).contains(measures[index].characters), let first = firstText[index],
            let link = linkAround(first, in: index), measures[link].characters >= 12
        else { return false }
        // A headline is alone on its line; a sentence that begins with a link is not.
        guard measures[index].characters > measures[link].characters + 2 else { return true }
        let block = tree.ancestors(of: link).first { PageElements.isBlock(tree.nodes[$0].name) } ?? index
        if block != index { return measures[block].linkDensity > 0.8 }
        // The rest is in blocks or after a line break.
        let next = (tree.nodes[link].end..<node.end).first { !tree.nodes[$0].isText || measures[$0].characters > 0 }
        return next.map { tree.nodes[$0].name == "br" || PageElements.isBlock(tree.nodes[$0].name) } ?? true
    }

    private func linkAround(_ index: Int, in root: Int) -> Int? {
        tree.ancestors(of: index).lazy.prefix { $0 > root }
            .first { tree.nodes[$0].name == "a" && tree.nodes[$0].linkWeight > 0 }
    }
}

/// Words that pages use for content around articles, in many languages.
enum PageWords {
    enum Heading {
        case comments
        /// Other articles, or a sign-up box.
        case others
    }

    /// - Parameter text: one line.
    static func heading(_ text: String) -> Heading? {
        let words = plain(text)
        if comments.contains(words) { return .comments }
        if others.contains(words) || otherFronts.contains(where: { words.hasPrefix($0) && words.utf8.count < 50 }) {
            return .others
        }
        return nil
    }

    static func isReply(_ text: String) -> Bool { replies.contains(plain(text)) }

    static func isAdvertisement(_ text: [UInt8]) -> Bool {
        guard text.count < 80 else { return false }
        var words = plain(String(decoding: text, as: UTF8.self)).replacing(" ", with: "")[...]
        while let next = advertisements.first(where: { words.hasPrefix($0) }) { words = words.dropFirst(next.count) }
        return words.isEmpty
    }

    /// In lower case, only letters, separated by single spaces.
    private static func plain(_ text: String) -> String {
        let scalars = text.lowercased().unicodeScalars.map { $0.properties.isAlphabetic ? Character($0) : " " }
        return String(scalars).split(separator: " ").joined(separator: " ")
    }

    /// Read from `Lists/page-words.txt`.
    static let lists = EmbeddedLists.phrases(PackageResources.page_words_txt)
    private static let comments = Set(lists["comments"] ?? [])
    private static let others = Set(lists["others"] ?? [])
    private static let otherFronts = lists["beginnings of others"] ?? []
    private static let replies = Set(lists["replies"] ?? [])
    private static let advertisements = lists["advertisements"] ?? []
}
