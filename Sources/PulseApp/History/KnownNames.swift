package import PulseCore
import PulseStore
import PulseText

/// The names of categories and publications that the history has.
package struct KnownNames {
    private let history: History

    package init(in history: History) { self.history = history }

    /// Fails for categories of which nothing was ever read: those are most likely mistyped.
    package func require(_ categories: [Category]) throws(PulseError) {
        guard !categories.isEmpty else { return }
        let counts = try history.reading { store throws(PulseError) in try store.statistics().categories }
        try require(categories.map(\.name), among: counts.map(\.category.name), comparing: { $0 }) {
            "Nothing in the history is in the category “\($0)”."
        }
    }

    /// The same for publications.
    package func require(sources: [String]) throws(PulseError) {
        guard !sources.isEmpty else { return }
        let names = try history.reading { store throws(PulseError) in try store.sourceNames() }
        try require(sources, among: names, comparing: Words.name) { "Nothing in the history is from “\($0)”." }
    }

    /// - Parameter form: In what form digests compare such names.
    private func require(
        _ wanted: [String], among names: [String], comparing form: (String) -> String, _ what: (String) -> Message
    ) throws(PulseError) {
        let known = Set(names.map(form))
        guard let unknown = wanted.first(where: { !known.contains(form($0)) }) else { return }
        // A name is given in part more often than it is mistyped.
        var meant = Array(names.filter { form($0).contains(form(unknown)) }.sorted().prefix(5))
        if meant.isEmpty { meant = [EditDistance.nearest(to: unknown, among: names)].compactMap(\.self) }
        let quoted: [Message] = meant.map { "“\(PlainText.line($0))”" }
        throw PulseError(
            .noInput, what(PlainText.line(unknown)),
            hint: meant.isEmpty
                ? "There are: \(names.prefix(20).map(PlainText.line).joined(separator: ", "))."
                : "Did you mean \(quoted.joined(separator: " or "))?")
    }
}
