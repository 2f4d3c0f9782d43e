import PulseSchedule

extension Command {
    static let today = Command(
        "today", summary: "tell what was read in the last two days",
        details: """
            The digest is streamed to the output as it is written, one paragraph a category. With nothing read in that
            time nothing is printed, so that a job run by cron stays silent. Every digest is kept: as long as nothing new
            was read it is printed again without the model, and --date prints that of another day.

            What you follow comes first in its category and has a claim to half of the places. Words are looked for in
            titles, teasers and first sentences, whole, without regard to case and accents; one article with a muted
            word keeps its whole story out. How much was left out, and how much is muted, is said.

            Of each article the digest reads the lead, about a hundred tokens, in which news says what matters. With
            --whole, or as a setting, long ones are read to the end first, each summarised by itself; that takes the
            model minutes where there are many, and is kept: a night costs what is new.

            Titles, dates and what the program says are in the language of --language, else of your settings, else of
            LC_ALL, LC_MESSAGES or LANG. An article is told in its own language: the models here do not translate.

            Other formats than text come whole, at the end. An email is a message to hand on:
            pulse-digest today --format email --to ADDRESS | sendmail -t -oi
            """,
        options: [.hours, .since] + Option.choosing
            + [.maxArticles, .whole, .language, .format(), .to, .from, .dryRun, .fresh, .date] + Option.writing
            + Option.mailing
    ) { context throws(Failure) in
        try TodayRules(context: context).check()
        if context.settings.isSent {
            try await NightlyRun(context: context).run()
        } else if let day = context.settings.day {
            try DigestArchive(context: context).print(day)
        } else {
            try await DigestPipeline(context: context).run()
        }
    }.workingWithFaultySettings { $0.isSent && $0.scheduler != nil }
}
