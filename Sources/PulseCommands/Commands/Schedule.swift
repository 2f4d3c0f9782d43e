extension Command {
    static let schedule = Command(
        "schedule", summary: "the digest by mail each day: install, show, remove, log", implied: "show",
        subcommands: [
            Command(
                "install", summary: "mail the digest each day",
                details: """
                    An entry of your crontab, or a timer of systemd (launchd on macOS), that runs today --send. Options of
                    today are handed on, and the language of now; so are XDG_*, PULSE_DIGEST_* and TZ, where they are set.
                    Another install takes the place of the first.
                    """,
                options: [.at, .systemd, .plan] + Command.today.options.filter { !isForToday($0) }
            ) { context throws(Failure) in
                try await ScheduleCommands(context: context).install()
            },
            Command("show", summary: "what is installed, when it runs next, how the last run ended") {
                context throws(Failure) in
                try await ScheduleCommands(context: context).show()
            },
            Command("remove", summary: "take it away", options: [.plan]) { context throws(Failure) in
                try await ScheduleCommands(context: context).remove()
            },
            Command("log", summary: "how the runs that sent mail ended", options: [.limit, .format([.text, .json])]) {
                context throws(Failure) in
                try ScheduleCommands(context: context).log()
            },
        ])

    /// What `schedule install` takes for itself and does not hand on.
    static let scheduleOnly: [Option] = [.at, .systemd, .plan, .quiet, .verbose]

    /// What a schedule gives by itself, or what is about one run.
    private static func isForToday(_ option: Option) -> Bool {
        [Option.send, .scheduled, .again, .dryRun, .date].map(\.name).contains(option.name)
    }
}
