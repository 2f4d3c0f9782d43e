import PulseCore
public import PulseDigest

/// What the check does with true sentences that people wrote in other words.
public struct Evaluation: Sendable {
    public struct Count: Sendable, Hashable {
        public var all = 0
        public var hits = 0

        mutating func add(_ isHit: Bool) {
            all += 1
            if isHit { hits += 1 }
        }

        static func + (one: Count, other: Count) -> Count {
            Count(all: one.all + other.all, hits: one.hits + other.hits)
        }
    }

    public typealias Counts = [Material.Split: Count]

    /// All, and those that were refused, by what was changed in them.
    public private(set) var refused: [String: Counts] = [:]
    public private(set) var wronged: [(paraphrase: Material.Paraphrase, refusal: QuotationCheck.Refusal)] = []

    public init(_ materials: [Material]) {
        for material in materials {
            for paraphrase in material.paraphrases {
                let check = QuotationCheck(paraphrase.articles.compactMap(material.article))
                var refusal: QuotationCheck.Refusal?
                if case .refused(let found) = check.verdict(on: paraphrase.text) { refusal = found }
                refused[paraphrase.how, default: [:]][paraphrase.split, default: Count()].add(refusal != nil)
                if let refusal { wronged.append((paraphrase, refusal)) }
            }
        }
    }
}
