extension Command {
    static let today = Command(
        "today", summary: "tell what was read in the last two days",
        details: """
            The digest is streamed to the output as it is written, one paragraph a category. With nothing read in that
            time nothing is printed, so that a job run by cron stays silent. Other formats than text come whole, at the
            end. An email is a message to hand on: pulse-digest today --format email --to ADDRESS | sendmail -t -oi
            """,
        options: [.hours, .since, .category, .maxArticles, .language, .format, .to, .from, .dryRun] + Option.writing
            + Option.mailing
    ) { context throws(Failure) in
        if context.settings.isSent {
            try await NightlyRun(context: context).run()
        } else {
            try await DigestPipeline(context: context).run()
        }
    }
}
