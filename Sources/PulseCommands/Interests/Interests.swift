import Foundation
import PulseApp
import PulseCore
import PulseDigest
import PulseRendering
import PulseText

extension Command {
    static let interests = Command(
        "interests", summary: "how unread articles are ordered: list, forget, restore",
        details: """
            Of unread articles, a digest puts first those most like what you read in the last two months, but never \
            before a story that more publications cover. This is computed on this machine, from your history. To put \
            something first yourself: pulse-digest config set follow TOPIC. To order by time alone: \
            pulse-digest config set order newest.
            """, implied: "list",
        subcommands: [
            Command(
                "list", summary: "list what you like to read, as far as your reading shows, and why",
                options: [.format([.text, .json])],
                resolving: \.list.isJSON
            ) { context in
                let interests = ReaderInterests(in: context.app, reporter: context.reporter)
                let (traits, forgotten) = (try interests.taste().likings, interests.forgotten)
                if traits.isEmpty {
                    context.note("Nothing yet: read some articles, and follow feeds with unread ones.")
                }
                try await context.page(
                    isJSON: context.arguments,
                    JSONText.render(InterestList(interests: traits.map(InterestRow.init), forgotten: forgotten)),
                    traits.prefix(12).map { InterestRow($0).line(in: context.style) }.joined())
                if !context.arguments, !forgotten.isEmpty {
                    context.note("Forgotten: \(forgotten.map { PlainText.line($0) }.joined(separator: ", "))")
                }
            },
            Command(
                "forget", operands: "NAME", arity: 1...1,
                summary: "ignore a word, a category or a publication"
            ) { context in
                let name = PlainText.line(context.operands[0])
                guard !Words.name(name).isEmpty else {
                    throw PulseError(
                        .usage, "There is no word in “\(name)”.",
                        hint: "To see what can be forgotten: pulse-digest interests")
                }
                let isNew = try ReaderInterests(in: context.app, reporter: context.reporter).forget(name)
                context.note(isNew ? "“\(name)” is ignored from now on." : "“\(name)” was forgotten before.")
            },
            Command(
                "restore", operands: "NAME", arity: 1...1, summary: "restore what was forgotten"
            ) { context in
                let name = PlainText.line(context.operands[0])
                guard try ReaderInterests(in: context.app, reporter: context.reporter).restore(name) else {
                    throw PulseError(
                        .noInput, "“\(name)” was not forgotten.", hint: "To see what was: pulse-digest interests")
                }
                context.note("“\(name)” counts again.")
            },
        ])
}

private struct InterestList: Encodable {
    let interests: [InterestRow]
    let forgotten: [String]
}

private struct InterestRow: Encodable {
    let name: String
    /// `publication`, `category` or `word`.
    let kind: String
    let articles: Int
    /// How many times as many were read as expected; recent readings count more.
    let times: Double

    init(_ trait: Taste.Trait) {
        (name, kind, articles) = (PlainText.line(trait.name), trait.kind.rawValue, trait.articles)
        times = (exp(trait.lift) * 10).rounded() / 10
    }

    func line(in style: TextStyle) -> String {
        let reason: Message =
            "\(Counted.text(articles, "article read", "articles read")), \(Message.decimal(times)) times as often as average"
        let text = "\(name.padding(to: 24)) \(style.text(reason))"
        return (style.tableWidth.map { DisplayWidth.clip(text, to: $0) } ?? text) + "\n"
    }
}
