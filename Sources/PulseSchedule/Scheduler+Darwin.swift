#if canImport(Darwin)
    extension Scheduler {
        /// The one that is used where nobody asks for another: macOS keeps cron for old times' sake, and does not let it
        /// at people's files.
        public static let usual = Scheduler.launchd
    }
#endif
