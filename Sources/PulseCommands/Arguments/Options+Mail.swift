import PulseSchedule

/// What is told about mail and its schedule.
extension Option {
    static let send = Option(
        "send", isSetting: false, help: "mail it with the system's sendmail, to each address once a day"
    ) { settings, values throws(InvalidValue) in
        settings.isSent = try Value.isOn(values)
    }
    static let again = Option("again", isSetting: false, help: "mail it although today's is out already") {
        settings, values throws(InvalidValue) in
        settings.isAgain = try Value.isOn(values)
    }
    static let sendmail = Option("sendmail", value: "PATH", kind: .path, help: "the sendmail to use (the system's)") {
        settings, values throws(InvalidValue) in
        settings.sendmail = try Value.path(values)
    }
    static let sendTimeout = Option(
        "send-timeout", value: "SECONDS", help: "end a sendmail that is not done after so long (120)"
    ) { settings, values throws(InvalidValue) in
        settings.sendTimeout = .seconds(try Value.number(values, above: 0, upTo: 86_400))
    }
    static let retryTime = Option(
        "retry-time", value: "SECONDS", help: "scheduled: when busy or offline, try again for so long (900)"
    ) { settings, values throws(InvalidValue) in
        settings.retryTime = .seconds(try Value.number(values, from: 0, upTo: 86_400))
    }
    static let scheduled = Option(
        "scheduled", value: "BY", choices: Scheduler.allCases.map(\.rawValue), isSetting: false,
        help: "what the schedule adds: quiet when well, and a failure is told once"
    ) { settings, values throws(InvalidValue) in
        settings.scheduler = try Value.choice(values, Scheduler.self)
    }
    static let mailing = [send, again, sendmail, sendTimeout, retryTime, scheduled]

    static let at = Option("at", value: "HH:MM", isSetting: false, help: "when, each day (22:00)") {
        settings, values throws(InvalidValue) in
        let text = try Value.text(values)
        guard let time = TimeOfDay(text) else { throw InvalidValue("takes a time such as 22:00, not “\(text)”.") }
        settings.timeOfDay = time
    }
    static let plan = Option("dry-run", isSetting: false, help: "print what would be written; change nothing") {
        settings, values throws(InvalidValue) in
        settings.isDryRun = try Value.isOn(values)
    }
    static let systemd = Option(
        "systemd", isSetting: false, help: "a timer of systemd, which makes up for a time that was slept through"
    ) { settings, values throws(InvalidValue) in
        settings.isSystemd = try Value.isOn(values)
    }
}
