import Foundation
import PulseCore
import PulseSources
import PulseStore

extension Command {
    static let importing = Command(
        "import", summary: "bring in what was read elsewhere",
        details: """
            Importing again is safe: nothing doubles, and the earliest reading time stays. With nothing wrong, --quiet
            says nothing at all.
            """,
        subcommands: [
            Command(
                "jsonl", operands: "[PATH|-]", arity: 0...1, summary: "JSON Lines, one article a line",
                details: """
                    Keys: id, url, title, description, content, author, source, category, language, published_at, read_at.
                    Needed are a title or content, and an id or a url. Dates are ISO 8601, or a duration back from now,
                    such as -PT3H. A line that is wrong is told with its number, and the rest goes in.
                    """
            ) { context throws(Failure) in
                try await Importer(context: context).jsonLines(context.operands.first ?? "-")
            },
            Command(
                "newsboat", operands: "[PATH]", arity: 0...1, summary: "newsboat's cache.db",
                details: """
                    Without a path it is looked for where newsboat keeps it. newsboat keeps no reading times: articles of
                    the first import count as read when they were published, and are marked so; after that, as read when
                    an import first finds them read.
                    """
            ) { context throws(Failure) in
                try Importer(context: context).newsboat(context.operands.first)
            },
        ])
}
