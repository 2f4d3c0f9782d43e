import PulseModels

extension Command {
    static let models = Command(
        "models", summary: "the models: list, fetch, verify", implied: "list",
        subcommands: [
            Command("list", summary: "the catalogue, and what of it is here") { context throws(Failure) in
                try ModelCommands(context: context).list()
            },
            Command("path", operands: "[NAME|PATH]", arity: 0...1, summary: "the file that a name means") {
                context throws(Failure) in
                try context.console.write(ModelFiles(context: context).resolve(context.operands.first).path + "\n")
            },
            Command(
                "verify", operands: "[NAME]", arity: 0...1, summary: "compare a model's file with the catalogue's hash"
            ) { context throws(Failure) in
                try await ModelCommands(context: context).verify(context.operands.first)
            },
            Command(
                "pull", operands: "NAME", arity: 1...1, summary: "fetch a model of the catalogue",
                details: """
                    The file is checked by its size and SHA-256 before it gets its name. A download that was broken off
                    goes on where it stopped. A file that was fetched elsewhere is taken with --from.
                    """,
                options: [.fromFile]
            ) { context throws(Failure) in
                try await ModelCommands(context: context).pull(context.operands[0])
            },
        ])
}
