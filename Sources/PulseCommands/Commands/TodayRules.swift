/// Which options of `today` go together. One that would mean nothing is refused; a setting is for every run, and not
/// asked about.
struct TodayRules {
    let context: Context

    func check() throws(Failure) {
        let settings = context.settings
        if settings.day != nil {
            try checkOfAnotherDay()
        }
        if settings.isSent {
            return try context.requireMailFormat()
        }
        for option in Option.mailing where context.isGiven(option) {
            throw Failure(.usage, "--\(option.name) is for --send.")
        }
        for option in [Option.to, .from] where context.isGiven(option) && settings.format != .email {
            throw Failure(.usage, "--\(option.name) is for --send or --format email.")
        }
    }

    private func checkOfAnotherDay() throws(Failure) {
        if context.settings.isSent {
            throw Failure(
                .usage, "--send mails today's digest; --date prints that of another day. Leave one of them out.")
        }
        let printing = ([Option.date, .to, .from] + Option.everywhere).map(\.name) + [Option.formatName]
        for (option, _) in context.flags where context.isGiven(option) && !printing.contains(option.name) {
            throw Failure(
                .usage,
                "--date prints what was kept, --\(option.name) is about what is written now: give one of them.")
        }
    }
}

extension Context {
    /// Whether an option stands on the command line, and is not a switch that is turned off there.
    func isGiven(_ option: Option) -> Bool {
        flags.contains { flag, values in
            flag.name == option.name && (flag.value != nil || (try? Value.isOn(values)) == true)
        }
    }

    /// A model that was named here, and is not asked, is not passed over without a word.
    func tellOfUnusedModel() {
        guard settings.grounded == .strict, isGiven(.model) else { return }
        note(messages.modelUnused)
    }

    func requirePrompts() throws(Failure) {
        guard settings.grounded == .strict else { return }
        throw Failure(
            .usage,
            "There is no prompt to show: --grounded strict asks no model. For the prompts of a model that writes: "
                + "--grounded checked --dry-run")
    }

    /// A mail holds the digest as text and as HTML. Another format as a setting is for the output; asked for here, it
    /// would be passed over without a word.
    func requireMailFormat() throws(Failure) {
        guard flags.contains(where: { $0.option.name == Option.formatName }), settings.format != .email else { return }
        throw Failure(
            .usage,
            "What is mailed holds the digest as text and as HTML: leave --format \(settings.format.rawValue) out.")
    }
}
