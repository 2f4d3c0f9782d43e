import PulseApp
import PulseCore
import PulseRendering

extension Command {
    static let share = Command(
        "share", operands: "<number|id|url>", arity: 1...1, summary: "print an article's title, source and address",
        options: [.format([.text, .markdown])], resolving: \.settings.format
    ) { context throws(PulseError) in
        let article = try context.articleFinder.article(context.operands[0])
        try context.console.write(
            context.arguments == .markdown ? ShareText.markdown(article) : ShareText.render(article))
    }
}
