import PulseApp
import PulseCore
import PulseRendering
import PulseStore
import PulseText

extension Command {
    static let bookmarks = Command(
        "bookmarks", summary: "what you starred or kept: list, add, remove, export", implied: "list",
        subcommands: [
            Command(
                "list", summary: "list the bookmarks", options: [.limit, .format([.text, .json])], resolving: \.list
            ) { context in
                let bookmarks = try context.history.open().bookmarks()
                let shown = Array(bookmarks.prefix(context.arguments.limit))
                try await context.page(
                    isJSON: context.arguments.isJSON, HistoryJSON.bookmarks(shown),
                    BookmarkText.list(shown, style: context.style))
                if bookmarks.count > shown.count {
                    context.note(
                        "\(shown.count) of \(bookmarks.count) bookmarks. To list all: --limit \(bookmarks.count)")
                }
                if bookmarks.isEmpty {
                    context.note(
                        ["There are no bookmarks yet.", "To keep an article: pulse-digest bookmarks add NUMBER"]
                            .joined(separator: " "))
                }
            },
            Command(
                "add", operands: "NUMBER|ID|URL…", arity: 1...1000,
                summary: "keep articles of the history or your feeds"
            ) { context in
                let finder = context.referenceResolver
                let bookmarks = try context.operands.map { reference in
                    Bookmark(article: try finder.find(reference).article, savedAt: context.now)
                }
                let store = try context.history.open(.readWrite)
                for bookmark in bookmarks {
                    let isNew = try store.keep([bookmark], origin: "pulse-digest", at: context.now, isWanted: true) > 0
                    let title = PlainText.line(bookmark.article.title)
                    context.note("\(isNew ? "Bookmark added" : "A bookmark already"): \(title)")
                }
            },
            Command(
                "remove", operands: "NUMBER|ID|URL…", arity: 1...1000, summary: "remove bookmarks",
                details: """
                    They stay in the history if you read them. An import does not bring a bookmark back.
                    """
            ) { context in
                let bookmarks = try context.history.open().bookmarks()
                let finder = context.referenceResolver
                let meant = try context.operands.map { reference -> Bookmark in
                    let isNumber = ArticleNumber(reference) != nil
                    let name = isNumber ? try finder.find(reference).article.id : reference
                    guard let bookmark = try bookmarks.find(name) else {
                        throw PulseError(
                            .noInput, "There is no bookmark “\(PlainText.line(reference))”.",
                            hint: "To see what there is: pulse-digest bookmarks")
                    }
                    return bookmark
                }
                _ = try context.history.open(.readWrite).removeBookmarks(meant.map(\.article.id), at: context.now)
                for bookmark in meant { context.note("Bookmark removed: \(PlainText.line(bookmark.article.title))") }
            },
            Command(
                "export", summary: "print all bookmarks as JSON Lines",
                details: """
                    With their texts; pulse-digest import jsonl reads them back.
                    """
            ) { context in
                let bookmarks = try context.history.open().bookmarks()
                try context.console.write(bookmarks.map(ArticleLine.text).joined())
            },
        ])
}
