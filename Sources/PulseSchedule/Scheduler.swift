/// Who starts the program each day.
public enum Scheduler: String, Sendable, CaseIterable {
    case cron, systemd, launchd
}
