#if canImport(Darwin)
    /// Whether anything reads crontabs on this machine.
    enum CronDaemon {
        /// launchd starts cron as soon as there is a crontab.
        static func isRunning() -> Bool? { true }
    }
#endif
