import PulseMarkup

/// Finds the elements of a page that are its article.
struct PageScoring {
    /// How strictly content that looks unlike an article is dropped.
    enum Strictness {
        case full
        /// Class names are ignored.
        case withoutNames
        /// Also, nothing is removed from the article that was found.
        case none
    }

    private let tree: PageTree
    private let strictness: Strictness
    /// Whether a node is excluded from the article.
    private var isDropped: [Bool]
    private var measures: [PageMeasure] = []
    private var scores: [Double?]

    init(_ tree: PageTree, _ strictness: Strictness) {
        self.tree = tree
        self.strictness = strictness
        isDropped = Array(repeating: false, count: tree.nodes.count)
        scores = Array(repeating: nil, count: tree.nodes.count)
        drop()
        measure()
        if strictness != .none {
            for index in PageSurroundings(tree, measures, isDropped).roots where !isDropped[index] { drop(index) }
            measure()
        }
        score()
    }

    // MARK: Dropping

    private mutating func drop() {
        // The number of article elements that begin before each node, which shows whether a node contains one: a whole
        // page's wrapper may have a banner's classes.
        let stories = before(PageElements.stories)
        let articles = before(["article", "main"])
        for (index, node) in tree.nodes.enumerated() where !node.isText {
            if node.parent >= 0, isDropped[node.parent] {
                isDropped[index] = true
                continue
            }
            isDropped[index] =
                node.hints.isHidden
                || PageElements.dropped.contains(node.name)
                    // A `nav` without an end tag goes on to the end of the page.
                    && (node.name != "nav" || articles[index] == articles[node.end])
                || node.hints.isConsent && !PageElements.neverUnlikely.contains(node.name)
                    && stories[index] == stories[node.end]
                || strictness != .none && node.hints.isAside
                || strictness == .full
                    && (node.hints.isUnlikely || (node.hints.isByline || node.hints.isCaption) && isShort(index))
                    && !PageElements.neverUnlikely.contains(node.name)
        }
        for (index, node) in tree.nodes.enumerated() where node.isText && node.parent >= 0 {
            isDropped[index] = isDropped[node.parent]
        }
    }

    /// Counts elements of these names that begin before each node, and before the end.
    private func before(_ names: Set<String>) -> [Int] {
        tree.nodes.reduce(into: [0]) { counts, node in
            counts.append(counts[counts.count - 1] + (names.contains(node.name) ? 1 : 0))
        }
    }

    private mutating func drop(_ index: Int) {
        for inner in index..<tree.nodes[index].end { isDropped[inner] = true }
    }

    /// Whether its text is short enough for names of authors and a date.
    private func isShort(_ index: Int) -> Bool {
        var length = 0
        for text in tree.texts(in: index) {
            length += tree.nodes[text].text.count
            if length > 150 { return false }
        }
        return true
    }

    // MARK: Measuring

    private mutating func measure() {
        measures = Array(repeating: PageMeasure(), count: tree.nodes.count)
        for index in tree.nodes.indices.reversed() {
            let node = tree.nodes[index]
            if isDropped[index] {
                // A dropped input field still counts for its parent.
                if node.name == "input" || node.name == "button", node.parent >= 0, !node.hints.isHidden {
                    measures[node.parent].inputs += 1
                }
                continue
            }
            if node.isText {
                measures[index] = PageMeasure(tree.text[node.text])
            } else {
                measures[index].count(node)
            }
            if node.parent >= 0 { measures[node.parent].add(measures[index]) }
        }
    }

    private mutating func score() {
        // The runs of text without blocks, with the block around each. Two line breaks also end a run.
        var runs: [(block: Int, measure: PageMeasure)] = []
        // The enclosing block of each element.
        var block = Array(repeating: -1, count: tree.nodes.count)
        var breaks = 0
        for (index, node) in tree.nodes.enumerated() where !isDropped[index] {
            let around = node.parent >= 0 ? block[node.parent] : -1
            block[index] = PageElements.isBlock(node.name) ? index : around
            if node.name == "br" { breaks += 1 }
            guard node.isText, around >= 0, measures[index].characters > 0 else { continue }
            if runs.last?.block != around || breaks > 1 { runs.append((block: around, measure: PageMeasure())) }
            breaks = 0
            runs[runs.count - 1].measure.add(measures[index])
        }
        let runsOfBlock: [Int: Int] = runs.reduce(into: [:]) { $0[$1.block, default: 0] += 1 }
        for run in runs where run.measure.characters >= 25 {
            let points = 2 + Double(run.measure.commas) + min(Double(run.measure.characters / 100), 3)
            let name = tree.nodes[run.block].name
            let isParagraph =
                PageElements.paragraphs.contains(name)
                || PageElements.mayBeParagraph.contains(name) && runsOfBlock[run.block] == 1
                    && measures[run.block].blocks <= 1
            credit(points, from: isParagraph ? tree.nodes[run.block].parent : run.block)
        }
        for index in scores.indices { scores[index] = scores[index].map { $0 * (1 - measures[index].linkDensity) } }
    }

    private mutating func credit(_ points: Double, from first: Int) {
        var index = first
        for level in 0..<6 where index >= 0 {
            let share: Double = level == 0 ? 1 : level == 1 ? 2 : Double(level * 3)
            scores[index] = (scores[index] ?? base(index)) + points / share
            index = tree.nodes[index].parent
        }
    }

    private func base(_ index: Int) -> Double { (PageElements.points[tree.nodes[index].name] ?? 0) + weight(index) }

    private func weight(_ index: Int) -> Double { strictness == .full ? tree.nodes[index].hints.weight : 0 }

    // MARK: The article

    /// Whether each node is part of the article.
    func article() -> [Bool] {
        guard let top = top() else { return Array(repeating: false, count: tree.nodes.count) }
        var isKept = Array(repeating: false, count: tree.nodes.count)
        for root in siblings(of: top) {
            for index in root..<tree.nodes[root].end where !isDropped[index] { isKept[index] = true }
        }
        if strictness != .none { clean(&isKept, top: top) }
        return isKept
    }

    private func score(_ index: Int) -> Double { scores[index] ?? 0 }

    private func top() -> Int? {
        let best = scores.indices.filter { scores[$0] != nil && !isDropped[$0] }
            .sorted { (score($0), $1) > (score($1), $0) }.prefix(5)
        guard var top = best.first else { return nil }
        // If several of the best have a common ancestor and similar scores, the ancestor is the article.
        let peers = best.filter { score($0) >= 0.75 * score(top) }
        if peers.count >= 4 {
            let ancestors = peers.map { Set(tree.ancestors(of: $0)) }
            let common = tree.ancestors(of: top).first { ancestor in
                tree.nodes[ancestor].name != "body" && ancestors.count { $0.contains(ancestor) } >= 3
            }
            top = common ?? top
        }
        // Scores decrease towards the root, unless other parts of the article are there.
        var last = score(top)
        let lowest = last / 3
        for ancestor in tree.ancestors(of: top) {
            guard !["body", "html"].contains(tree.nodes[ancestor].name), let score = scores[ancestor], score >= lowest
            else { break }
            if score > last {
                top = ancestor
                break
            }
            last = score
        }
        top = withOthersOfItsKind(top)
        // An only child is replaced by its parent, which has siblings.
        while tree.nodes[top].parent >= 0, tree.nodes[tree.nodes[top].parent].name != "body",
            elements(in: tree.nodes[top].parent).count == 1
        {
            top = tree.nodes[top].parent
        }
        return top
    }

    /// The parent of the element and of siblings with the same class and with text: the entries of a live blog, or an
    /// article that advertisements divide.
    private func withOthersOfItsKind(_ top: Int) -> Int {
        for (level, index) in ([top] + Array(tree.ancestors(of: top).prefix(8))).enumerated()
        where tree.nodes[index].kind != 0 {
            let least = level <= 3 ? 80 : 400
            let parent = tree.nodes[index].parent
            guard parent >= 0, tree.nodes[parent].name != "body" else { break }
            let others = elements(in: parent).filter { other in
                other != index && tree.nodes[other].kind == tree.nodes[index].kind
                    && measures[other].characters >= least && measures[other].linkDensity < 0.25
                    && measures[other].sentenceEnds > 0
            }
            if !others.isEmpty { return parent }
        }
        return top
    }

    /// The children that are elements.
    private func elements(in index: Int) -> [Int] {
        let end = tree.nodes[index].end
        return sequence(first: index + 1) { tree.nodes[$0].end }.prefix { $0 < end }
            .filter { !tree.nodes[$0].isText && !isDropped[$0] }
    }

    /// The element and those siblings that look like parts of the same text.
    private func siblings(of top: Int) -> [Int] {
        let parent = tree.nodes[top].parent
        guard parent >= 0 else { return [top] }
        let threshold = max(10, score(top) * 0.2)
        return elements(in: parent).filter { index in
            if index == top { return true }
            if let score = scores[index], score >= threshold { return true }
            guard tree.nodes[index].name == "p" else { return false }
            let measure = measures[index]
            return measure.characters > 80 && measure.linkDensity < 0.25
                || measure.characters > 0 && measure.linkDensity == 0 && measure.sentenceEnds > 0
        }
    }

    // MARK: Cleaning

    /// Two passes over the nodes. Backwards, it finds foreign elements, not counting foreign parts inside of them.
    /// Forwards, it removes them with their descendants.
    private func clean(_ isKept: inout [Bool], top: Int) {
        // The foreign content inside each element.
        var removed = Array(repeating: PageMeasure(), count: tree.nodes.count)
        var isRemoved = Array(repeating: false, count: tree.nodes.count)
        for index in tree.nodes.indices.reversed() where !tree.nodes[index].isText {
            let node = tree.nodes[index]
            if isKept[index], index != top,
                // An ancestor of the article is not removed.
                index > top || node.end <= top, isForeign(node, weight(index), measures[index].without(removed[index]))
            {
                isRemoved[index] = true
                removed[index] = measures[index]
            }
            if node.parent >= 0 { removed[node.parent].add(removed[index]) }
        }
        for (index, node) in tree.nodes.enumerated() {
            if node.parent >= 0, isRemoved[node.parent] { isRemoved[index] = true }
            if isRemoved[index] { isKept[index] = false }
        }
    }

    private func isForeign(_ node: PageTree.Node, _ weight: Double, _ measure: PageMeasure) -> Bool {
        if measure.images > 0, measure.characters < 250, node.name == "div" || node.name == "td" { return true }
        if node.hints.isShare, measure.characters < 500, node.name != "p" { return true }
        if PageElements.headings.contains(node.name) { return weight < 0 || measure.linkDensity > 0.9 }
        guard PageElements.conditional.contains(node.name) else { return false }
        if weight < 0 { return true }
        guard measure.commas < 10 else { return false }
        let paragraphs = measure.paragraphs
        let isList = node.name == "ul" || node.name == "ol"
        let isLong = measure.characters >= 25
        return !isList && measure.items > paragraphs + 100 || measure.inputs > paragraphs / 3
            || !isList && !isLong && measure.links > 0
            || weight < 25 && measure.linkDensity > 0.2
            || weight >= 25 && measure.linkDensity > 0.5
    }
}

/// Counts of an element's content, with its descendants.
struct PageMeasure {
    /// A run of white space counts as one.
    var characters = 0
    var commas = 0
    var sentenceEnds = 0
    var links = 0
    /// Characters in links, weighted: links within the page count less.
    var linked = 0.0
    var paragraphs = 0
    var items = 0
    var inputs = 0
    var images = 0
    /// Block elements, itself included.
    var blocks = 0

    init() {}

    init(_ text: ArraySlice<UInt8>) {
        var isSpace = true
        var isEnd = false
        for (index, byte) in zip(text.indices, text) {
            if byte <= 0x20 {
                if !isSpace { characters += 1 }
                if isEnd { sentenceEnds += 1 }
                isSpace = true
                isEnd = false
                continue
            }
            isSpace = false
            isEnd = byte == UInt8(ascii: ".") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
            // Continuation bytes of UTF-8 do not count.
            if byte & 0xc0 != 0x80 { characters += 1 }
            if byte == UInt8(ascii: ",") { commas += 1 }
            // The commas and the full stop of Chinese and Japanese, and the Arabic comma.
            if byte == 0x80, text[..<index].last == 0xe3, let next = text[(index + 1)...].first {
                if next == 0x81 { commas += 1 }
                if next == 0x82 { sentenceEnds += 1 }
            }
            if byte == 0xbc, text[..<index].last == 0xef, text[(index + 1)...].first == 0x8c { commas += 1 }
            if byte == 0x8c, text[..<index].last == 0xd8 { commas += 1 }
        }
        if isEnd { sentenceEnds += 1 }
        if isSpace, characters > 0 { characters -= 1 }
    }

    /// Adds the element itself. Called after its descendants were added.
    mutating func count(_ node: PageTree.Node) {
        switch node.name {
        case "p": paragraphs += 1
        case "li": items += 1
        case "img", "picture", "amp-img": images += 1
        case "a" where node.linkWeight > 0:
            links += 1
            linked = Double(characters) * node.linkWeight
        default: break
        }
        if PageElements.isBlock(node.name) { blocks += 1 }
    }

    /// The share of the text that is links, 0 to 1.
    var linkDensity: Double { characters == 0 ? 0 : min(1, linked / Double(characters)) }

    mutating func add(_ other: PageMeasure) { combine(other, 1) }

    func without(_ part: PageMeasure) -> PageMeasure {
        var rest = self
        rest.combine(part, -1)
        return rest
    }

    private mutating func combine(_ other: PageMeasure, _ sign: Int) {
        characters += sign * other.characters
        commas += sign * other.commas
        sentenceEnds += sign * other.sentenceEnds
        links += sign * other.links
        linked += Double(sign) * other.linked
        paragraphs += sign * other.paragraphs
        items += sign * other.items
        inputs += sign * other.inputs
        images += sign * other.images
        blocks += sign * other.blocks
    }
}

/// Sets of elements for finding an article.
enum PageElements {
    /// Never part of an article. Captions belong to pictures.
    static let dropped = HTMLElements.invisible.union([
        "head", "aside", "footer", "form", "fieldset", "dialog", "input", "figcaption", "label",
    ])
    /// Elements around articles, or in tables and code, whose class names mean less.
    static let neverUnlikely: Set<String> = ["html", "body", "article", "main", "a", "td", "th", "tr", "tbody", "code"]
    static let stories: Set<String> = ["article", "main", "h1"]
    static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]
    static let paragraphs: Set<String> = ["p", "pre", "h2", "h3", "h4", "h5", "h6"]
    /// Paragraphs if they hold nothing but text.
    static let mayBeParagraph: Set<String> = ["div", "section", "center", "address"]
    /// Elements that may be a list of links, a form or a box inside an article.
    static let conditional: Set<String> = [
        "div", "section", "ul", "ol", "dl", "table", "tbody", "tr", "td", "header", "article", "blockquote",
    ]
    static let points: [String: Double] = [
        "div": 5, "article": 5, "pre": 3, "td": 3, "blockquote": 3, "address": -3, "ol": -3, "ul": -3, "dl": -3,
        "dd": -3, "dt": -3, "li": -3, "form": -3, "h1": -5, "h2": -5, "h3": -5, "h4": -5, "h5": -5, "h6": -5, "th": -5,
    ]

    static func isBlock(_ name: String) -> Bool {
        HTMLElements.blocks.contains(name) || name == "td" || name == "th" || name == "html"
    }
}
