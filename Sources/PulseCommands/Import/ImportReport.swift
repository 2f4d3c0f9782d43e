import PulseApp
import PulseCore
import PulseRendering
import PulseSources
import PulseStore

struct ImportReport {
    let context: CommandContext<ImportArguments>
    let kind: SourceKind?
    let name: String?
    /// Whether texts are fetched afterwards, or the user is asked.
    let isFetching: Bool

    static func title(_ source: any ArticleSource, _ kind: SourceKind?) -> Message {
        let what: Message = kind.map { "\($0.summary) (\($0.name))" } ?? "\(source.origin)"
        return "\(source.name): \(what)"
    }

    /// `--dry-run`: what the source holds, with examples.
    func describe(_ tally: Importer.Tally) throws {
        let read = Counted.text(tally.read, "article read", "articles read")
        let estimated: Message = tally.estimated > 0 ? ", \(tally.estimated) of them at an estimated time" : ""
        let starred: Message = tally.starred > 0 ? "; \(tally.starred) starred" : ""
        let unread: Message = tally.unread > 0 ? "; \(tally.unread) unread" : ""
        let lines: [Message] = ["\(read)\(estimated)\(starred)\(unread)"] + leftOut(tally)
        for line in lines + [onlyTitles(tally)].compactMap(\.self) { try context.console.tell("\(line)\n") }
        if !tally.examples.isEmpty {
            try context.console.tell("For example:\n")
            try context.console.write(HistoryText.list(tally.examples, style: context.style))
        }
    }

    func tell(_ tally: Importer.Tally) throws {
        let counts = tally.counts
        let (added, updated, known) = (counts.added, counts.updated, counts.unchanged)
        let found: Message =
            "\(Counted.text(counts.total, "article", "articles")): \(Counted.text(added)) new, "
            + "\(Counted.text(updated)) updated, \(Counted.text(known)) known\n"
        try context.console.tell(name.map { "\($0): \(found)" } ?? found)
        if counts.total == 0, tally.unread > 0 {
            context.note(
                Counted.text(tally.unread, "article is there, but not read.", "articles are there, but not read."))
        }
        let isEmpty = counts.total + counts.removed + tally.unread + tally.starred + tally.badLines == 0
        if isEmpty, tally.leftOut.isEmpty, kind != nil, name == nil { context.note("It holds no articles.") }
        if tally.newBookmarks > 0 {
            context.note(Counted.text(tally.newBookmarks, "bookmark added.", "bookmarks added."))
        }
        if counts.removed > 0 {
            context.note(
                counts.removed == 1
                    ? "Left out \(Counted.text(counts.removed)) article that you removed from the history."
                    : "Left out \(Counted.text(counts.removed)) articles that you removed from the history.")
        }
        for line in leftOut(tally) { context.note(line) }
        if let line = onlyTitles(tally) { context.noteOnTerminal(line) }
    }

    /// If the file's text field has another name, articles come in without texts, which nobody would notice.
    private func onlyTitles(_ tally: Importer.Tally) -> Message? {
        guard tally.read > 0, tally.texts == 0, !isFetching, tally.leftOut[.noTextKept] == nil,
            kind?.takesColumns == true
        else { return nil }
        return "None has a text. If the file has another name for it: --map content=NAME. To get the texts from their "
            + "pages: --fetch"
    }

    private func leftOut(_ tally: Importer.Tally) -> [Message] {
        // With --fetch, missing texts are reported later.
        tally.leftOut.filter { $0.key.isWhole || !isFetching }
            .sorted { $0.key.words.description < $1.key.words.description }
            .map { reason, count in
                if !reason.isWhole {
                    return "\(Counted.text(count, "article", "articles")) \(reason.words). To get the text, import "
                        + "again with --fetch."
                }
                return count == 1
                    ? "Left out: \(Counted.text(count)) item \(reason.words)."
                    : "Left out: \(Counted.text(count)) items \(reason.words)."
            }
    }
}
