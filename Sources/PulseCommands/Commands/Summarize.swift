import Foundation
import PulseCore
import PulseSources
import PulseStore

extension Command {
    static let summarize = Command(
        "summarize", operands: "<number|id|url|pulse://article?id=…|->", arity: 1...1,
        summary: "tell what one article says",
        details: """
            The article is one of the reading history, by its number in the last digest, any unambiguous beginning of its
            id, or its URL. With - it is the text or HTML on standard input. By default it is told in two sentences of its
            own; with --grounded checked a model writes, and what the article does not bear out is not shown.
            """,
        options: [.language, .format([.text, .markdown, .json]), .dryRun, .fresh] + Option.writing
    ) { context throws(Failure) in
        let reference = context.operands[0]
        let isPiped = reference == "-"
        let article =
            try isPiped
            ? StandardInput.article(context) : ArticleFinder(context: context).find(reference).article
        guard !article.text.allSatisfy(\.isWhitespace) else {
            throw Failure(.badData, "There is nothing to summarise: the text is empty.")
        }
        try await SummaryMaker(context: context, article: article, isKept: !isPiped).run()
    }
}

/// An article that is piped in.
private enum StandardInput {
    static func article(_ context: Context) throws(Failure) -> Article {
        if context.console.isInputTerminal {
            context.note(context.messages.typeText)
        }
        let data: Data
        do {
            data = try FileHandle(fileDescriptor: context.console.input).readToEnd() ?? Data()
        } catch {
            throw Failure(.cannotRead, "Standard input cannot be read: \(error.localizedDescription)")
        }
        // What is not UTF-8 becomes replacement characters: half a text says more than none.
        let text = HTMLText.paragraphs(String(decoding: data, as: UTF8.self))
        return Article(id: "-", title: "", content: text)
    }
}
