import PulseApp
import PulseCore

extension Command {
    static let prepare = Command(
        "prepare", summary: "have a model prepare the next digest in advance",
        details: """
            The model writes each story of the digest as it would be now, and its answers are kept: today then asks \
            only about what has changed since. What you read is prepared for questions, too: pulse-digest ask then \
            finds it by its meaning. This command works at the lowest priority, stops as soon as another pulse-digest \
            command runs, and continues there the next time. Give it the options of the digest, or set them; with \
            --to, or an address in the settings, it plans the email, else what today prints.

            To run it before each email: pulse-digest schedule install --prepare
            """,
        options: ([Option.profile, .basis, .hours, .since, .sinceLast] + Option.choosing + Option.sizing).headed(
            "What to include")
            + [Option.language, .to, .scheduled].headed("Output")
            + Option.writing.headed("Model"),
        resolving: { context in
            try context.requireOneWindow()
            let isScheduled = context.settings.scheduler != nil
            return (
                isScheduled, Result { try context.preparedReaders() },
                isScheduled ? ImportSources(context.importer) : nil
            )
        }
    ) { context in
        let (isScheduled, readers, sources) = context.arguments
        do {
            try await Preparation(for: readers.get(), sources: sources, in: context.app, reporter: context.reporter)
                .run()
        } catch {
            let error = error.asPulseError
            // Silent in scheduled runs, since cron would mail it each hour. The nightly run reports errors.
            throw isScheduled && error.code != .interrupted ? PulseError(error.code, "") : error
        }
    }.lettingPrepareContinue()
}
