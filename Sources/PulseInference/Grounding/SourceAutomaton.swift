/// The machine behind grounded decoding: after every token it knows which may follow, so that whatever the model
/// prefers, only the source's sentences come out, whole or joined by `JoinRules`.
///
/// Its state is the set of places in the source where what is being written may stand. A sentence starts where one
/// starts in the source, each start once; inside a word it only goes on; at the end of a word it may join; it ends
/// where a source sentence ends. All places in the set belong to one and the same text, so a sentence never mixes
/// articles.
import CLlama

struct SourceAutomaton {
    /// A place in the source, and how the sentence came there.
    private struct Spot: Hashable {
        /// The number of the path in the source.
        var path: Int
        /// The next token on the path.
        var index: Int
        /// The number of the sentence that was begun.
        var start: Int
        var joins = 0
    }

    /// What may come next.
    struct Options {
        /// In ascending order.
        var tokens: [llama_token]
        /// Whether the text may end here.
        var mayEnd: Bool
    }

    private let source: Source
    private let rules: JoinRules
    private let minimumSentences: Int
    private let maximumSentences: Int
    /// The text begins with one of so many first sentences of the source, where one of them fits.
    private let openingSentences: Int
    /// Places to go on to after the same words, in the same article.
    private let within: [Key: [Spot]]
    private let across: [Key: [Spot]]

    /// Where the sentence being written may stand; empty between sentences.
    private var spots: Set<Spot> = []
    private var usedBeginnings: Set<String> = []
    /// Sentences begun, the one being written included.
    private(set) var sentences = 0

    private struct Key: Hashable {
        var article: Int
        var words: ArraySlice<String>
        /// A join inside a quotation must land inside one.
        var nesting: Nesting
    }

    init(
        _ source: Source, rules: JoinRules = JoinRules(), minimumSentences: Int = 1, maximumSentences: Int? = nil,
        openingSentences: Int? = nil
    ) {
        self.source = source
        self.rules = rules
        self.minimumSentences = minimumSentences
        self.maximumSentences = maximumSentences ?? .max
        self.openingSentences = openingSentences ?? .max
        within = Self.index(source.paths, by: rules.contextWithin)
        across = Self.index(source.paths, by: rules.contextAcross)
    }

    /// What may be written next, where only `budget` more tokens may be: a sentence that could not be finished any
    /// more is neither begun nor joined into.
    func options(budget: Int) -> Options {
        var tokens = Set(spots.compactMap { next($0, budget: budget) })
        let isBetween = spots.isEmpty || spots.contains(where: isAtEnd)
        let begun = isBetween ? beginnings(budget: budget) : []
        tokens.formUnion(begun)
        // Enough was said, or nothing more can be.
        let isEnough = sentences >= minimumSentences || begun.isEmpty
        return Options(
            tokens: tokens.sorted(), mayEnd: isBetween && isEnough && (sentences > 0 || source.isEmpty))
    }

    /// The first tokens of sentences that may be begun.
    private func beginnings(budget: Int) -> [llama_token] {
        let starts = starts
        let first = sentences == 0 ? starts.filter { $0.start < openingSentences } : []
        let openings = first.compactMap { next($0, budget: budget) }
        return openings.isEmpty ? starts.compactMap { next($0, budget: budget) } : openings
    }

    /// Takes one of the tokens that `options(budget:)` gave for the same budget. True when it begins a sentence.
    mutating func take(_ token: llama_token, budget: Int) -> Bool {
        let going = spots.filter { next($0, budget: budget) == token }
        if !going.isEmpty {
            spots = advanced(going)
            return false
        }
        let begun = starts.filter { next($0, budget: budget) == token }
        // What was written counts as told.
        usedBeginnings = told
        sentences += 1
        spots = advanced(begun)
        return true
    }

    /// The token that must come next; nil where there is a choice, or nothing to come.
    func onlyOption(budget: Int) -> llama_token? {
        let options = options(budget: budget)
        return options.tokens.count == 1 && !options.mayEnd ? options.tokens[0] : nil
    }

    /// A guess at what comes next: the source goes on as it does, without a join; between sentences, with the one that
    /// follows in the source. Nil where there is nothing to guess.
    func likeliest(budget: Int) -> llama_token? {
        let going = spots.filter { next($0, budget: budget) != nil }
        if let spot = going.min(by: { ($0.joins, $0.path, $0.index) < ($1.joins, $1.path, $1.index) }) {
            return next(spot, budget: budget)
        }
        let last = spots.map { source.paths[$0.path].sentence }.min() ?? -1
        let begun = starts.filter { next($0, budget: budget) != nil }
        let following = begun.filter { $0.start > last }.min { $0.start < $1.start }
        return (following ?? begun.first).flatMap { next($0, budget: budget) }
    }

    // MARK: - Spots

    private func isAtEnd(_ spot: Spot) -> Bool { spot.index == source.paths[spot.path].tokens.count }

    /// The token at a spot, where the rest of the sentence fits into the budget.
    private func next(_ spot: Spot, budget: Int) -> llama_token? {
        let tokens = source.paths[spot.path].tokens
        return spot.index < tokens.count && tokens.count - spot.index <= budget ? tokens[spot.index] : nil
    }

    /// One token on, and wherever may be joined to from there.
    private func advanced(_ spots: some Sequence<Spot>) -> Set<Spot> {
        var all: Set<Spot> = []
        for var spot in spots {
            spot.index += 1
            all.insert(spot)
            all.formUnion(joins(from: spot))
        }
        return all
    }

    // MARK: - Starts and ends

    /// Where the next sentence may begin. One with a pronoun in front follows the sentence that it followed in the
    /// source; anywhere else it would be about somebody else.
    private var starts: [Spot] {
        guard sentences < maximumSentences else { return [] }
        let place: SourcePath.Place = sentences == 0 ? .opening : .following
        let told = told
        let last = Set(spots.filter(isAtEnd).map { source.paths[$0.path].sentence })
        let untold = source.paths.indices.filter { number in
            let path = source.paths[number]
            return path.place == place && !told.contains(source.beginnings[path.sentence])
        }
        let clear = untold.filter { number in
            switch source.antecedents[source.paths[number].sentence] {
            case .needless: true
            case .sentence(let antecedent): last.contains(antecedent)
            case .missing: false
            }
        }
        // A text of nothing else is told as it stands.
        let starts = clear.isEmpty && sentences == 0 ? untold : clear
        return starts.map { Spot(path: $0, index: 0, start: source.paths[$0].sentence) }
    }

    /// The beginnings that were used, as if the sentence being written ended here: the one it began as, and the one
    /// it ends as.
    private var told: Set<String> {
        var told = usedBeginnings
        for spot in spots where isAtEnd(spot) {
            told.insert(source.beginnings[spot.start])
            told.insert(source.beginnings[source.paths[spot.path].sentence])
        }
        return told
    }

    // MARK: - Joins

    private func joins(from spot: Spot) -> [Spot] {
        let path = source.paths[spot.path]
        guard spot.joins < rules.limit, let complete = path.completeWords[spot.index] else { return [] }
        let targets =
            targets(in: within, after: complete, of: path, by: rules.contextWithin)
            .filter { source.paths[$0.path].sentence == path.sentence && $0.index > spot.index }
            + targets(in: across, after: complete, of: path, by: rules.contextAcross)
            .filter { source.paths[$0.path].sentence != path.sentence }
        return targets.map { Spot(path: $0.path, index: $0.index, start: spot.start, joins: spot.joins + 1) }
    }

    private func targets(
        in index: [Key: [Spot]], after complete: Int, of path: SourcePath, by count: Int
    ) -> [Spot] {
        guard let key = Self.key(path, complete, by: count), JoinRules.canJoin(by: key.words) else {
            return []
        }
        return index[key] ?? []
    }

    private static func key(_ path: SourcePath, _ complete: Int, by count: Int) -> Key? {
        complete < count
            ? nil
            : Key(
                article: path.article, words: path.words[..<complete].suffix(count), nesting: path.nesting[complete])
    }

    /// Every place behind `count` words, by those words. Places at the end of a sentence are none to go on from.
    private static func index(_ paths: [SourcePath], by count: Int) -> [Key: [Spot]] {
        var index: [Key: [Spot]] = [:]
        for (number, path) in paths.enumerated() where path.place == .following {
            for (token, complete) in path.completeWords.enumerated().dropLast() {
                guard let complete, let key = key(path, complete, by: count) else { continue }
                index[key, default: []].append(Spot(path: number, index: token, start: path.sentence))
            }
        }
        return index
    }
}
