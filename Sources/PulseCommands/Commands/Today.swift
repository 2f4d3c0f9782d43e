extension Command {
    static let today = Command(
        "today", summary: "tell what was read in the last two days",
        details: """
            The digest is streamed to the output as it is written, one paragraph a category. With nothing read in that
            time nothing is printed, so that a job run by cron stays silent. Every digest is kept: as long as nothing new
            was read it is printed again without the model, and --date prints that of another day.
            """,
        options: [.hours, .since, .category, .maxArticles, .language, .format, .to, .from, .dryRun, .fresh, .date]
            + Option.writing + Option.mailing
    ) { context throws(Failure) in
        if context.settings.isSent {
            try await NightlyRun(context: context).run()
        } else if let day = context.settings.day {
            try DigestArchive(context: context).print(day)
        } else {
            try await DigestPipeline(context: context).run()
        }
    }
}
