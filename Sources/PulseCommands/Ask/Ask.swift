import PulseApp
import PulseCore
import PulseSources
import PulseText

extension Command {
    static let ask = Command(
        "ask", operands: "QUESTION…|-", arity: 1...200,
        summary: "ask about what you read; answers name their sources",
        details: """
            The passages that are nearest to the question are found by their meaning, and a model on this machine \
            answers from them alone, in up to six sentences; one that the passages do not support is left out. Each is \
            followed by its sources, such as a1, a name that open, summarize and share take. Without a model (see \
            pulse-digest models), or with --model none, the nearest passages are quoted.

            A time or a publication in the question limits the search: "last week", "in March", "in The Herald". Words \
            in quotation marks must occur in the article exactly as written. - reads the question from standard input. \
            On a terminal you can ask further questions, which build on the earlier ones; an empty line ends. Only the \
            list of the last sources is kept, unless --save names a file.
            """,
        options: [Option.since, .ofSource, .ofCategory, .searchedBasis].headed("What to search")
            + [Option.language, .format([.text, .markdown, .json]), .mostFound, .save, .dryPrompt].headed("Output")
            + Option.writing.headed("Model"),
        resolving: { context in
            var asking = context.settings.asking
            asking.filter = try context.filter()
            asking.language = context.settings.language
            asking.profile = context.settings.profile
            return (asking, AnswerArguments(context))
        }
    ) { context in
        let (asking, answer) = context.arguments
        let isPiped = context.operands == ["-"]
        let typed = try isPiped ? context.pipedQuestion() : PlainText.line(context.operands.joined(separator: " "))
        guard AskedQuestion.saysAnything(typed) else {
            throw PulseError(
                .usage, "There is no question.",
                hint: "For example: pulse-digest ask \"What did I read about the ferry?\"")
        }
        let (console, reporter, output) = (context.console, context.reporter, context.with(arguments: answer.output))
        defer { reporter.clear() }
        var conversation = try await Conversation(
            asking, by: answer.model, isDryRun: answer.isDryRun, isReadAlong: output.isReadAlong, in: context.app,
            reporter: reporter)
        if answer.isDryRun {
            if let prompts = try await conversation.prompts(typed) { try context.print(prompts) }
            return
        }
        let isContinued =
            console.isInputTerminal && console.isErrorTerminal && console.width != nil && answer.output.format == .text
            && !isPiped
        var next: String? = typed
        while let text = next, AskedQuestion.saysAnything(text) {
            let printer = ReplyPrinter(output, reporter)
            let reply = try await printer.print {
                try await conversation.answer(text, onFound: printer.take, onWriting: printer.show)
            }
            try conversation.keep(reply)
            if let advice = try conversation.advice(on: reply) { context.note(advice) }
            guard isContinued else { return }
            next = try await conversation.whileWaiting {
                try await console.ask("\nAnother question, or Return to end: ")
            }
            try console.write("\n")
        }
    }
}

extension CommandContext {
    fileprivate func pipedQuestion() throws -> String {
        if console.isInputTerminal { note("Type the question, then press control-D on a line of its own.") }
        let bytes = try ByteStream(descriptor: console.input, name: "standard input").rest(limit: 1 << 20)
        return PlainText.line(String(decoding: bytes, as: UTF8.self))
    }
}
