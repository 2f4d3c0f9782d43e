import Foundation
public import PulseCore

/// What came of it: how many planted errors were caught, and how many true sentences were flagged.
public struct Evaluation: Sendable {
    /// What a sentence is compared with.
    public enum Scope: String, Sendable, CaseIterable {
        /// As a digest does: with every article of its category.
        case section
        /// As a summary does: with its own article.
        case article
    }

    public struct Count: Sendable, Hashable {
        public var all = 0
        public var hits = 0
        public var share: Double { all == 0 ? 0 : Double(hits) / Double(all) }

        mutating func add(_ isHit: Bool) {
            all += 1
            if isHit { hits += 1 }
        }
    }

    public private(set) var caught: [Planted.Kind: [Material.Split: Count]] = [:]
    public private(set) var flagged: [String: [Material.Split: Count]] = [:]
    /// True sentences held against the articles of another category: how many are told to have no support there.
    public private(set) var foreign: [Material.Split: Count] = [:]
    /// Of the claimed errors that were caught: for how many the publisher's own sentence came instead, and for how many
    /// of these it holds what was right.
    public private(set) var replaced = Count()
    public private(set) var repaired = Count()
    public private(set) var missed: [Planted] = []
    public private(set) var wronged: [(paraphrase: Material.Paraphrase, verdict: Attribution.Verdict)] = []

    public init(_ materials: [Material], scope: Scope = .section) {
        for material in materials { add(material, scope: scope) }
    }

    private mutating func add(_ material: Material, scope: Scope) {
        var attributions: [[String]: Attribution] = [:]
        func attribution(_ ids: [String]) -> Attribution {
            let articles =
                scope == .section ? material.section(of: ids) : material.articles.filter { ids.contains($0.id) }
            let key = articles.map(\.id)
            if let known = attributions[key] { return known }
            let made = Attribution(articles)
            attributions[key] = made
            return made
        }
        for paraphrase in material.paraphrases {
            let verdict = attribution(paraphrase.articles).verdict(on: paraphrase.text)
            flagged[paraphrase.how, default: [:]][paraphrase.split, default: Count()].add(!verdict.isGrounded)
            if !verdict.isGrounded { wronged.append((paraphrase, verdict)) }
            if let other = material.otherCategory(than: paraphrase.articles).first {
                let ids =
                    scope == .section
                    ? material.articles.filter { $0.category == other.category }.map(\.id) : [other.id]
                let verdict = attribution(ids).verdict(on: paraphrase.text)
                foreign[paraphrase.split, default: Count()].add(!verdict.isGrounded)
            }
        }
        var planting = Planting(material)
        for planted in planting.all() {
            let attribution = attribution(planted.articles)
            let isCaught = !attribution.verdict(on: planted.text).isGrounded
            caught[planted.kind, default: [:]][planted.split, default: Count()].add(isCaught)
            if !isCaught { missed.append(planted) }
            guard isCaught, planted.kind.isClaimed else { continue }
            let own = attribution.nearest(to: planted.text)
            replaced.add(own != nil)
            if let own { repaired.add(own.text.localizedCaseInsensitiveContains(planted.right)) }
        }
    }

    /// The claimed kinds together.
    public func caughtOfClaimed(_ split: Material.Split? = nil) -> Count {
        Planted.Kind.allCases.filter(\.isClaimed).reduce(Count()) { Evaluation.sum($0, caught[$1] ?? [:], split) }
    }

    public func flaggedOfAll(_ split: Material.Split? = nil) -> Count {
        flagged.values.reduce(Count()) { Evaluation.sum($0, $1, split) }
    }

    static func sum(_ count: Count, _ more: [Material.Split: Count], _ split: Material.Split?) -> Count {
        more.filter { split == nil || $0.key == split }.reduce(count) {
            Count(all: $0.all + $1.value.all, hits: $0.hits + $1.value.hits)
        }
    }
}
