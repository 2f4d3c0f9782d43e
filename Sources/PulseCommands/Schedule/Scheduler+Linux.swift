#if os(Linux)
    extension Scheduler {
        /// The one that is used where nobody asks for another.
        static let usual = Scheduler.cron
    }
#endif
