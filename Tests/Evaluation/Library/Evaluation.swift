import PulseCore
public import PulseDigest

/// What the check does with sentences that people wrote, and with errors planted in them and in the articles' own.
public struct Evaluation: Sendable {
    public struct Count: Sendable, Hashable {
        public var all = 0
        public var hits = 0
        public var share: Double { all == 0 ? 0 : Double(hits) / Double(all) }

        public init() {}

        mutating func add(_ isHit: Bool) {
            all += 1
            if isHit { hits += 1 }
        }

        static func + (one: Count, other: Count) -> Count {
            var sum = one
            sum.all += other.all
            sum.hits += other.hits
            return sum
        }
    }

    public typealias Counts = [Material.Split: Count]

    /// Planted errors that were refused. An error is planted in a sentence of the article itself, or in a paraphrase,
    /// which is often refused for its wording alone.
    public private(set) var caught: [Planted.Kind: Counts] = [:]
    /// The same, of those that were planted in the articles' own sentences.
    public private(set) var caughtInOwn: [Planted.Kind: Counts] = [:]
    /// True sentences in other words that were refused, by what was changed in them.
    public private(set) var flagged: [String: Counts] = [:]
    public private(set) var missed: [Planted] = []
    public private(set) var wronged: [(paraphrase: Material.Paraphrase, refusal: QuotationCheck.Refusal)] = []

    public init(_ materials: [Material]) {
        for material in materials { add(material) }
    }

    private mutating func add(_ material: Material) {
        var checks: [[String]: QuotationCheck] = [:]
        func refusal(of text: String, _ ids: [String]) -> QuotationCheck.Refusal? {
            let check = checks[ids] ?? QuotationCheck(ids.compactMap(material.article))
            checks[ids] = check
            if case .refused(let refusal) = check.verdict(on: text) { return refusal }
            return nil
        }
        for paraphrase in material.paraphrases {
            let refusal = refusal(of: paraphrase.text, paraphrase.articles)
            flagged[paraphrase.how, default: [:]][paraphrase.split, default: Count()].add(refusal != nil)
            if let refusal { wronged.append((paraphrase, refusal)) }
        }
        var planting = Planting(material)
        for planted in planting.all() {
            let isCaught = refusal(of: planted.text, planted.articles) != nil
            caught[planted.kind, default: [:]][planted.split, default: Count()].add(isCaught)
            if planted.isInOwnSentence {
                caughtInOwn[planted.kind, default: [:]][planted.split, default: Count()].add(isCaught)
            }
            if !isCaught { missed.append(planted) }
        }
    }

    static func sum(_ counts: some Sequence<Counts>) -> Counts {
        counts.reduce(into: [:]) { sum, more in sum.merge(more) { $0 + $1 } }
    }
}
