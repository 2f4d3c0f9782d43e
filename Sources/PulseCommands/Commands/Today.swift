import PulseSchedule

extension Command {
    static let today = Command(
        "today", summary: "tell what was read in the last two days",
        details: """
            Each story is told once, however many publications have it, in order of weight: by default in a sentence of
            its publication's own, and no model is asked. With --grounded checked a model writes, and what its story does
            not bear out is not shown. With nothing read in that time nothing is printed, so that a job run by cron stays
            silent. Every digest is kept: --date prints that of another day, and a story's number stands for it
            (pulse-digest history show 3, pulse-digest summarize 3).

            What you follow comes first in its category and has a claim to half of the places. Words are looked for in
            titles, teasers and first sentences, whole, without regard to case and accents; one article with a muted
            word keeps its whole story out. How much was left out, and how much is muted, is said.

            Titles, dates and what the program says are in the language of --language, else of your settings, else of
            LC_ALL, LC_MESSAGES or LANG. A story is told in its own language.

            Other formats than text come whole, at the end. An email is a message to hand on:
            pulse-digest today --format email --to ADDRESS | sendmail -t -oi
            """,
        options: [.hours, .since] + Option.choosing
            + [.maxStories, .language, .format(), .to, .from, .dryRun, .fresh, .date] + Option.writing
            + Option.mailing
    ) { context throws(Failure) in
        try TodayRules(context: context).check()
        if context.settings.isSent {
            try await NightlyRun(context: context).run()
        } else if let day = context.settings.day {
            try DigestArchive(context: context).print(day)
        } else {
            try await DigestPrinter(context: context).run()
        }
    }.workingWithFaultySettings { $0.isSent && $0.scheduler != nil }
}
