/// Finds articles that tell the same story, so that it is told once.
///
/// Compared are only articles whose titles share two words that few others have, so that the cost grows with the
/// number of articles and not with its square. An article joins a story when it matches the story's first article.
struct StoryMerger {
    /// A word that stands in more titles than this tells nothing apart.
    private static let commonest = 40

    private let fingerprints: [StoryFingerprint]

    /// - Parameter readings: Newest first; the order decides which article a story begins with.
    init(_ readings: [Reading]) { fingerprints = readings.map { StoryFingerprint($0.article) } }

    /// The indices of the articles, by story, in the order of the stories' first articles.
    func groups() -> [[Int]] {
        var titles: [String: [Int]] = [:]
        for (index, fingerprint) in fingerprints.enumerated() {
            for word in fingerprint.title { titles[word, default: []].append(index) }
        }
        var groups: [[Int]] = []
        /// The number of the story that begins with an article.
        var storyOf: [Int: Int] = [:]
        for index in fingerprints.indices {
            let group = candidates(for: index, titles).first { candidate in
                storyOf[candidate] != nil && fingerprints[index].matches(fingerprints[candidate])
            }
            if let group, let story = storyOf[group] {
                groups[story].append(index)
            } else {
                storyOf[index] = groups.count
                groups.append([index])
            }
        }
        return groups
    }

    /// Earlier articles that share at least two telling words of their titles, or the only one there is.
    private func candidates(for index: Int, _ titles: [String: [Int]]) -> [Int] {
        let words = fingerprints[index].title
        var shared: [Int: Int] = [:]
        for word in words {
            guard let others = titles[word], others.count <= StoryMerger.commonest else { continue }
            for other in others where other < index { shared[other, default: 0] += 1 }
        }
        let least = min(2, words.count)
        return shared.filter { $0.value >= least }.keys.sorted()
    }
}
