/// Who starts the program each day.
enum Scheduler: String, Sendable, CaseIterable {
    case cron, systemd, launchd
}
