public import Foundation
public import PulseCore
import PulseSources
import PulseTestSupport

/// What is evaluated on: articles, and the sentences about them that somebody wrote by hand.
public struct Material: Sendable {
    /// A true sentence about an article, in words of its own.
    public struct Paraphrase: Sendable, Hashable, Decodable {
        /// The articles' ids.
        public let articles: [String]
        public let split: Split
        /// What was changed: `reordered`, `synonyms`, `number words` …; `natural`: nothing on purpose.
        public let how: String
        public let text: String

        private enum CodingKeys: String, CodingKey { case article, articles, split, how, text }

        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            articles =
                try values.decodeIfPresent([String].self, forKey: .articles)
                ?? [values.decode(String.self, forKey: .article)]
            split = try values.decode(Split.self, forKey: .split)
            how = try values.decode(String.self, forKey: .how)
            text = try values.decode(String.self, forKey: .text)
        }
    }

    /// `dev` and `test` are about the sample history, the others about articles of their own. The rules of a check that
    /// is gone were mended by looking at all of them; this one was made without.
    public enum Split: String, Sendable, Hashable, CaseIterable, Decodable {
        case dev, test, blind, second, third, fourth, fifth, sixth, seventh
    }

    public let articles: [Article]
    public let paraphrases: [Paraphrase]
    /// The split that the sentences of the articles themselves belong to.
    public let split: Split

    /// Everything there is, each part with articles of its own.
    ///
    /// - Parameter fixtures: The folder `Tests/Fixtures`.
    public static func all(fixtures: URL) throws -> [Material] {
        [
            try Material(
                articles: fixtures.appendingPathComponent("sample-history.jsonl"),
                paraphrases: fixtures.appendingPathComponent("evaluation/paraphrases.jsonl"), split: .dev)
        ]
            + (try [Split.blind, .second, .third, .fourth, .fifth, .sixth, .seventh].map { split in
                try Material(
                    articles: fixtures.appendingPathComponent("evaluation/\(split.rawValue)-articles.jsonl"),
                    paraphrases: fixtures.appendingPathComponent("evaluation/\(split.rawValue)-paraphrases.jsonl"),
                    split: split)
            })
    }

    private init(articles file: URL, paraphrases: URL, split: Split) throws {
        let lines = JSONLines(now: Date(timeIntervalSince1970: 1_795_229_200))
        var reader = try LineReader(path: file.path)
        var articles: [Article] = []
        while let line = try reader.next() { articles += lines.batch([line]).readings.map(\.article) }
        self.articles = articles
        self.split = split
        self.paraphrases = try Paraphrase.lines(of: paraphrases)
    }

    /// The folder of this clone, which the evaluation is a part of.
    public static let fixtures = Repository.fixtures

    public func article(_ id: String) -> Article? { articles.first { $0.id == id } }
}
