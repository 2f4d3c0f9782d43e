import Foundation
import PulseCore
import PulseDigest

/// Readings to select from.
enum Readings {
    static let now = Date(timeIntervalSince1970: 1_795_000_000)

    static func make(
        _ id: String, _ category: String = "world", title: String? = nil, content: String = "", source: String = "",
        language: String? = nil, minutesAgo: Double = 1, publishedDaysAgo: Double? = nil, feed: Int64? = nil
    ) -> Reading {
        Reading(
            article: Article(
                id: id, title: title ?? id, content: content, source: source, category: Category(category),
                language: language, publishedAt: publishedDaysAgo.map { now.addingTimeInterval(-$0 * 86_400) }),
            readAt: now.addingTimeInterval(-minutesAgo * 60), origin: "test",
            basis: feed == nil ? .read : .unread, feed: feed)
    }
}

extension StorySelection {
    /// From reports not yet compared.
    init(
        from readings: [Reading], interests: Interests = Interests(), limit: Int, earlier: [PreviousStory] = [],
        isAskedAgain: Bool = true, day: DateInterval? = nil, isWeek: Bool = false
    ) {
        self.init(
            from: StoryCandidates(readings, interests: interests, earlier: earlier), limit: limit,
            isAskedAgain: isAskedAgain, day: day, isWeek: isWeek)
    }
}

extension CheckedAnswer {
    /// With all that a model wrote.
    func read(_ text: String) -> CheckedAnswer {
        var answer = self
        _ = answer.add(text)
        _ = answer.finish()
        return answer
    }
}

extension String {
    /// In pieces of so many scalars, as a model may write it.
    func pieces(of size: Int) -> [String] {
        let all = Array(unicodeScalars)
        return stride(from: 0, to: all.count, by: size).map { start in
            String(String.UnicodeScalarView(all[start...].prefix(size)))
        }
    }
}
