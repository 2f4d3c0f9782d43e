import PulseCore
import PulseDigest
import PulseStore

/// What single words of a question say about where to look.
extension PassageFinder {
    /// So many articles at most have a word that says as much as a name.
    private static let rare = 3
    /// Articles that are looked at for one word.
    private static let most = 500

    /// The words of a question that nothing has that was read.
    func missing(_ question: AskedQuestion) throws(PulseError) -> [String] {
        guard isOfHistory else { return [] }
        let store = try open(.readOnly)
        return try AskedWord.all(in: question.subject).map { word throws(PulseError) in
            (word.text, try store.hasMatch(word.term))
        }
        .filter { !$0.1 }.map(\.0)
    }

    /// Whether a name or a rare word that the question has stands in the article, and in none of the scope.
    func isNamed(_ question: AskedQuestion, in article: Article, notIn scope: SearchScope) throws(PulseError) -> Bool {
        guard isOfHistory, let row = try open(.readOnly).row(of: article) else { return false }
        for (word, all) in try known(question) where all.contains(row) && (word.isName || all.count <= Self.rare) {
            if try rows(word, in: scope).isEmpty { return true }
        }
        return false
    }

    /// The earlier questions that a question goes on from: none where it has a name or a rare word of its own that stands in
    /// no article with the rarest word of the last. A number takes the place of theirs.
    func context(of question: AskedQuestion, after earlier: [AskedQuestion]) throws(PulseError) -> [AskedQuestion] {
        guard isOfHistory, let last = earlier.last else { return earlier }
        let earlier = try context(of: last, after: Array(earlier.dropLast().suffix(1))) + [last]
        let said = Set(earlier.flatMap { AskedWord.all(in: $0.subject) }.map(\.term))
        let new = try known(question).filter { !said.contains($0.word.term) }
        if !new.isEmpty, new.allSatisfy(\.word.isNumber) { return [last.withoutNumbers] }
        let old = try known(last).map(\.rows).filter { !$0.isEmpty }.min { $0.count < $1.count }
        let isOther = new.contains { word, rows in
            !rows.isEmpty && (word.isName || rows.count <= Self.rare) && old?.isDisjoint(with: rows) == true
        }
        return isOther ? [] : earlier
    }

    /// What was read then or there, the newest first.
    func newest(in scope: SearchScope, most: Int) throws(PulseError) -> [Reading] {
        let store = try open(.readOnly)
        let all: [Reading]
        switch (basis, scope.period) {
        case (.unread, _): all = try store.unread()
        case (.bookmarks, _): all = try saved()
        case (_, let period?): all = try store.readings(in: period)
        case (_, nil): all = try store.list(limit: most, category: scope.category, source: scope.sources.first)
        }
        return Array(all.filter(scope.holds).sorted { $0.readAt > $1.readAt }.prefix(most))
    }

    private var isOfHistory: Bool { basis == .read || basis == .readAndUnread }

    /// The words of a question, and what has them.
    private func known(_ question: AskedQuestion) throws(PulseError) -> [(word: AskedWord, rows: Set<Int64>)] {
        try AskedWord.all(in: question.subject).map { word throws(PulseError) in (word, try rows(word)) }
    }

    private func rows(_ word: AskedWord, in scope: SearchScope = SearchScope()) throws(PulseError) -> Set<Int64> {
        Set(try open(.readOnly).matches([word.term], in: scope, limit: Self.most).map(\.row))
    }
}
